#!/bin/sh
# Installs library, headers and pkg-config file: `tools/install.sh PREFIX`, with DESTDIR in front of it for packages. With CUDA=1 in
# the environment the library proves on a GPU where there is one, and on the CPU elsewhere: nothing of CUDA need be installed there.
set -eu
cd "$(dirname "$0")/.."
prefix=${1:?usage: [DESTDIR=…] install.sh PREFIX}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
target=target
set --
if [ "${CUDA:-0}" = 1 ]; then
    # A folder of its own, so that builds with and without do not take turns.
    target=target/cuda
    set -- --features cuda --target-dir "$target"
    if [ -z "${CUDA_HOME:-}" ] && [ -x .cuda/bin/nvcc ]; then CUDA_HOME=$PWD/.cuda && export CUDA_HOME; fi
    if [ -n "${CUDA_HOME:-}" ]; then PATH=$CUDA_HOME/bin:$PATH && export PATH; fi
fi
cargo build --quiet --release -j"${JOBS:-2}" --lib "$@"

to=${DESTDIR:-}$prefix
mkdir -p "$to/lib/pkgconfig" "$to/include"
install -m 644 include/c2prover.h include/c2prover.hpp "$to/include/"
install -m 755 "$target/release/libc2prover.so" "$to/lib/libc2prover.so.$version"
# The run-time name is the SONAME; the plain name is for the linker.
ln -sf "libc2prover.so.$version" "$to/lib/libc2prover.so.0"
ln -sf libc2prover.so.0 "$to/lib/libc2prover.so"
tools/static-archive.sh "$target/release/libc2prover.a" "$to/lib/libc2prover.a"
private=
[ "${CUDA:-0}" = 1 ] && private=' -lstdc++'
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|^Libs.private:.*|&$private|" pkgconfig/c2prover.pc.in > "$to/lib/pkgconfig/c2prover.pc"
echo "c2prover $version installed in $to"
