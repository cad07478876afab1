// Products and differences by element.
#include "quotient/pointwise.h"

#include "msm/launch.cuh"
#include "ntt/memory.cuh"

using namespace c2;

namespace {

__global__ void __launch_bounds__(256) multiply(Fr* __restrict__ a, const Fr* __restrict__ b, u64 n) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    if (i < n) store(a + i, mul(load(a + i), load(b + i)));
}

__global__ void __launch_bounds__(256) subtract(Fr* __restrict__ a, const Fr* __restrict__ b, u64 n) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    if (i < n) store(a + i, sub(load(a + i), load(b + i)));
}

}  // namespace

extern "C" cudaError_t c2_fr_multiply(void* a, const void* b, uint64_t n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    multiply<<<blocks_for(n, 256), 256, 0, stream>>>((Fr*)a, (const Fr*)b, n);
    C2_TRY_LAUNCH();
    return cudaSuccess;
}

extern "C" cudaError_t c2_fr_subtract(void* a, const void* b, uint64_t n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    subtract<<<blocks_for(n, 256), 256, 0, stream>>>((Fr*)a, (const Fr*)b, n);
    C2_TRY_LAUNCH();
    return cudaSuccess;
}
