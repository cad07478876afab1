#!/bin/sh
# Puts both libraries where the Go package looks for them by default: go/lib.
set -eu
cd "$(dirname "$0")/.."
cargo build --quiet --release -j"${JOBS:-2}" --lib
mkdir -p go/lib
tools/static-archive.sh target/release/libc2prover.a go/lib/libc2prover.a
cp target/release/libc2prover.so go/lib/libc2prover.so.0
ln -sf libc2prover.so.0 go/lib/libc2prover.so
