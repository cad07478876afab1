#!/bin/sh
# Installs library, headers and pkg-config file: `tools/install.sh PREFIX`, with DESTDIR in front of it for packages.
set -eu
cd "$(dirname "$0")/.."
prefix=${1:?usage: [DESTDIR=…] install.sh PREFIX}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
cargo build --quiet --release -j"${JOBS:-2}" --lib

to=${DESTDIR:-}$prefix
mkdir -p "$to/lib/pkgconfig" "$to/include"
install -m 644 include/c2prover.h include/c2prover.hpp "$to/include/"
install -m 755 target/release/libc2prover.so "$to/lib/libc2prover.so.$version"
# The run-time name is the SONAME; the plain name is for the linker.
ln -sf "libc2prover.so.$version" "$to/lib/libc2prover.so.0"
ln -sf libc2prover.so.0 "$to/lib/libc2prover.so"
tools/static-archive.sh target/release/libc2prover.a "$to/lib/libc2prover.a"
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" pkgconfig/c2prover.pc.in > "$to/lib/pkgconfig/c2prover.pc"
echo "c2prover $version installed in $to"
