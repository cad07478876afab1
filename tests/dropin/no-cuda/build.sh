#!/usr/bin/env bash
# NOT A DRIVER. `build.sh FOLDER` makes FOLDER/lib64/libcuda.so.1, which the tests of the drop-in link where there is no
# CUDA: each call of the driver that the crates bellperson brings refer to, answering 100, CUDA_ERROR_NO_DEVICE.
# Never to be shipped, nor to be found by a program that could have the true one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
library=$1/lib64/libcuda.so.1
if [ ! -e "$library" ] || [ "$here/driver-calls.txt" -nt "$library" ]; then
    mkdir -p "$1/lib64"
    sed 's/.*/int &(void) { return 100; }/' "$here/driver-calls.txt" > "$1/driver.c"
    cc -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$library" "$1/driver.c"
    ln -sf libcuda.so.1 "$1/lib64/libcuda.so"
fi
