#!/usr/bin/env bash
# The drop-in under Filecoin's own stack: filecoin-proofs-api with `cuda-supraseal`, and bellperson of both versions, prove through
# compat/supraseal-c2. `tests/dropin/run.sh` takes minutes from nothing; `tests/dropin/run.sh long` proves the large circuits
# as well. Proofs that others left in the folders of target/proofs are verified too; see src/bin/verify-proofs.rs.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
mode=${1:-default}
case $mode in default | long) ;; *) echo "usage: run.sh [long]" >&2; exit 2 ;; esac

# No CUDA needed: see the head of each file in no-cuda.
export CARGO_TARGET_DIR=$root/target/dropin
tests/dropin/no-cuda/build.sh "$CARGO_TARGET_DIR/no-cuda"
export PATH=$root/tests/dropin/no-cuda/bin:$PATH CUDA_LIBRARY_PATH=$CARGO_TARGET_DIR/no-cuda
export LD_LIBRARY_PATH=$CUDA_LIBRARY_PATH/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export C2PROVER_TEST_PARAMS=${C2PROVER_TEST_PARAMS:-$root/target/params}
mkdir -p "$C2PROVER_TEST_PARAMS"
unset C2PROVER_LOG RUST_LOG C2PROVER_TRACE C2PROVER_TIMING C2PROVER_SELF_VERIFY

output=$CARGO_TARGET_DIR/output
: > "$output"
cargo_test() { # MANIFEST ARGUMENTS...
    cargo test --release -j "${JOBS:-2}" --manifest-path "$@" 2>&1 | tee -a "$output"
}
cargo_test compat/supraseal-c2/Cargo.toml
cargo_test tests/dropin/Cargo.toml
if [ "$mode" = long ]; then
    # One after another: each fills the memory and the cores by itself.
    cargo_test tests/dropin/Cargo.toml --test long -- --ignored --nocapture --test-threads 1
fi

echo "== proofs of other provers"
verify=$CARGO_TARGET_DIR/release/verify-proofs
"$verify" tests/data
for folder in target/proofs/*/; do
    if compgen -G "$folder*.bin" > /dev/null; then
        echo "$folder"
        "$verify" "$folder"
    fi
done
if "$verify" tests/dropin/src > /dev/null 2>&1; then echo "a folder without proofs is accepted"; exit 1; fi

awk '/^test result:/ { passed += $4; failed += $6 } END { print "drop-in: " passed " passed, " failed " failed"; exit failed > 0 }' "$output"
