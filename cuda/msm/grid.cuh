// Bucket sums by batch-affine additions, for large windows.
//
// Bucket k of a window lies in row k >> g and column k mod 2^g of a grid. The rows' sums R and the columns' sums C are
// plain sums of points, so the rounds make them at 5M + 1S an addition where running sums in XYZZ take 12M + 2S; and
// sum over k of (k + 1) B_k = 2^g sum of h R_h + sum of (l + 1) C_l is left over 2^g points each instead of 2^(2g).
#pragma once

#include "msm/source.cuh"

namespace c2 {

// What the rounds left of a batch's buckets (a bucket may have several entries: they only add) goes to the grid's table,
// as keys to two lists: set 2w holds the rows of window w, set 2w + 1 its columns, 2^g groups a set.
template <class F>
__global__ void __launch_bounds__(128)
    collect_buckets(const __grid_constant__ Source<F> source, const u32* __restrict__ keys, const u32* __restrict__ refs,
                    const u32* __restrict__ entries, u32 first_window, u32 bucket_bits, u32 grid_bits, u64 capacity,
                    const u32* __restrict__ collected, uint4* __restrict__ table, u32* __restrict__ grid_keys,
                    u32* __restrict__ grid_refs) {
    constexpr u32 V = F::VECTORS;
    u32 i = blockIdx.x * 128 + threadIdx.x;
    if (i >= *entries) return;
    u32 key = keys[i], ref = refs[i], to = *collected + i;
    u32 window = first_window + (key >> bucket_bits), bucket = key & ((1u << bucket_bits) - 1);
    Affine<F> p = negate_if((ref & SIGN) != 0, source.load(ref));
    store_field(table + (size_t)to * 2 * V, 1, p.x);
    store_field(table + (size_t)to * 2 * V + V, 1, p.y);
    grid_keys[to] = ((2 * window) << grid_bits) + (bucket >> grid_bits);
    grid_keys[capacity + to] = ((2 * window + 1) << grid_bits) + (bucket & ((1u << grid_bits) - 1));
    grid_refs[to] = grid_refs[capacity + to] = to;
}

static __global__ void advance_collected(const u32* entries, u32* collected) { *collected += *entries; }

}  // namespace c2
