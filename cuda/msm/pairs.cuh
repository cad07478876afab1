// The pairs of the batch-affine rounds. A list holds references sorted by bucket; a round adds neighbours, so a bucket of m
// entries gives floor(m/2) pairs and leaves ceil(m/2) entries: one node a pair, and an odd last entry as it is, never
// copied. Where bucket b begins in list r is a prefix sum of ceil(size / 2^r); so the nodes of every round have their
// numbers before there is one, and one pass over the first list writes the pairs of all rounds.
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

// Lanes that work through one stretch of the list, and its length. Few lanes: a bucket of 32 entries gives 16 pairs, then 8,
// 4, .. Stretches and not buckets, as one bucket may hold everything.
static constexpr u32 PAIR_LANES = 8, PAIR_STRETCH = 128;
static_assert(MAX_ROUNDS <= PAIR_LANES, "a lane knows where the bucket begins in one of the lists");

// Writes the pairs of all rounds, each at the number of the node it makes, and the list that the last round leaves. Pair k of
// a bucket in list r begins with the bucket's entry 2^(r + 1) k of the first list: the lanes whose stretch has that entry
// write the pair.
static __global__ void __launch_bounds__(256)
    make_pairs(const u32* __restrict__ keys, const u32* __restrict__ refs, const u32* __restrict__ lists, size_t stride,
               u32 buckets, const Round* __restrict__ rounds, u32 count, uint2* __restrict__ pairs,
               u32* __restrict__ left_keys, u32* __restrict__ left_refs) {
    const u32 thread = blockIdx.x * 256 + threadIdx.x, lane = thread % PAIR_LANES, entries = lists[buckets];
    const u32 team = ((1u << PAIR_LANES) - 1) << (threadIdx.x % 32 - lane);
    u32 i = thread / PAIR_LANES * PAIR_STRETCH;
    if (i >= entries) return;
    const u32 end = min(i + PAIR_STRETCH, entries), points = rounds[0].first_node;
    const u32 first_node = lane < count ? rounds[lane].first_node : 0;  // of round `lane`
#pragma unroll 1
    while (i < end) {
        const u32 key = keys[i], begin = lists[key], size = lists[key + 1] - begin;
        const u32 start = lane < count ? lists[(lane + 1) * stride + key] : 0;  // of the bucket in list `lane` + 1
        const u32 low = i - begin, high = min(end - begin, size);  // the stretch's part of the bucket
        // the bucket in list r: from `at` on, `length` entries; nodes from `node` on, but `last` as it is
        u32 node = 0, last = refs[begin + size - 1], at = begin, length = size;
#pragma unroll 1
        for (u32 r = 0; r < count; r++) {
            const u32 next = __shfl_sync(team, start, r, PAIR_LANES);
            // the buckets before leave an entry less for every pair
            const u32 made = __shfl_sync(team, first_node, r, PAIR_LANES) + (at - next), round_up = (2u << r) - 1;
            const u32 to = min((high + round_up) >> (r + 1), length / 2);
            for (u32 k = ((low + round_up) >> (r + 1)) + lane; k < to; k += PAIR_LANES) {
                uint2 pair = make_uint2(node + 2 * k, 2 * k + 2 == length ? last : node + 2 * k + 1);
                if (r == 0) pair = make_uint2(refs[begin + 2 * k], refs[begin + 2 * k + 1]);
                pairs[made - points + k] = pair;
            }
            if (length % 2 == 0) last = made + length / 2 - 1;
            length = (length + 1) / 2;
            node = made;
            at = next;
        }
        const u32 round_up = (1u << count) - 1;
        for (u32 k = ((low + round_up) >> count) + lane; k < (high + round_up) >> count; k += PAIR_LANES) {
            left_keys[at + k] = key;
            left_refs[at + k] = k + 1 == length ? last : node + k;
        }
        i = begin + high;
    }
}

}  // namespace c2
