#!/bin/sh
# The shared library exports the functions of the header and nothing else.
set -eu
cd "$(dirname "$0")/.."
library=${1:-target/release/libc2prover.so}
[ -n "${1:-}" ] || cargo build --quiet --release -j"${JOBS:-2}" --lib
mkdir -p target/check
nm -D --defined-only "$library" | awk '{print $3}' | sort -u > target/check/exported
# Comments name functions too; code does so at the opening parenthesis.
sed 's|//.*||' include/c2prover.h | grep -o 'c2p_[a-z0-9_]*(' | tr -d '(' | sort -u > target/check/declared
if ! diff -u target/check/declared target/check/exported; then
    echo "the header (-) and the exported symbols (+) differ" >&2
    exit 1
fi
soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
if [ "$soname" != libc2prover.so.0 ]; then
    echo "the SONAME is '$soname', expected libc2prover.so.0" >&2
    exit 1
fi
echo "symbols: $(wc -l < target/check/exported) exported, as the header declares; SONAME $soname"
