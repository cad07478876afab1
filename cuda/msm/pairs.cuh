// The lists of a batch-affine round. A list holds references sorted by bucket; a round adds neighbours, so a bucket of m
// entries gives floor(m/2) pairs and leaves ceil(m/2) entries: one node a pair, and an odd last entry as it is, never
// copied. Where bucket b begins in list r is a prefix sum of ceil(size / 2^r), so all rounds are laid out beforehand.
#pragma once

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "msm/pairs_model.h"
#include "msm/source.cuh"

namespace c2 {

struct Round {
    u32 pairs;
    u32 threads;     // of the forward and backward pass: a multiple of a warp; thread t takes pairs t, t + threads, ..
    u32 inversions;  // threads of the inversion pass
    u32 first_node;  // reference of the first node made
};

struct SizeAfterRounds {
    const u32* start;
    u32 buckets, round;
    __device__ u32 operator()(u32 b) const {
        return b < buckets ? (start[b + 1] - start[b] + (1u << round) - 1) >> round : 0;
    }
};
inline cudaError_t scan_list(void* temp, size_t& temp_bytes, const u32* start, u32 buckets, u32 round, u32* out,
                             cudaStream_t stream) {
    auto sizes = thrust::make_transform_iterator(thrust::counting_iterator<u32>(0), SizeAfterRounds{start, buckets, round});
    return cub::DeviceScan::ExclusiveSum(temp, temp_bytes, sizes, out, buckets + 1, stream);
}

// Pairs a thread takes: most_pairs, or fewer while the device would not be full.
inline __host__ __device__ u32 threads_for_pairs(u32 pairs, u32 most_pairs, u32 full) {
    u32 per = most_pairs;
    while (per > 2 && pairs / per < full) per /= 2;
    return ((pairs + per - 1) / per + 31) / 32 * 32;
}
// Thread products one inversion serves: more where there are many, since an inversion costs about 100 multiplications.
inline __host__ __device__ u32 inversions_for_threads(u32 threads) {
    u32 per = threads > (1u << 20) ? 32 : threads > (1u << 18) ? 16 : 8;
    return (threads + per - 1) / per;
}

// lists: rounds + 1 arrays of bucket starts, `stride` apart.
static __global__ void lay_out_rounds(const u32* lists, size_t stride, u32 buckets, u32 rounds, u32 points, u32 most_pairs,
                                      u32 full, Round* out) {
    u32 entries = lists[buckets], first = points;
    for (u32 r = 0; r < rounds; r++) {
        u32 next = lists[(r + 1) * stride + buckets], pairs = entries - next;
        u32 threads = threads_for_pairs(pairs, most_pairs, full);
        out[r] = {pairs, threads, inversions_for_threads(threads), first};
        first += pairs;
        entries = next;
    }
}

// Writes the pairs of list r, and list r + 1. A thread takes four entries: one wide load, and a bucket looked up once.
static __global__ void __launch_bounds__(256)
    make_pairs(const uint4* __restrict__ keys, const u32* __restrict__ refs, const u32* __restrict__ start,
               const u32* __restrict__ next_start, u32 buckets, const Round* __restrict__ round, uint2* __restrict__ pairs,
               u32* __restrict__ next_keys, u32* __restrict__ next_refs) {
    const u32 t = blockIdx.x * 256 + threadIdx.x, entries = start[buckets];
    if (4 * t >= entries) return;
    const u32 left = entries - 4 * t, first_node = round->first_node;
    u32 key[4], ref[4];
    if (left >= 4) {
        const uint4 k = keys[t], r = reinterpret_cast<const uint4*>(refs)[t];
        key[0] = k.x, key[1] = k.y, key[2] = k.z, key[3] = k.w;
        ref[0] = r.x, ref[1] = r.y, ref[2] = r.z, ref[3] = r.w;
    } else {  // what lies behind the list was never written
#pragma unroll
        for (u32 u = 0; u < 4; u++) {
            key[u] = u < left ? reinterpret_cast<const u32*>(keys)[4 * t + u] : 0;
            ref[u] = u < left ? refs[4 * t + u] : 0;
        }
    }
    u32 begin = 0, end = 0, next = 0;
#pragma unroll
    for (u32 u = 0; u < 4; u++) {
        const u32 i = 4 * t + u;
        if (i >= entries) break;
        if (u == 0 || key[u] != key[u - 1]) {
            begin = start[key[u]];
            end = start[key[u] + 1];
            next = next_start[key[u]];
        }
        const u32 j = i - begin, out = next + j / 2;
        if (j & 1) continue;
        next_keys[out] = key[u];
        if (i + 1 < end) {
            // the pairs before this bucket: entries that list r has more than list r + 1
            const u32 pair = begin - next + j / 2;
            pairs[pair] = make_uint2(ref[u], u < 3 ? ref[(u + 1) % 4] : refs[i + 1]);
            next_refs[out] = first_node + pair;
        } else {
            next_refs[out] = ref[u];
        }
    }
}

}  // namespace c2
