#!/usr/bin/env bash
# Builds and runs the host side of the kernels' arithmetic with g++ and its sanitizers: no CUDA, no GPU.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=target/gpu/host
mkdir -p "$out"
for source in tests/gpu/host_*.cpp; do
    name=$(basename "$source" .cpp)
    "${CXX:-g++}" -std=c++17 -O1 -g -Wall -Wextra -Werror -Wno-unknown-pragmas \
        -fsanitize=address,undefined -fno-sanitize-recover=all -Icuda -Itests/gpu "$source" -o "$out/$name"
    "$out/$name"
done
