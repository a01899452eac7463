# Two commands on a fresh machine: `make demo` runs the main job, `make test` runs the tests.
# Each sets up what it needs: a virtual environment in .venv, and, where it may, the system's
# OpenGL and virtual-screen packages; it says which, and `make demo NO_APT=1` installs none.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
FOR_DEVELOPMENT := $(VENV)/.installed-for-development
INSTALL = PYTHONWARNINGS='ignore:Editable installation' $(BIN)/python -m pip install --quiet
# What pytest makes of the tests as it reads them is kept, while the kernels are still compiled.
KEEP_TESTS = { $(BIN)/pytest --collect-only -q >/dev/null 2>&1 || true; }

.PHONY: help demo test test-elsewhere test-python docs drawings lint format wheel bench pictures gallery window-film system clean

help: ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 24

demo: $(INSTALLED) system ## plan, run and verify the built-in scenario `parking`, and show it
	$(BIN)/rmp3d demo

test: $(FOR_DEVELOPMENT) system ## run the tests
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

# It proves: meshes as shipped, kernels and a whole run as sound, texts and files read and written.
test-elsewhere: $(FOR_DEVELOPMENT) system ## run a part of them as on an older, busy machine in another locale
	$(BIN)/python -m scripts.elsewhere

test-python: ## run the tests with another Python: make test-python PYTHON=python3.13
	$(MAKE) test PYTHON=$(PYTHON) VENV=.venv-$(notdir $(PYTHON))

docs: $(FOR_DEVELOPMENT) ## build the documentation site; then open site/index.html
	$(BIN)/python -m scripts.site -o site
	@echo "open site/index.html"

drawings: $(FOR_DEVELOPMENT) ## draw the packages of docs/architecture.md anew, from the imports
	$(BIN)/python -m scripts.packages_drawing

lint: $(FOR_DEVELOPMENT) ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(FOR_DEVELOPMENT) ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel: $(FOR_DEVELOPMENT) ## build a wheel with compiled kernels, for this Python and system; in dist/
	$(BIN)/python -m build --no-isolation --wheel

bench: $(FOR_DEVELOPMENT) ## the campaigns in benchmarks/ (long)
	$(BIN)/python -m benchmarks.groups -o benchmarks/groups.md
	$(BIN)/python -m benchmarks.groups --members 5,20 --scenes parking,patio_house,canyon,cave \
		--behaviors self_guided,goal_search,leader_following,circle_following -o benchmarks/groups_behaviors.md
	$(BIN)/python -m benchmarks.samplers

pictures: $(FOR_DEVELOPMENT) system ## make the pictures of README.md and docs/ anew
	$(BIN)/python -m rmp3d.documentation.pictures

gallery: $(FOR_DEVELOPMENT) ## run the scenario of every steering behavior and draw its trails, for docs/
	$(BIN)/python -m rmp3d.documentation.gallery

window-film: $(FOR_DEVELOPMENT) system ## go through the work flow in a real window; pictures in out/window-film
	$(BIN)/python -m scripts.window_film

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV) || { echo "no venv module: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(INSTALL) --editable .
	@touch $@

$(FOR_DEVELOPMENT): $(INSTALLED)
	$(BIN)/python -m rmp3d.kernels & $(INSTALL) --editable '.[dev]' && $(KEEP_TESTS) && wait
	@touch $@

system: ## install OpenGL and virtual-screen packages with apt, where allowed; NO_APT=1: never
	@RMP3D_NO_APT="$(or $(NO_APT),$(RMP3D_NO_APT))" sh scripts/system-packages.sh

clean: ## remove the virtual environment, caches and results
	rm -rf $(VENV) .venv-* out site build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
