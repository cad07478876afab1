#!/bin/sh
# The committed header is the one that src/ffi makes; it and the C++ header compile without a warning.
set -eu
cd "$(dirname "$0")/.."
mkdir -p target/header
made=target/header/c2prover.h
tools/header.sh "$made"
if ! diff -u include/c2prover.h "$made"; then
    echo "include/c2prover.h differs from what src/ffi makes: run 'make header' and commit it" >&2
    exit 1
fi
if ! cmp include/c2prover.h go/c2prover.h; then
    echo "go/c2prover.h is the header's copy for Go programs: run 'make header' and commit it" >&2
    exit 1
fi
flags="-Iinclude -Wall -Wextra -Werror -pedantic -fsyntax-only"
echo '#include "c2prover.h"' | gcc -std=c11 $flags -x c -
echo '#include "c2prover.h"' | g++ -std=c++17 $flags -x c++ -
echo '#include "c2prover.hpp"' | g++ -std=c++17 $flags -x c++ -
echo "header: as src/ffi makes it; clean as C11 and C++17"
