# make demo       score the bundled treebank, and write a page that shows why it has that score
# make demo-speech  align spoken sentences with their trees, and score what a recogniser and a parser made of them
# make test       all checks and tests that belong to every change (a few minutes)
# make test-long  all tests, differential runs, schedules of faults, other compilers, and sanitizers, in parts of at
#                 most an hour (PARTS=all); continues where it was interrupted, and ends with a summary
# make fuzz       run the fuzzers of the native code, each for MINUTES (1)
# make fuzz-corpus  keep the inputs of the fuzzers that lead to new code in native/fuzz/corpus
# make test-company  the adapters to torchmetrics, Hugging Face, spaCy, stanza, supar, benepar and TRL, and the loggers
#                 wandb, mlflow and TensorBoard, and the recipes for Spark, SLURM and Kubernetes, with the real packages
# make bench      the measurements behind the figures in the README
# make wheel      build a wheel into dist/
# make share      write completion scripts and manual pages anew, after a change of options
# make docs       build the documentation site into build/site
# make sbom       write what treescore depends on, and what is inside it, to dist/ (CycloneDX)
# make reproducible  build sdist and wheel twice into dist/, and compare the bytes
# make release-check  all of that, and whether PyPI would take it
# make help       print these lines
#
# Everything happens in a virtual environment of its own, .venv (test-company: .venv-company). Nothing else on the
# machine is touched, but for two programs, which are installed by apt-get if they are missing and that needs no password:
# chromium by make test and make test-long, Java by make test-company. make test-long mounts small file systems if it may.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := src/treescore/data/demo
SPEECH := src/treescore/data/demo_speech
MINUTES ?= 1
# On Linux this may bring along CUDA, which is several GB and not needed: TORCH can be the path of a wheel without it.
TORCH ?= torch==2.13.0
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPANY := $(VENV)-company/bin/python -m pip install --quiet --disable-pip-version-check
NATIVE := CMakeLists.txt pyproject.toml src/treescore/_version.py $(wildcard native/*.*)

.PHONY: demo demo-speech test test-long fuzz fuzz-corpus test-company check format bench wheel share docs sbom reproducible release-check help clean

.DEFAULT_GOAL := demo

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

demo: $(VENV)/.installed
	@echo "== treescore demo: 40 sentences of five genres, parsed with typical errors"
	@$(BIN)/treescore demo --by label
	@mkdir -p build
	@$(BIN)/treescore report $(DEMO).gold.mrg $(DEMO).test.mrg -o build/demo.html
	@echo "== to see why: open build/demo.html in a browser"

demo-speech: $(VENV)/.speech
	@echo "== when was each word said? six sentences of a synthetic voice, aligned with their gold trees"
	@mkdir -p build
	@$(BIN)/treescore align audio $(SPEECH)/audio $(SPEECH)/gold.trees -o build/demo_speech.jsonl
	@head -n 1 build/demo_speech.jsonl
	@echo "== parses of what a recogniser heard, against gold, over seconds"
	@$(BIN)/treescore $(SPEECH)/gold.trees $(SPEECH)/parsed.trees \
	    --gold-times build/demo_speech.jsonl --test-times $(SPEECH)/asr.ctm \
	    -m "struct_iou|cut:-=" -m sparseval -m boundaries
	@$(BIN)/treescore report $(SPEECH)/gold.trees $(SPEECH)/parsed.trees \
	    --gold-times build/demo_speech.jsonl --test-times $(SPEECH)/asr.ctm --audio $(SPEECH)/audio \
	    -m "struct_iou|cut:-=" -o build/demo_speech.html
	@echo "== to see why, and to hear it: open build/demo_speech.html in a browser"

test: check $(VENV)/.browser
	@echo "== tests"
	scripts/run-tests $(BIN)/python

check: $(VENV)/.tools
	@echo "== ruff, mypy, import-linter, clang-format"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/clang-format --dry-run --Werror native/*.cpp native/*.hpp native/fuzz/*.cpp native/fuzz/*.hpp

format: $(VENV)/.tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i native/*.cpp native/*.hpp native/fuzz/*.cpp native/fuzz/*.hpp

test-long: $(VENV)/.tools $(VENV)/.browser
	$(BIN)/python scripts/test_long.py $(PARTS)

fuzz: $(VENV)/.installed
	scripts/fuzz $(BIN)/python $(MINUTES)

fuzz-corpus: $(VENV)/.installed
	$(BIN)/python scripts/fuzz_corpus.py pack build/fuzz $(shell $(MAKE) -s -C native/fuzz list)

test-company: $(VENV)-company/.installed
	@scripts/find-program default-jre-headless Spark java || true
	@echo "== adapters, with the packages that they are for"
	$(VENV)-company/bin/python -m pytest tests/integrations tests/entry_points tests/test_docstrings.py \
	    tests/test_foreign_trees.py

bench: $(VENV)/.plain
	$(VENV)-plain/bin/python bench/evalb_process.py
	$(VENV)-plain/bin/python bench/read_and_score.py
	$(VENV)-plain/bin/python bench/profiles.py
	$(VENV)-plain/bin/python bench/one_pair.py
	$(VENV)-plain/bin/python bench/discontinuous.py
	$(VENV)-plain/bin/python bench/streams.py
	$(VENV)-plain/bin/python bench/columns.py
	$(VENV)-plain/bin/python bench/cluster.py
	$(VENV)-plain/bin/python bench/struct_iou.py
	$(VENV)-plain/bin/python bench/report_page.py
	$(VENV)-plain/bin/python bench/leaf_ancestor.py
	$(VENV)-plain/bin/python bench/error_classes.py
	$(VENV)-plain/bin/python bench/sparseval.py
	$(VENV)-plain/bin/python bench/aligned_parseval.py
	$(VENV)-plain/bin/python bench/pairwise.py
	$(VENV)-plain/bin/python bench/rewards.py
	$(VENV)-plain/bin/python bench/mbr.py
	$(VENV)-plain/bin/python bench/intervals.py
	$(VENV)-plain/bin/python bench/service.py
	$(VENV)-plain/bin/python bench/memory.py
	$(VENV)-plain/bin/python bench/vs_pyevalb.py
	$(VENV)-plain/bin/python bench/vs_tree_edit.py
	$(VENV)-plain/bin/python bench/tedeval.py
	$(VENV)-plain/bin/python bench/conllu_eval.py
	$(VENV)-plain/bin/python bench/align_words.py
	$(VENV)-plain/bin/python bench/speech.py
	$(VENV)-plain/bin/python bench/word_times.py

wheel: $(VENV)/.tools
	$(BIN)/python -m build --wheel --outdir dist .

share: $(VENV)/.installed
	$(BIN)/python scripts/make_share.py

docs: $(VENV)-docs/.installed
	$(VENV)-docs/bin/python -m sphinx --fail-on-warning --keep-going --quiet --fresh-env -b html \
	    -c docs -d build/site-doctrees . build/site
	@echo "== open build/site/index.html in a browser"

sbom: $(VENV)-release/.installed
	$(VENV)-release/bin/python scripts/make_sbom.py dist

reproducible: $(VENV)-release/.installed
	scripts/reproducible $(VENV)-release/bin/python dist

release-check: docs
	$(MAKE) reproducible
	$(MAKE) sbom
	scripts/check-wheel $(PYTHON) dist
	$(VENV)-release/bin/python -m twine check --strict dist/*.whl dist/*.tar.gz

clean:
	rm -rf $(VENV) $(VENV)-plain $(VENV)-company $(VENV)-docs $(VENV)-release build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@echo "== making a virtual environment in $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "treescore needs Python 3.10 or newer"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "could not make it; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }

$(VENV)/.installed: $(BIN)/python $(NATIVE)
	@echo "== building and installing treescore (a minute the first time)"
	@$(INSTALL) --editable .
	@touch $@

# At once with the package, which would be built twice otherwise.
$(VENV)/.tools: $(BIN)/python $(NATIVE)
	@echo "== building and installing treescore and the tools for checks and tests (a few minutes the first time)"
	@$(INSTALL) --only-binary pocketsphinx,soundfile,soxr --editable '.[dev,speech]' || { echo "!!"; \
	    echo "!! PocketSphinx cannot be installed here (no wheel?): forced alignment will NOT be tested"; \
	    echo "!!"; $(INSTALL) --editable '.[dev]'; }
	@touch $(VENV)/.installed $@

# The report page is tested in chromium, through playwright. Nothing fails where they cannot be had, and the next run
# tries again.
$(VENV)/.browser: $(VENV)/.tools
	@$(INSTALL) --only-binary :all: 'playwright>=1.40' 'axe-playwright-python>=0.1.4' >/dev/null 2>&1 || { echo "!!"; \
	    echo "!! playwright and axe-core cannot be installed here: the report page will NOT be tested in a browser"; echo "!!"; exit 0; }; \
	if scripts/find-program chromium "the report page in a browser" chromium chromium-browser google-chrome \
	    google-chrome-stable; then touch $@; fi

# The same.
$(VENV)/.speech: $(BIN)/python $(NATIVE)
	@echo "== building and installing treescore, PocketSphinx and what reads audio (a minute the first time)"
	@$(INSTALL) --only-binary pocketsphinx,soundfile,soxr --editable '.[speech]' || { echo "!!"; \
	    echo "!! PocketSphinx cannot be installed here (no wheel, or no network?): there is no demo of speech without it"; \
	    echo "!!"; exit 1; }
	@touch $(VENV)/.installed $@

# torch first, or another package would choose it.
$(VENV)-company/.installed: $(NATIVE) tests/integrations/requirements.txt
	@echo "== installing torch, spaCy and others, and building treescore (many minutes the first time, 2 GB)"
	@$(PYTHON) -m venv $(VENV)-company
	@$(COMPANY) $(TORCH)
	@$(COMPANY) --requirement tests/integrations/requirements.txt --editable '.[test]'
	@touch $@

# Measurements need the package as users have it, not the editable one.
$(VENV)/.plain: $(BIN)/python $(NATIVE) $(shell find src -name '*.py')
	@$(PYTHON) -m venv $(VENV)-plain
	@$(VENV)-plain/bin/python -m pip install --quiet --disable-pip-version-check '.[cluster]' nltk
	@touch $@

# The reference is made from the package itself.
$(VENV)-docs/.installed: $(NATIVE)
	@echo "== building and installing treescore and Sphinx into $(VENV)-docs (a minute the first time)"
	@$(PYTHON) -m venv $(VENV)-docs
	@$(VENV)-docs/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

# treescore itself is not needed here: its wheel is looked at from outside.
$(VENV)-release/.installed: scripts/release.txt
	@$(PYTHON) -m venv $(VENV)-release
	@$(VENV)-release/bin/python -m pip install --quiet --disable-pip-version-check --requirement scripts/release.txt
	@touch $@
