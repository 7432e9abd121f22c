# `make run` and `make test` bring a fresh Debian or Ubuntu machine all the way; `make help` lists the rest.
# What the machine needs is decided in scripts/prepare; this file only orders the steps and does none of them twice.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Two steps at once would ask apt or cargo for the same lock.
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules

# Fixed, so that the binaries are found whatever the machine's cargo configuration says.
export CARGO_TARGET_DIR ?= $(CURDIR)/target
export PATH := $(CURDIR)/.tools/bin:$(PATH):$(HOME)/.cargo/bin

BINARIES := $(abspath $(CARGO_TARGET_DIR))/debug
# What is built here reaches only this machine unless GALLEY_LIVE is 1: a person's run opens it, no test does.
WINDOW := --features galley-desktop/custom-protocol
# One choice of packages and features for running and testing: another one would compile the dependencies again.
WHOLE := --workspace --locked $(WINDOW)
PAGE_SOURCES := $(shell find ui -type f -not -path '*/node_modules/*' -not -path 'ui/dist/*' 2>/dev/null)
# Most tests wait for a program or a server more than they count: two on each processor.
TEST_RUST := $(shell PATH="$(PATH)" cargo nextest --version >/dev/null 2>&1 && \
	echo nextest run --test-threads $$(( 2 * $$(nproc) )) || echo test --lib --bins --tests)
# The packages of this folder are compiled by clippy's driver: its lints then cost no second build. A warning is an error.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__
# The sandbox of Chromium needs user namespaces, for users that are not root; without them its tests are left out, aloud.
AS_USER := $(if $(filter 0,$(shell id -u)),runuser -u nobody --)
WITHOUT_BROWSER := $(shell $(AS_USER) unshare --user --pid --net --fork true 2>/dev/null || echo GALLEY_WITHOUT_BROWSER=1)
SAMPLE := run ai-news --input user_topic="retrieval-augmented generation" \
	--source library --as-of 2026-07-01 --profile built-in

.PHONY: help run run-window run-terminal test test-rust test-ui test-e2e test-bridge test-window lint release \
	package forget-profile bench clean ready-build ready-window ready-page ready-tests ready-release ready-packager

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)$$/\1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r target purpose; do printf '  make %-14s %s\n' "$$target" "$$purpose"; done

run: $(if $(DISPLAY)$(WAYLAND_DISPLAY),run-window,run-terminal) ## open the window, or without a display run AI News here

run-window: ready-build ready-window ui/dist/index.html
	@cargo build $(WHOLE) --bin galley --bin galley-desktop
	@GALLEY_LIVE=1 $(BINARIES)/galley-desktop

run-terminal: ready-build
	@cargo build $(WHOLE) --bin galley
	@GALLEY_LIVE=1 $(BINARIES)/galley $(SAMPLE)
	@printf '\nThere is no display here, so AI News ran in the terminal. For the window: open a desktop session and\n' >&2
	@printf '`make run`, or `sudo apt-get install xvfb xauth` and `xvfb-run make run`.\n' >&2

test: test-ui test-rust test-e2e ## everything that must pass before a change lands

test-ui: ready-page ui/node_modules/.stamp ## format, lints, types, unit tests and the build of the page
	cd ui && npm run format:check
	cd ui && npm run lint
	cd ui && npm run check
	cd ui && npm test
	@$(MAKE) --no-print-directory ui/dist/index.html

test-rust: ready-build ready-window ready-tests ui/dist/index.html ## format, lints and all tests in Rust
	cargo fmt --all -- --check
	$(LINTED) cargo build $(WHOLE) --bins --tests
	@$(if $(WITHOUT_BROWSER),printf 'No user namespaces here: tests of the browser are left out.\n' >&2)
	$(WITHOUT_BROWSER) $(LINTED) cargo $(TEST_RUST) $(WHOLE)

test-e2e: test-bridge test-window ## the page in a headless browser, and the real window

test-bridge: ready-tests ready-build ready-window ui/dist/index.html tests/e2e/node_modules/.stamp
	$(LINTED) cargo build $(WHOLE) --bins --tests
	cd tests/e2e && GALLEY_BINARIES=$(BINARIES) npm run bridge

test-window: ready-tests ready-build ready-window ui/dist/index.html tests/e2e/node_modules/.stamp
	$(LINTED) cargo build $(WHOLE) --bins --tests
	cd tests/e2e && GALLEY_BINARIES=$(BINARIES) npm run window

lint: ready-build ready-window ui/dist/index.html ## format and clippy over everything, benchmarks too
	cargo fmt --all -- --check
	cargo clippy $(WHOLE) --all-targets -- -D warnings

release: ready-build ready-window ready-release ui/dist/index.html ## the programs as they are shipped, into target/shipped; takes most of an hour
	scripts/release

package: release ready-packager ## deb, rpm and AppImage of the release, into target/packages
	scripts/package
	scripts/package-appimage

forget-profile: ## the next release is profiled anew
	rm -f "$(CARGO_TARGET_DIR)"/runs-*.profdata

bench: ready-tests tests/e2e/node_modules/.stamp release ## criterion, the shipped program, the page
	GALLEY_OFFLINE=1 cargo bench --locked --workspace --exclude galley-desktop --benches
	GALLEY_OFFLINE=1 "$(CARGO_TARGET_DIR)"/shipped/bench
	cd tests/e2e && GALLEY_OFFLINE=1 GALLEY_BINARIES="$$(realpath "$(CARGO_TARGET_DIR)/shipped")" npm run speed

clean: ## remove everything that was built or installed into this folder
	cargo clean
	rm -rf .tools ui/dist ui/node_modules tests/e2e/node_modules tests/e2e/out

ready-build:
	@scripts/prepare build

ready-window:
	@scripts/prepare window

ready-page:
	@scripts/prepare page

ready-tests:
	@scripts/prepare page tests

ready-release: ready-build
	@scripts/prepare release

ready-packager: ready-page
	@scripts/prepare package

# The stamp is newer than the lock file exactly when what is installed is what the lock file says.
%/node_modules/.stamp: %/package-lock.json | ready-page
	cd $* && npm ci --no-audit --no-fund --no-update-notifier
	@touch $@

ui/dist/index.html: ui/node_modules/.stamp $(PAGE_SOURCES) | ready-page
	cd ui && npm run build
	@touch $@
