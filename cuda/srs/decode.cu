// A thread a point.
#include "srs/decode.h"

#include "msm/launch.cuh"
#include "srs/encoding.cuh"

using namespace c2;

namespace {

template <class F>
__global__ void __launch_bounds__(128)
    decode(uint4* __restrict__ points, u64 n, u64 first_index, unsigned long long* __restrict__ first_bad) {
    constexpr int VECTORS = 6 * F::FP_COUNT;
    const u64 i = (u64)blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    uint4* at = points + i * VECTORS;
    u32 words[4 * VECTORS];
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        uint4 v = at[k];
        words[4 * k] = v.x, words[4 * k + 1] = v.y, words[4 * k + 2] = v.z, words[4 * k + 3] = v.w;
    }
    Affine<F> p;
    u32 reason = decode_point(words, p);
    if (reason) {
        atomicMin(first_bad, (unsigned long long)((first_index + i) << 2 | reason));
        return;
    }
    const u32* w = reinterpret_cast<const u32*>(&p);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) at[k] = make_uint4(w[4 * k], w[4 * k + 1], w[4 * k + 2], w[4 * k + 3]);
}

template <class F>
cudaError_t enqueue(void* points, u64 n, u64 first_index, unsigned long long* first_bad, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    decode<F><<<blocks_for(n, 128), 128, 0, stream>>>((uint4*)points, n, first_index, first_bad);
    C2_TRY_LAUNCH();
    return cudaSuccess;
}

}  // namespace

extern "C" cudaError_t c2_srs_decode_g1(void* points, uint64_t n, uint64_t first_index, unsigned long long* first_bad,
                                        cudaStream_t stream) {
    return enqueue<Fp>(points, n, first_index, first_bad, stream);
}
extern "C" cudaError_t c2_srs_decode_g2(void* points, uint64_t n, uint64_t first_index, unsigned long long* first_bad,
                                        cudaStream_t stream) {
    return enqueue<Fp2>(points, n, first_index, first_bad, stream);
}
