// Binary searches, a thread each.
#include "split/cut.h"

#include "msm/launch.cuh"

using namespace c2;

static __global__ void cut(const u32* __restrict__ list, u32 n, u32 step, u32 count, u32* __restrict__ cuts) {
    u32 k = blockIdx.x * 128 + threadIdx.x;
    if (k >= count) return;
    u64 bound = (u64)k * step;
    u32 lo = 0, hi = n;  // entries below lo are smaller than the bound, those from hi on are not
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        if (list[mid] < bound)
            lo = mid + 1;
        else
            hi = mid;
    }
    cuts[k] = lo;
}

extern "C" cudaError_t c2_split_cut(const uint32_t* list, uint32_t n, uint32_t step, uint32_t count, uint32_t* cuts,
                                    cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    cut<<<blocks_for(count, 128), 128, 0, stream>>>(list, n, step, count, cuts);
    C2_TRY_LAUNCH();
    return cudaSuccess;
}
