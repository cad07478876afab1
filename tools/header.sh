#!/bin/sh
# Writes the C header that src/ffi makes: include/c2prover.h and its copy in go/, or the file given.
set -eu
cd "$(dirname "$0")/.."
cargo build --quiet --release -j"${JOBS:-2}" --locked --manifest-path tools/header/Cargo.toml --target-dir target/header
target/header/release/c2prover-header . "${1:-include/c2prover.h}"
[ -n "${1:-}" ] || cp include/c2prover.h go/c2prover.h
