# What people and CI run. Everything is installed into .venv; nothing else is needed but Python 3.11 or newer.

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
WORKERS ?= 2
CASES ?= 10000
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest

export PORT

.PHONY: install run dev test test-sqlite test-postgres test-browser coverage lint format bench messages clean

install: .venv/installed-prod

run: .venv/installed-prod
	@$(BIN)/python manage.py setup
	@exec $(BIN)/granian --interface wsgi --host $(HOST) --port $(PORT) --workers $(WORKERS) --blocking-threads 4 \
	  --no-ws --http 1 --http1-buffer-size 65536 --http1-header-read-timeout 10000 --backlog 512 \
	  --respawn-failed-workers --workers-max-rss 512 --workers-kill-timeout 20 --log-level error \
	  incidentlib.wsgi:application

dev: .venv/installed-dev
	@$(BIN)/python manage.py setup
	@DEBUG=1 exec $(BIN)/python manage.py runserver 127.0.0.1:$(PORT)

test: .venv/installed-dev
	@$(BIN)/python -m tests.browser.chromium
	@$(MAKE) --no-print-directory test-sqlite test-postgres test-browser

test-sqlite: .venv/installed-dev
	@echo "== SQLite"
	@env -u DATABASE_URL $(PYTEST) -n 2 -m "not browser"

test-postgres: .venv/installed-dev
	@echo "== PostgreSQL"
	@$(BIN)/python -m tests.postgres $(PYTEST) -n 2 -m "not browser"

test-browser: .venv/installed-dev
	@echo "== Browser"
	@env -u DATABASE_URL $(PYTEST) -n 2 -m browser

# Apart from the tests, because counting lines makes them take twice as long.
coverage: .venv/installed-dev
	@env -u DATABASE_URL $(PYTEST) -n 2 -m "not browser" --cov --cov-report=term

lint: .venv/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check

format: .venv/installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: .venv/installed-dev
	@env -u DATABASE_URL $(BIN)/python -m tests.benchmarks --cases $(CASES)
	@$(BIN)/python -m tests.postgres $(BIN)/python -m tests.benchmarks --cases $(CASES)

# Collects the interface texts into the .po files; this alone needs the gettext system package.
messages: .venv/installed-dev
	$(BIN)/python manage.py makemessages --locale ko --no-location --no-wrap --no-obsolete \
	  --ignore .venv --ignore var --ignore tests
	$(BIN)/python manage.py compile_translations

clean:
	rm -rf .venv .coverage .mypy_cache .pytest_cache .ruff_cache .import_linter_cache test-results

# uv is ten times faster than pip, but only pip comes with Python.
.venv/installed-%: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv || true
	@echo "Installing what pyproject.toml asks for ..."
	@if test -x $(BIN)/uv && $(BIN)/uv pip install --quiet -p $(BIN)/python -c requirements.lock -e '.[$*]'; then :; else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[$*]'; fi
	@touch $@
