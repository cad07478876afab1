#!/usr/bin/env bash
# Lays out a CUDA 13.0 toolkit without a system package: the compiler, its libraries and the static runtime, as wheels
# into .cuda/ of the checkout (about 300 MB). Compiles anywhere; runs nothing without a GPU and its driver.
#   usage: tools/cuda-toolkit.sh [directory]     prints the lines that put it into the environment
# For sm_80 to sm_120. PyPI has no complete 12.x toolkit: with one of those, set CUDA_HOME to it instead.
set -euo pipefail

home=${1:-$(cd "$(dirname "$0")/.." && pwd)/.cuda}
packages=(
    nvidia-cuda-nvcc==13.0.88     # nvcc, cudafe++, ptxas, fatbinary
    nvidia-cuda-crt==13.0.88      # headers the compiler includes by itself
    nvidia-nvvm==13.0.88          # cicc
    nvidia-cuda-cccl==13.0.85     # CUB and libcu++
    nvidia-cuda-runtime==13.0.96  # cuda_runtime.h, libcudart_static.a
)

stamp="$home/.packages"
if [ "$(cat "$stamp" 2>/dev/null)" != "${packages[*]}" ]; then
    python3 -m venv "$home/venv"
    "$home/venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
    root=$("$home/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia/cu13
    for part in bin include lib nvvm; do ln -sfn "$root/$part" "$home/$part"; done
    ln -sfn "$root/lib" "$home/lib64"
    "$home/bin/nvcc" --version >/dev/null
    echo "${packages[*]}" >"$stamp"
fi

echo "export CUDA_HOME=$home"
echo "export PATH=$home/bin:\$PATH"
echo "export LIBRARY_PATH=$home/lib\${LIBRARY_PATH:+:\$LIBRARY_PATH}"
