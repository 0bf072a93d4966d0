PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

GAMES ?= 1000
SEED ?= 1
OUT ?= runs/games.jsonl
SIDE ?= democrat
AGAINST ?= heuristic
CONFIG ?= configs/quick.toml
TARGET ?= all
PORT ?= 1989
TESTS ?= tests/cards tests/rules/test_cases.py tests/rules/test_golden.py tests/engine tests/native/test_library.py tests/project/test_citations.py tests/project/test_pages.py tests/commands/test_arguments.py
# files that also run uncompiled, under coverage of the rules
PLAIN_TESTS := tests/cards/test_cards.py tests/engine/test_dispatch.py \
	$(patsubst %,tests/rules/test_%.py,bid cases family marking setup)
# files of tests in several processes, those that take long first (tests/conftest.py)
PARALLEL := --numprocesses auto --dist loadfile --no-loadscope-reorder

# What each set-up installs: extras of pyproject.toml. A second one adds to the first.
EXTRAS_web := numba,web
EXTRAS_train := train,reports
EXTRAS_wheels := native,publish
EXTRAS_test := test,lint,docs,web,train,reports,picture,ray,openspiel,recipes,dataset,minari,native,llm,mcp
# uv where it is on the machine, pip otherwise; neither looks at PYTHONPATH, where it may find the project "installed"
ifneq ($(shell command -v uv),)
    NEW_VENV = uv venv --quiet --seed --python $(PYTHON)
    INSTALL := env -u PYTHONPATH uv pip install --quiet --python $(BIN)/python
else
    NEW_VENV = $(PYTHON) -m venv
    INSTALL := env -u PYTHONPATH $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif
WEB := $(VENV)/.web
TRAIN := $(VENV)/.train
WHEELS := $(VENV)/.wheels
TEST := $(VENV)/.test

.PHONY: venv play web selfplay train test openenv kill-test fuzz benchmark figures strength docs site lint check native js wheels
.PRECIOUS: $(VENV)/.%

venv: $(TEST)

$(VENV)/.%: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(NEW_VENV) $(VENV)
	$(INSTALL) -c constraints.txt -e '.[$(EXTRAS_$*)]'
	$(BIN)/dawn compile
	touch $@

# make play SIDE=communist AGAINST=search:sims=200; see docs/how-to/web.md
play: $(WEB)
	@$(BIN)/dawn play --as $(SIDE) --against "$(AGAINST)"

# make web PORT=8080; see docs/how-to/web.md
web: $(WEB)
	$(BIN)/dawn web --port $(PORT)

# make selfplay GAMES=1000 SEED=1 OUT=runs/games.jsonl; goes on with a file that exists
selfplay: $(WEB)
	$(BIN)/dawn selfplay --games $(GAMES) --seed $(SEED) --out $(OUT) $(if $(wildcard $(OUT)),--resume)

# make train CONFIG=configs/night.toml; results in runs/, see docs/how-to/training.md
train: $(TRAIN)
	$(BIN)/dawn train --config $(CONFIG)

# While working: lint, types, and some tests or those named by TESTS
check: lint
	$(BIN)/python -m pytest -q $(PARALLEL) $(TESTS)

# The rules as plain Python under coverage first, then everything, compiled
test: $(TEST)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -q $(PARALLEL) $(PLAIN_TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --fail-under=95
	$(BIN)/python -m pytest -q $(PARALLEL)

# The recipe for OpenEnv, which needs older packages than ours, in an environment of its own (0.7 GB)
openenv: build/openenv
	$</bin/python -m pytest -q tests/project/test_recipes.py -k openenv

build/openenv:
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet -e '.[numba]' pytest openenv==0.10.0 || { rm -rf $@; exit 1; }

# Kills workers, nodes and drivers of a Ray cluster ten times each; takes some ten minutes, see docs/how-to/cluster.md
kill-test: $(TEST)
	DAWN_ENV_KILLS=10 $(BIN)/python -m pytest -q tests/work/test_cluster.py -k killed

# make fuzz TARGET=records SEED=2; all targets take about half an hour
fuzz: $(TEST)
	$(BIN)/python scripts/fuzz.py --target $(TARGET) --seed $(SEED)

benchmark: $(TEST)
	mkdir -p runs
	$(BIN)/dawn benchmark --json runs/benchmark.json

# The figures of README and pages, measured on this machine; takes five minutes and wants it idle
figures: $(TEST)
	$(BIN)/dawn benchmark --json docs/figures.json
	$(BIN)/python scripts/make_docs.py

# Regression check of strength and speed: half an hour, status 1 when something is worse; see docs/how-to/tournaments.md
strength: $(TEST)
	$(BIN)/python -m scripts.laboratory.check_strength

# The engine compiled ahead for all machines, in build/native; see docs/how-to/native.md
native: $(WHEELS)
	$(BIN)/python packages/native/build_native.py

# Wheels that carry it and the sources, in dist, as they are published
wheels: $(WHEELS)
	$(BIN)/python packages/native/make_wheels.py
	$(BIN)/python -m build --sdist --no-isolation
	$(BIN)/python -m twine check --strict dist/*

# The JavaScript package, in packages/js
js: $(WHEELS)
	$(BIN)/python packages/native/build_native.py --target wasm32 --js packages/js
	cd packages/js && npm pack --silent --pack-destination ../../build

docs: $(TEST)
	$(BIN)/python scripts/make_docs.py

# The documentation site; begin with build/site/index.html
site: $(TEST)
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/site
	$(BIN)/python packages/native/build_native.py --target wasm32 --js packages/js
	mkdir -p build/site/live/engine
	cp packages/js/*.js packages/js/dawn.wasm packages/js/pretrained.bin build/site/live/engine/

lint: $(TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
