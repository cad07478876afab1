// What is left of every bucket, summed in XYZZ coordinates.
//
// The list is cut into chunks of equal length whatever the buckets are, so no spread of scalars makes one thread late.
// A bucket within one chunk is written at once; one that crosses chunks leaves a partial sum in each (slot 2t when the
// chunk's first entry belongs to it, else 2t + 1), and these are added bucket by bucket: by one thread when they are
// few, by a block when they are many.
#pragma once

#include "msm/source.cuh"

namespace c2 {

static constexpr u32 MANY_PARTIALS = 24;  // above this a block sums them

struct LongBuckets {
    u32 count;
    u32 bucket[1];  // as many as there are chunks / MANY_PARTIALS, at most
};

// The slots of bucket b: first (which of the two slots), last chunk; false when one chunk holds it all.
struct PartialRange {
    u32 first_slot, first_chunk, last_chunk;
};
__device__ __forceinline__ PartialRange partial_range(u32 start, u32 end, u32 chunk) {
    u32 t = start / chunk;
    return {start == t * chunk ? 2 * t : 2 * t + 1, t, (end - 1) / chunk};
}

template <class F>
__global__ void __launch_bounds__(128, F::FP_COUNT == 1 ? 3 : 2)
    add_chunks(const __grid_constant__ Source<F> source, const u32* __restrict__ keys, const u32* __restrict__ refs,
               const u32* __restrict__ start, u32 buckets, u32 chunk, uint4* __restrict__ sums,
               uint4* __restrict__ partials) {
    constexpr u32 V = 4 * F::VECTORS;
    const u32 entries = start[buckets];
    u32 t = blockIdx.x * 128 + threadIdx.x, begin = t * chunk;
    if (begin >= entries) return;
    u32 end = min(begin + chunk, entries), key = keys[begin], ref = refs[begin], run = begin;
    Xyzz<F> acc;
    set_affine(acc, negate_if((ref & SIGN) != 0, source.load(ref)));
    ref = begin + 1 < end ? refs[begin + 1] : 0;
#pragma unroll 1
    for (u32 i = begin + 1;; i++) {
        bool done = i == end;
        u32 k = done ? ~0u : keys[i];
        if (k != key) {
            bool whole = start[key] >= begin && start[key + 1] <= end;
            uint4* out = whole ? sums + (size_t)key * V : partials + (size_t)(2 * t + (run != begin)) * V;
            store_xyzz(out, acc);
            if (done) return;
        }
        Affine<F> p = negate_if((ref & SIGN) != 0, source.load(ref));
        if (i + 1 < end) ref = refs[i + 1];
        if (k != key) {
            set_affine(acc, p);
            key = k;
            run = i;
        } else {
            add_in_place(acc, p);
        }
    }
}

// Buckets of no entry become infinity, those of a few partials their sum; the others are noted.
template <class F>
__global__ void __launch_bounds__(128, 2)
    add_partials(const u32* __restrict__ start, u32 buckets, u32 chunk, uint4* __restrict__ sums,
                 const uint4* __restrict__ partials, LongBuckets* long_buckets) {
    constexpr u32 V = 4 * F::VECTORS;
    u32 b = blockIdx.x * 128 + threadIdx.x;
    if (b >= buckets) return;
    u32 s = start[b], e = start[b + 1];
    Xyzz<F> acc;
    if (s == e) {
        set_infinity(acc);
        store_xyzz(sums + (size_t)b * V, acc);
        return;
    }
    PartialRange range = partial_range(s, e, chunk);
    u32 more = range.last_chunk - range.first_chunk;
    if (more == 0) return;
    if (more >= MANY_PARTIALS) {
        long_buckets->bucket[atomicAdd(&long_buckets->count, 1u)] = b;
        return;
    }
    acc = load_xyzz<F>(partials + (size_t)range.first_slot * V);
#pragma unroll 1
    for (u32 c = range.first_chunk + 1; c <= range.last_chunk; c++)
        add_in_place(acc, load_xyzz<F>(partials + (size_t)(2 * c) * V));
    store_xyzz(sums + (size_t)b * V, acc);
}

// The sum of every thread's acc, in thread 0; `shared` has room for a block of points.
template <class F>
__device__ __forceinline__ void add_across_block(Xyzz<F>& acc, uint4* shared) {
    constexpr u32 V = 4 * F::VECTORS;
    store_xyzz(shared + threadIdx.x * V, acc);
    __syncthreads();
#pragma unroll 1
    for (u32 half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            add_in_place(acc, load_xyzz<F>(shared + (threadIdx.x + half) * V));
            store_xyzz(shared + threadIdx.x * V, acc);
        }
        __syncthreads();
    }
}

template <class F>
__global__ void __launch_bounds__(128, 2)
    add_long_buckets(const u32* __restrict__ start, u32 chunk, uint4* __restrict__ sums, const uint4* __restrict__ partials,
                     const LongBuckets* long_buckets) {
    constexpr u32 V = 4 * F::VECTORS;
    extern __shared__ uint4 shared[];
    for (u32 l = blockIdx.x; l < long_buckets->count; l += gridDim.x) {
        u32 b = long_buckets->bucket[l];
        PartialRange range = partial_range(start[b], start[b + 1], chunk);
        Xyzz<F> acc;
        set_infinity(acc);
        if (threadIdx.x == 0) acc = load_xyzz<F>(partials + (size_t)range.first_slot * V);
#pragma unroll 1
        for (u32 c = range.first_chunk + 1 + threadIdx.x; c <= range.last_chunk; c += blockDim.x)
            add_in_place(acc, load_xyzz<F>(partials + (size_t)(2 * c) * V));
        add_across_block(acc, shared);
        if (threadIdx.x == 0) store_xyzz(sums + (size_t)b * V, acc);
        __syncthreads();
    }
}

}  // namespace c2
