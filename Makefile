# `make demo` and `make test` do all set-up themselves: Python 3.11+ and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
JOBS ?= 2

.PHONY: demo test thorough check docs site fuzz watch bench native clean

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m compileall -q cache_sim ease vpo
	@touch $@

# The same program on a real machine and on a proposed one, which adds an instruction, an addressing mode and registers.
demo: $(STAMP)
	$(BIN)/easecc -m riscv32 -show path-length,reference-causes,lines samples/matmult.c -- -i 40
	@echo
	sed -n '/^operands:/,$$p' machine_descriptions/proposed.yaml
	@echo
	$(BIN)/easecc -m proposed -show path-length,reference-causes,lines samples/matmult.c -- -i 40

test: $(STAMP) check
	$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal

# With every combination of machines, samples and levels, of which `make test` takes some: hours.
thorough: $(STAMP) check
	$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal -m "thorough or not thorough" $(TESTS)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The pages of docs/ as a site that is read from its files: build/site/index.html.
docs: $(STAMP)
	$(BIN)/python -m zensical build --strict

# The pages, what the gallery shows, and the page of `ease play` with Python in the browser: build/site, for any web server.
# Needs Node and npm.
PYODIDE := build/node/node_modules/pyodide
$(PYODIDE):
	npm install --silent --prefix build/node pyodide@314.0.7

site: docs $(PYODIDE)
	$(BIN)/python -m tests.docs.gallery build/site/gallery
	$(BIN)/ease play --static build/site/play --pyodide $(PYODIDE)

MUTANTS ?= 200
DAMAGED ?= 200
HOSTILE ?= 200
TRACED ?= 60
DELETIONS ?= 60
FUZZ ?= --turns --machines riscv32,m68020,sparc,riscv64,arm,vax,short16
PEOPLE_FUZZ ?= --turns --generator people --machines riscv32,m68020,sparc,riscv64,arm,vax,short16
YARPGEN_FUZZ ?= --turns --generator yarpgen --machines riscv32,riscv64
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz.mutants --count $(MUTANTS)
	$(BIN)/python -m tests.fuzz.damage --count $(DAMAGED)
	$(BIN)/python -m tests.fuzz.hostile --count $(HOSTILE)
	$(BIN)/python -m tests.fuzz.traced --count $(TRACED)
	$(BIN)/python -m tests.fuzz.deletions --count $(DELETIONS)
	$(BIN)/python -m tests.fuzz.run $(FUZZ)
	$(BIN)/python -m tests.fuzz.run $(PEOPLE_FUZZ)
	if command -v "$${YARPGEN:-yarpgen}" >/dev/null; then $(BIN)/python -m tests.fuzz.run $(YARPGEN_FUZZ); fi
	$(BIN)/python -m tests.libc.doubles
	$(BIN)/python -m tests.libc.accuracy

# Rounds of random programs on random machines for as long as it is told.
MINUTES ?= 60
watch: $(STAMP)
	$(BIN)/python -m tests.fuzz.watch --minutes $(MINUTES)

bench: $(STAMP)
	$(BIN)/python benchmarks/overhead.py
	$(BIN)/python benchmarks/compile.py

# The wheel with native modules (setup.py), in an environment of its own: build/native/bin/easecc.  .venv runs the sources.
NATIVE := build/native
WHERE := import sysconfig; print(sysconfig.get_path("purelib"))
native: $(STAMP)
	rm -rf build/wheel
	EASE_NATIVE=1 $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel .
	$(BIN)/python -m venv --clear --without-pip $(NATIVE)
	$(BIN)/python -m pip --python $(NATIVE)/bin/python install --quiet --no-deps --no-index build/wheel/*.whl
	@# what it depends on is that of .venv, and tests are those of this folder
	@printf '%s\n' "$$($(BIN)/python -c '$(WHERE)')" "$(CURDIR)" >"$$($(NATIVE)/bin/python -c '$(WHERE)')/dependencies.pth"

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
