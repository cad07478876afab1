// Transforms of up to 2^10 elements: one block, radix 2 in shared memory. For tests and tiny circuits; not tuned.
#include "check.cuh"
#include "ntt/butterfly.cuh"
#include "ntt/enqueue.h"
#include "ntt/memory.cuh"

namespace c2 {

static __global__ void __launch_bounds__(512) ntt_small(NttCall call, int lg, const Fr* roots, const Fr* pre,
                                                        const Fr* post) {
    extern __shared__ Fr values[];
    const u32 n = 1u << lg;
    for (u32 i = threadIdx.x; i < n; i += blockDim.x) {
        Fr x = load(call.src + i);
        if (pre) x = mul(load(pre + i), x);
        if (call.times) x = mul(load(call.times + i), x);
        store(values + (__brev(i) >> (32 - lg)), x);
    }
    for (int level = 0; level < lg; level++) {
        __syncthreads();
        const u32 half = 1u << level;
        for (u32 i = threadIdx.x; i < n / 2; i += blockDim.x) {
            u32 k = i & (half - 1), low = ((i - k) << 1) | k;
            Fr a = load(values + low), b = mul(load(roots + ((size_t)k << (lg - 1 - level))), load(values + low + half));
            butterfly(a, b);
            store(values + low, a);
            store(values + low + half, b);
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < n; i += blockDim.x) {
        Fr x = mul(load(post + i), load(values + i));
        if (call.minus) x = sub(x, load(call.minus + i));
        store(call.dst + i, x);
    }
}

cudaError_t launch_small(const NttCall& call, const Fr* roots, const Fr* pre, const Fr* post, cudaStream_t stream) {
    int lg = (int)call.domain->lg, threads = lg <= 1 ? 1 : 1 << (lg - 1);
    ntt_small<<<1, threads < 512 ? threads : 512, sizeof(Fr) << lg, stream>>>(call, lg, roots, pre, post);
    C2_TRY_LAUNCH();
    return cudaSuccess;
}

}  // namespace c2
