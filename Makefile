# `make app` and `make test` are all a newcomer needs; each does its own set-up.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready

# Tests of one group share a process; otherwise each goes to whoever is free. Hundreds of them start
# a program: each would compile it anew where the environment forbids to keep what was compiled.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist loadgroup

.PHONY: app test test-fast check lint types layers setup sample bench reproduce fuzz screenshots api site browser clean

app: $(READY)
	$(BIN)/htreval app

test: $(READY) browser
	$(PYTEST) -m 'not thorough'

# For the loop of somebody who changes a file.
test-fast: $(READY)
	$(PYTEST) -m 'not slow and not thorough and not browser'

# What has to pass before a change lands: every test, the long sweeps included.
check: lint types layers browser
	$(PYTEST)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

setup: $(READY) browser

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "htreval needs Python 3.11 or newer; name one with make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	# Tests compare with it. What it asks for, a platform with a data base and a web server, they do not.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps 'dinglehopper>=0.11,<0.12'
	touch $@

browser: $(READY)
	@sh tests/browser/ensure_chromium.sh $(BIN)/python

sample: $(READY)
	$(BIN)/python sample_data/build.py

bench: $(READY)
	$(BIN)/python -m benchmarks.bench

reproduce: $(READY)
	$(BIN)/python -m benchmarks.reproduce

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --cases 20000

screenshots: $(READY) browser
	$(BIN)/python -m docs.screenshots

# The API page from the docstrings, into build/api.
api: $(READY)
	$(BIN)/python docs/api.py

# The documents, the API and the samples as a site, into build/site.
site: $(READY)
	$(BIN)/python docs/build_site.py

clean:
	rm -rf .venv build dist
