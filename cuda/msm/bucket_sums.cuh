// From buckets to window sums: sum over k of (k + 1) B_k, for 2^m buckets of a window.
//
//   fold_segments   a thread folds S = 2^s neighbours: A = sum of B_j, V = sum of j B_j (j = 0 .. S-1), by running sums
//   select_sums     a block a sum: all V; all A; and for every bit q of the segment index the A of segments with it set
//
// The window is then sum V + sum A + sum over q of 2^(s+q) (A with bit q), which the host folds over all windows in one
// Horner pass (finish.h): doublings are a chain, and a chain is what a GPU is slow at.
#pragma once

#include "msm/accumulate.cuh"

namespace c2 {

// segments[2i] = A, segments[2i + 1] = V
template <class F>
__global__ void __launch_bounds__(128, F::FP_COUNT == 1 ? 2 : 1)
    fold_segments(const uint4* __restrict__ buckets, u32 count, u32 segment_bits, uint4* __restrict__ segments) {
    constexpr u32 V = 4 * F::VECTORS;
    u32 i = blockIdx.x * 128 + threadIdx.x;
    if (i >= count) return;
    const u32 size = 1u << segment_bits;
    const uint4* p = buckets + ((size_t)i << segment_bits) * V;
    Xyzz<F> run = load_xyzz<F>(p + (size_t)(size - 1) * V), total = run;
    if (size == 1) set_infinity(total);
    // for j = S-2 .. 0: run += B_j (odd steps), and but for j = 0 total += run (even steps); through one addition, so that
    // the loop stays in the instruction cache
#pragma unroll 1
    for (int step = 2 * (int)size - 3; step > 0; step--) {
        bool to_total = (step & 1) == 0;
        Xyzz<F> a = to_total ? total : run;
        add_in_place(a, to_total ? run : load_xyzz<F>(p + (size_t)(step / 2) * V));
        if (to_total)
            total = a;
        else
            run = a;
    }
    store_xyzz(segments + (size_t)(2 * i) * V, run);
    store_xyzz(segments + (size_t)(2 * i + 1) * V, total);
}

// Sums of one window: V, A, then one a bit of the segment index. Window of the block: blockIdx.y; sum: blockIdx.x.
template <class F>
__global__ void __launch_bounds__(128, 2)
    select_sums(const uint4* __restrict__ segments, u32 index_bits, uint4* __restrict__ sums) {
    constexpr u32 V = 4 * F::VECTORS;
    extern __shared__ uint4 shared[];
    u32 which = blockIdx.x, bit = which - 2;
    const uint4* p = segments + ((size_t)blockIdx.y << index_bits) * 2 * V;
    u32 count = 1u << (which < 2 ? index_bits : index_bits - 1);
    Xyzz<F> acc;
    set_infinity(acc);
#pragma unroll 1
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) {
        u32 segment = which < 2 ? i : ((i >> bit) << (bit + 1)) | (1u << bit) | (i & ((1u << bit) - 1));
        add_in_place(acc, load_xyzz<F>(p + (size_t)(2 * segment + (which == 0)) * V));
    }
    add_across_block(acc, shared);
    if (threadIdx.x == 0) store_xyzz(sums + ((size_t)blockIdx.y * gridDim.x + which) * V, acc);
}

inline constexpr u32 sums_per_window(u32 index_bits) { return 2 + index_bits; }

}  // namespace c2
