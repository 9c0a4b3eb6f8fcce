# The few things one does with a clone. Everything real is in CMake (see CMakePresets.json) and scripts/.

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
TORTURE_SECONDS ?= 600
SOAK_SECONDS ?= 1800
TORTURE_FIRST ?= $(shell date +%s)
PREFIX ?= /usr/local
CACHE := $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
HERGLOTZ := build/release/bin/herglotz
# The compiler cache then gives one clone what another has compiled, wherever the two stand.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

.PHONY: help demo build test test-fast test-integrations sanitize tsan torture soak bench bench-peers wheel source-release docs notebooks format lint install clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1@/p' $(MAKEFILE_LIST) | column -t -s @

demo: ## from nothing to the report of a dissipative heavy top
	@scripts/bootstrap build
	@scripts/demo $(JOBS)

build: ## the release build, in build/release
	@scripts/bootstrap build
	@test -f build/release/CMakeCache.txt || cmake --preset release -DHERGLOTZ_BUILD_TESTS=OFF $(CACHE)
	@cmake --build build/release --target herglotz -j $(JOBS)

test: ## every test: C++, Python, web, the installed package, the oracle, sanitizers, fuzzers
	@scripts/bootstrap test
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/test $(JOBS)

test-integrations: ## runs in PyTorch, PyMC, NumPyro and CasADi: several gigabytes of packages; PYTORCH_INDEX=URL for a smaller PyTorch
	@scripts/bootstrap test
	@$(if $(PYTORCH_INDEX),PIP_EXTRA_INDEX_URL=$(PYTORCH_INDEX)) scripts/python_env integrations
	@build/python-integrations/bin/python -m pytest -q -W default tests/integrations

sanitize: ## the tests of the rooms that hold raw pointers, under the address and undefined-behaviour sanitizers
	@scripts/bootstrap test
	@scripts/sanitize sanitize $(JOBS) symbolic kernel geometry compile integrate simulate ensemble io

tsan: ## the tests of ensembles and families under the thread sanitizer
	@scripts/bootstrap test
	@scripts/sanitize tsan $(JOBS) ensemble families

test-fast: ## the C++ tests of single rooms without the slow ones: a minute once they are built
	@scripts/bootstrap test
	@scripts/test $(JOBS) fast

torture: build ## random models against an oracle in Python, TORTURE_SECONDS long, from model number TORTURE_FIRST
	@scripts/oracle --seconds $(TORTURE_SECONDS) --first $(TORTURE_FIRST)

soak: ## the studio used at random for SOAK_SECONDS, half an hour if none is given; its memory must not grow
	@scripts/bootstrap test
	@cmake --preset release -DHERGLOTZ_BUILD_TESTS=ON $(CACHE) > /dev/null
	@cmake --build build/release --target herglotz -j $(JOBS)
	@cd build/release/report-web && node test/studiosoak.test.mjs $(CURDIR)/$(HERGLOTZ) $(SOAK_SECONDS)

bench: ## the benchmarks; ONLY=name for some
	@scripts/bootstrap test
	@mkdir -p build && scripts/bench $(JOBS) $(ONLY)

bench-peers: build ## the benchmarks against other programs, forty minutes; PEERS=--quick for three
	@scripts/bootstrap test
	@mkdir -p build && scripts/bench_peers $(PEERS)

wheel: ## a Python wheel that runs without LLVM or a compiler, in build/dist
	@scripts/bootstrap wheel
	@scripts/wheel

source-release: ## an archive of the sources whose build needs no node, in build/dist
	@scripts/bootstrap build
	@mkdir -p build && scripts/source_release

docs: build ## check the documentation, and build its site in build/site
	@scripts/check_docs $(HERGLOTZ)
	@scripts/bootstrap test
	@scripts/python_env docs
	@build/python-docs/bin/mkdocs build -q
	@echo "The site is in build/site"

notebooks: ## the notebooks of the documentation for Jupyter, in build/notebooks
	@scripts/python_env test
	@mkdir -p build/notebooks
	@for page in docs/notebooks/*.py; do \
	  build/python-test/bin/jupytext --quiet --to ipynb --output build/notebooks/$$(basename $$page .py).ipynb $$page || exit 1; \
	done
	@echo "The notebooks are in build/notebooks"

format: ## clang-format every source in place
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-19 -i

lint: ## format, directions of includes, clang-tidy
	@scripts/bootstrap test
	@scripts/lint $(JOBS)

install: build ## install under PREFIX (default /usr/local)
	@cmake --build build/release -j $(JOBS)
	@cmake --install build/release --prefix $(PREFIX)

clean: ## remove everything that was built
	@rm -rf build
