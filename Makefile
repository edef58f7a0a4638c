# The commands of Deniable; `make` alone lists them. Long targets take SIZE; each prints a table and writes var/<name>.json.
PYTHON3 ?= python3
PYTHON := .venv/bin/python
export HOST ?= 127.0.0.1
export PORT ?= 8000

.PHONY: help run test check format lock openapi translations vectors audit bench faults soundness clean prepare-dev

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## start the service with a demo survey: PORT=8000 HOST=127.0.0.1
	@$(PYTHON3) deploy/prepare.py
	@exec $(PYTHON) -m deploy.run

test: prepare-dev ## run everything, and what opens a database on SQLite and on PostgreSQL
	@exec $(PYTHON) -m tests.suite

check: prepare-dev ## format, lint, types, architecture, OpenAPI, translations
	@exec $(PYTHON) -m tests.check

format: prepare-dev ## put every file into the one form
	$(PYTHON) -m ruff check --fix-only --quiet .
	$(PYTHON) -m ruff format .
	cd frontend && npm run --silent format

prepare-dev:
	@$(PYTHON3) deploy/prepare.py --dev

lock: prepare-dev ## bring the lock files in step with pyproject.toml
	$(PYTHON) -m uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  -o requirements.lock pyproject.toml
	$(PYTHON) -m uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --group dev -c requirements.lock -o requirements-dev.lock pyproject.toml
	cd frontend && npm install --silent --package-lock-only --ignore-scripts && node strip-lock.mjs

openapi: prepare-dev ## write the schema of the API anew
	$(PYTHON) manage.py spectacular --validate --file surveys/api/openapi.yaml

translations: prepare-dev ## bring the Korean catalogue up to date with the texts in the source
	$(PYTHON) manage.py makemessages --locale ko --no-obsolete --add-location file --no-wrap --ignore "var/*" --ignore "node_modules/*"
	$(PYTHON) manage.py compile_catalogues

vectors: prepare-dev ## write the vectors that Python and TypeScript share anew, byte for byte
	$(PYTHON) -m tests.vectors

audit: prepare-dev ## the long statistical audit of ε in both languages: SIZE draws a truth
	$(PYTHON) -m tests.audit --size $(or $(SIZE),10000000)

bench: prepare-dev ## benchmarks beside the peers
	$(PYTHON) -m tests.bench --size $(or $(SIZE),10000000)

faults: prepare-dev ## workers and servers killed at random moments: SIZE rounds
	$(PYTHON) -m tests.faults --rounds $(or $(SIZE),100)

soundness: prepare-dev ## bounds of the policy layer against random neighbours, then mutants of its rules: SIZE trials; then 20,000 queries of a grammar
	$(PYTHON) -m tests.policy.soundness --trials $(or $(SIZE),100000)
	$(PYTHON) -m tests.policy.soundness.mutants
	$(PYTHON) -m tests.policy.fuzz

clean: ## remove what can be made again; var/ with its database stays
	rm -rf .venv frontend/dist frontend/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
