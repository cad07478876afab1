#!/usr/bin/env bash
# Builds tests, benches and peers for a GPU machine without toolchains into target/gpu-bundle/, with run.sh beside them, and
# packs them as target/gpu-bundle.tgz: static cudart and libstdc++, one architecture. Needs nvcc (make cuda-toolkit) and, for
# the peers and the backend's tests, cargo.
#   usage: tools/gpu-bundle.sh [no-peer]       C2PROVER_CUDA_ARCH=90
set -euo pipefail
cd "$(dirname "$0")/.."
export C2PROVER_CUDA_ARCH=${C2PROVER_CUDA_ARCH:-90}
out=target/gpu-bundle
. tools/find-nvcc.sh

# The kernels are those of make check; all code is for this architecture, without PTX, and compressed: the bundle travels.
arch=$C2PROVER_CUDA_ARCH
build=target/gpu-bundle-build/sm_$arch
compile=(make -s --no-print-directory -j"${JOBS:-2}" ARCH="compute_$arch -code=sm_$arch" NVCC="nvcc --compress-mode=size")
make -s --no-print-directory -j"${JOBS:-2}" -f tools/kernels.mk ARCHS="$arch"
objects() { # of the folders of cuda/
    local folder source
    for folder; do
        for source in cuda/"$folder"/*.cu; do echo "target/kernels/$arch/$folder/$(basename "$source" .cu).o"; done
    done
}
"${compile[@]}" -f tests/gpu/ntt.mk out=$build/ntt objects="$(echo $(objects ntt quotient))"
"${compile[@]}" -f tests/gpu/msm.mk out=$build/msm objects="$(echo $(objects msm batch_add split srs) $build/msm/cases.o)"
rm -rf "$out"
mkdir -p "$out/bin"
for program in "$build"/{ntt,msm}/*_{test,bench}; do [ -x "$program" ] && cp "$program" "$out/bin/"; done

if [ "${1:-}" != no-peer ]; then
    # The CUDA backend's tests beside the CPU's, and the demo on real circuits with its inputs.
    export C2PROVER_CUDA_OBJECTS=$PWD/target/kernels/$arch
    rust=(--release --locked -j"${JOBS:-2}" --features cuda --target-dir target/cuda)
    cargo build "${rust[@]}" --example demo
    cp target/cuda/release/examples/demo "$out/bin/"
    cargo test "${rust[@]}" --test cuda --no-run --message-format=json | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin if line.startswith("{")]
print(next(line["executable"] for line in lines if line.get("executable") and line["target"]["name"] == "cuda"))' |
        xargs -I{} cp {} "$out/bin/backend_test"
    mkdir "$out/data"
    find tests/data -maxdepth 1 -type f -exec cp {} "$out/data/" \;

    manifest=benches/peer/Cargo.toml
    crate() { # the folder of a dependency
        cargo metadata --manifest-path $manifest --format-version 1 --locked | python3 -c '
import json, os, sys
print(next(os.path.dirname(p["manifest_path"]) for p in json.load(sys.stdin)["packages"] if p["name"] == sys.argv[1]))' "$1"
    }
    "${compile[@]}" -f benches/peer/kernels.mk BUILD=$build ours="$(echo $(objects ntt quotient msm) $build/msm/cases.o)" \
        SPPARK="$(crate sppark)/sppark" BLST="$(crate blst)/blst"
    cp $build/peer/compare "$out/bin/"
    home=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
    NVCC=$PWD/benches/peer/tools/nvcc CUDA_HOME=${CUDA_HOME:-$home} \
        CXXSTDLIB=static=stdc++ CARGO_TARGET_DIR=target/peer \
        RUSTFLAGS="-L native=${CUDA_HOME:-$home}/lib -L native=$(dirname "$(g++ -print-file-name=libstdc++.a)")" \
        cargo build --release --locked --manifest-path $manifest
    for program in target/peer/release/bench-*; do
        case $program in *.d) ;; *) cp "$program" "$out/bin/" ;; esac
    done
    cp benches/peer/join.py "$out/"
fi
cp tools/gpu-run.sh "$out/run.sh"
strip --strip-unneeded "$out"/bin/*
chmod +x "$out/run.sh"
tar -C target -czf "$out.tgz" gpu-bundle
size=$(du -sm "$out" | cut -f1)
echo "$out: $size MB, packed $(du -sm "$out.tgz" | cut -f1) MB"
[ "$size" -lt 60 ] || { echo "the bundle is larger than 60 MB" >&2 && exit 1; }
