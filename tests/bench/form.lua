-- The same form again and again, with the cookie of one visitor.
function init(args)
  wrk.method = "POST"
  wrk.body = os.getenv("FORM")
  wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
  wrk.headers["Cookie"] = os.getenv("COOKIE")
end
