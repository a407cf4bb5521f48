# make demo: render the default project and train it. make test: all that is proven in 20 minutes.
# make test-all: that, a run of every pair of choices, and the defaults of every network and loss.
# make bench: time the rendered project against other frameworks (7 GB for their own environment).
# PYTHON=/path/to/python chooses the interpreter; without it the first of 3.10 to 3.12 is taken.

VENV ?= .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := $(VENV)/.ready
DEMO := demo
NEEDS := tests/requirements.txt tests/dependencies.py \
	$(wildcard *cookiecutter.project_slug*/pyproject.toml) $(wildcard templates/*/*/dependencies*.txt)
FIND := for p in $(PYTHON) python3.12 python3.11 python3.10 python3 python \
	"$$HOME"/.pyenv/versions/3.1[012].*/bin/python; do \
	"$$p" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null \
	&& echo "$$p" && break; done

.PHONY: demo test test-all lint bench clean

demo: $(READY)
	rm -rf $(DEMO)
	$(BIN)/cookiecutter . --no-input --default-config --output-dir $(DEMO)
	cd $(DEMO)/mindspore-project && PYTHONPATH=src "$(abspath $(BIN))/python" -m mindspore_project train
	@echo "curves: $$(ls $(DEMO)/mindspore-project/runs/*/curves.png)"

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

test-all: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(READY)
	$(BIN)/ruff format --check *.py benchmarks hooks tests
	$(BIN)/ruff check *.py benchmarks hooks tests

$(READY): $(NEEDS)
	@python=$$($(FIND)); \
	if [ -z "$$python" ]; then \
		echo "MindSpore needs Python 3.10, 3.11 or 3.12, and none was found:" \
			"install one, or name it with make PYTHON=/path/to/python" >&2; \
		exit 1; \
	fi; \
	"$$python" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -r tests/requirements.txt
	$(BIN)/python -m tests.dependencies > $(VENV)/dependencies.txt
	$(BIN)/python -m pip install --quiet -r $(VENV)/dependencies.txt
	@touch $(READY)

bench: $(READY) $(VENV)-bench/.ready
	$(BIN)/python -m benchmarks.bench --other $(VENV)-bench/$(notdir $(BIN))/python

$(VENV)-bench/.ready: benchmarks/requirements.txt $(READY)
	$(BIN)/python -m venv $(VENV)-bench
	$(VENV)-bench/$(notdir $(BIN))/python -m pip install --quiet -r benchmarks/requirements.txt
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-bench $(DEMO) .pytest_cache .ruff_cache
