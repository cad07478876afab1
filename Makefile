# The front door. `make demo` and `make test` set everything up by themselves.

CARGO ?= cargo
JOBS ?= 2
PROFILE = --release -j $(JOBS)
KIND ?= porep
CUDA ?= 0
PREFIX ?= /usr/local
PARAMS = $(CURDIR)/target/params
PROOFS = $(CURDIR)/target/proofs

.PHONY: help cuda-toolkit gpu-bundle demo test test-rust test-c test-go test-dropin test-long check kernels header bench install go-lib params

help:
	@echo "make demo [KIND=porep|winning-post|window-post|snap]   a real 2 KiB sector's inputs to a verified proof"
	@echo "make test        Rust, C, C++, Go, drop-in        make test-long   and the long ones"
	@echo "make check       format, lints, header, symbols, kernels"
	@echo "make bench       ours beside bellperson, here     make gpu-bundle  tests and benches for a GPU machine"
	@echo "make install PREFIX=/usr/local                    library, headers, pkg-config file"

demo:
	$(CARGO) build $(PROFILE) --example demo
	C2PROVER_PARAM_CACHE=$(PARAMS) target/release/examples/demo $(KIND)

# Parameters of the 2 KiB circuits, with a known trapdoor: about two minutes, once.
params:
	$(CARGO) build $(PROFILE) -p c2prover-test-setup
	target/release/c2prover-test-params porep winning-post window-post --dir $(PARAMS)

test: test-rust test-c test-go test-dropin
	@echo "make test: Rust, C, C++, Go and the drop-in passed; the counts are above"

test-rust: params
	C2PROVER_TEST_PARAMS=$(PARAMS) $(CARGO) test $(PROFILE) --workspace
# In a folder of its own: fault points must not get into the library that is shipped.
	$(CARGO) test $(PROFILE) --features fault-injection --test clock --target-dir target/faults

# The proofs that C and Go make are verified by filecoin-proofs in test-dropin.
test-c: params
	mkdir -p $(PROOFS)/c
	C2PROVER_TEST_PROOFS=$(PROOFS)/c C2PROVER_TEST_PARAMS=$(PARAMS) tests/abi/run.sh

test-go: params go-lib
	mkdir -p $(PROOFS)/go
	C2PROVER_TEST_PROOFS=$(PROOFS)/go C2PROVER_TEST_PARAMS=$(PARAMS) go/test.sh

# bellperson and filecoin-proofs, proving through the drop-in.
test-dropin: params
	tests/dropin/run.sh

# Every architecture that a build has; make check has two.
test-long: test
	JOBS=$(JOBS) tools/kernels.sh 80 86 89 90 100 120
	target/release/c2prover-test-params snap --dir $(PARAMS)
	C2PROVER_TEST_CIRCUITS=1000 $(CARGO) test $(PROFILE) --test random -- --nocapture
	C2PROVER_TEST_PROOFS=$(PROOFS)/c C2PROVER_TEST_PARAMS=$(PARAMS) tests/abi/run.sh
	C2PROVER_TEST_PROOFS=$(PROOFS)/go C2PROVER_TEST_PARAMS=$(PARAMS) go/test.sh
	tests/dropin/run.sh long

check:
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy $(PROFILE) --workspace --all-targets -- -D warnings
	$(CARGO) clippy $(PROFILE) --no-default-features --lib -- -D warnings
	tools/check-header.sh
	tools/check-symbols.sh
	$(MAKE) --no-print-directory kernels
# The Rust of the CUDA backend: its lints, and those of its tests that need no GPU. The others are in the bundle for one.
	. tools/find-nvcc.sh && export C2PROVER_CUDA_OBJECTS=$(CURDIR)/target/kernels/90 && \
	    $(CARGO) clippy $(PROFILE) --all-targets --features cuda -- -D warnings && \
	    $(CARGO) test $(PROFILE) --features cuda --lib cuda

# The kernels compile and spill no more than cuda/spills.txt allows; the host side of their arithmetic under sanitizers.
kernels:
	JOBS=$(JOBS) tools/kernels.sh 80 90
	tests/gpu/host.sh

header:
	tools/header.sh

# A CUDA compiler from wheels, into .cuda/: compiles the kernels anywhere, runs nothing without a GPU.
cuda-toolkit:
	tools/cuda-toolkit.sh

# Tests, benches and peers for a GPU machine without toolchains, into target/gpu-bundle/, with run.sh beside them.
gpu-bundle:
	tools/gpu-bundle.sh

go-lib:
	tools/go-lib.sh

bench: params
	$(CARGO) bench -j $(JOBS) --bench cpu
	$(CARGO) bench -j $(JOBS) --bench engine

install:
	CUDA=$(CUDA) tools/install.sh $(PREFIX)
