# To be sourced, from the repository's root: puts nvcc and its libraries into the environment, from CUDA_HOME, from .cuda/ of
# the checkout (make cuda-toolkit) or from PATH as it is. Fails where there is none.
if [ -z "${CUDA_HOME:-}" ] && [ -x .cuda/bin/nvcc ]; then export CUDA_HOME=$PWD/.cuda; fi
if [ -n "${CUDA_HOME:-}" ]; then
    export PATH=$CUDA_HOME/bin:$PATH LIBRARY_PATH=$CUDA_HOME/lib${LIBRARY_PATH:+:$LIBRARY_PATH}
fi
command -v nvcc >/dev/null || { echo "no nvcc: run make cuda-toolkit, or set CUDA_HOME" >&2 && false; }
