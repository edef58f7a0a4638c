-- Fresh reports of a ten-question version: a new key each, the body a device would send.
local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
local counter, bodies = 0, {}

function init(args)
  local file = io.open("/dev/urandom", "rb")
  local raw = file:read(26 + 64 * 10)
  file:close()
  local prefix = ""
  for i = 1, 26 do
    local at = raw:byte(i) % 64
    prefix = prefix .. letters:sub(at + 1, at + 1)
  end
  for i = 0, 63 do
    local reports = {}
    for j = 1, 10 do reports[j] = '"0' .. (raw:byte(26 + i * 10 + j) % 2) .. '"' end
    bodies[i] = '{"version":1,"reports":[' .. table.concat(reports, ",") .. '],"key":"' .. prefix
  end
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  counter = counter + 1
  -- 43 letters of base64url; the last one has no spare bits.
  return wrk.format("POST", nil, nil, bodies[counter % 64] .. string.format("%016d", counter) .. 'A"}')
end
