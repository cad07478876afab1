// Sums a sorted list of references bucket by bucket: batch-affine rounds while they pay, XYZZ for the rest. The MSM and
// the batch additions share it.
//
// How many pairs a round has stays on the device; launches are sized for the most there can be, and surplus blocks leave
// at once, so nothing waits for the host.
#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "msm/accumulate.cuh"
#include "msm/affine_round.cuh"
#include "msm/check.cuh"
#include "msm/plan.h"

namespace c2 {

template <class F>
struct Accumulator {
    u32 *keys[2], *refs[2];
    u32* lists;  // bucket starts of every list: rounds + 1 arrays, list_stride apart
    size_t list_stride;
    uint2* pairs;
    uint4 *node_x, *node_y, *prefixes, *products, *product_prefixes, *partials, *sums;
    Round* rounds;
    LongBuckets* long_buckets;
    void* temp;
    size_t temp_bytes;

    static constexpr u32 V = F::VECTORS;

    cudaError_t lay_out(Arena& arena, u64 entries, u32 buckets, u32 round_count, u32 chunk, const MsmPolicy& policy,
                        u32 sms, bool sorts) {
        for (int i = 0; i < 2; i++) {
            keys[i] = arena.take<u32>(entries);
            refs[i] = arena.take<u32>(entries);
        }
        list_stride = ((size_t)buckets + 1 + 63) / 64 * 64;
        lists = arena.take<u32>(list_stride * (round_count + 1));
        sums = arena.take<uint4>((u64)buckets * 4 * V);
        const u64 chunks = entries_after(entries, buckets, round_count) / chunk + 1;
        u64 scratch = 2 * chunks * 4 * V;  // partial sums, once the rounds have left the prefixes
        if (round_count) {
            const u64 pairs_most = pairs_at_most(entries, 1), threads = most_threads(pairs_most, policy, sms);
            pairs = arena.take<uint2>(pairs_most);
            node_x = arena.take<uint4>(entries * V);
            node_y = arena.take<uint4>(entries * V);
            products = arena.take<uint4>(threads * V);
            product_prefixes = arena.take<uint4>(threads * V);
            scratch = std::max(scratch, (pairs_most + 32 * policy.pairs_per_thread) * V);
        }
        prefixes = partials = arena.take<uint4>(scratch);
        rounds = arena.take<Round>(MAX_ROUNDS);
        long_buckets = (LongBuckets*)arena.take<u32>(chunks / MANY_PARTIALS + 2);
        size_t scan_bytes = 0, sort_bytes = 0;
        C2_TRY(scan_list(nullptr, scan_bytes, nullptr, buckets, 1, nullptr, nullptr));
        if (sorts) {
            cub::DoubleBuffer<u32> k(nullptr, nullptr), v(nullptr, nullptr);
            C2_TRY(cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, k, v, entries, 0, 32));
        }
        temp_bytes = std::max(scan_bytes, sort_bytes);
        temp = arena.take<char>(temp_bytes);
        return cudaSuccess;
    }

    static u64 most_threads(u64 pairs, const MsmPolicy& policy, u32 sms) {
        u64 full = (u64)sms * policy.full_threads_per_sm;
        return std::max(pairs / policy.pairs_per_thread, std::min(2 * full, pairs / 2)) + 64;
    }

    // keys[in] and refs[in] hold a list sorted by bucket, lists[0 ..] its bucket starts: sums every bucket.
    cudaError_t run(const uint4* table, u32 points, u64 entries, u32 buckets, u32 round_count, u32 chunk, u32 in,
                    const MsmPolicy& policy, u32 sms, const Phases& phases) {
        const cudaStream_t stream = phases.stream;
        Source<F> source = {table, node_x, node_y, points};
        if (round_count) {
            for (u32 r = 1; r <= round_count; r++)
                C2_TRY(scan_list(temp, temp_bytes, lists, buckets, r, lists + r * list_stride, stream));
            lay_out_rounds<<<1, 1, 0, stream>>>(lists, list_stride, buckets, round_count, points, policy.pairs_per_thread,
                                                sms * policy.full_threads_per_sm, rounds);
            C2_TRY(phases.end("lists"));
        }
        for (u32 r = 0; r < round_count; r++, in ^= 1) {
            u64 entries_most = entries_after(entries, buckets, r);
            make_pairs<<<blocks_for(entries_most, 256), 256, 0, stream>>>(
                keys[in], refs[in], lists + r * list_stride, lists + (r + 1) * list_stride, buckets, rounds + r, pairs,
                keys[in ^ 1], refs[in ^ 1]);
            C2_TRY(phases.end("pairs"));
            C2_TRY(add_round(source, pairs_at_most(entries, r + 1), rounds + r, policy, sms, phases));
        }
        const u32* start = lists + round_count * list_stride;
        u64 chunks = entries_after(entries, buckets, round_count) / chunk + 1;
        C2_TRY(cudaMemsetAsync(long_buckets, 0, sizeof(u32), stream));
        add_chunks<F><<<blocks_for(chunks, 128), 128, 0, stream>>>(source, keys[in], refs[in], start, buckets, chunk, sums,
                                                                  partials);
        C2_TRY(phases.end("chunks"));
        add_partials<F><<<blocks_for(buckets, 128), 128, 0, stream>>>(start, buckets, chunk, sums, partials, long_buckets);
        C2_TRY(phases.end("partials"));
        add_long_buckets<F><<<2 * sms, policy.sum_threads, policy.sum_threads * 64 * V, stream>>>(start, chunk, sums,
                                                                                                   partials, long_buckets);
        return phases.end("long");
    }

    cudaError_t add_round(const Source<F>& source, u64 pairs_most, const Round* round, const MsmPolicy& policy, u32 sms,
                          const Phases& phases) {
        const cudaStream_t stream = phases.stream;
        constexpr int FORWARD_BLOCKS = F::FP_COUNT == 1 ? 5 : 3, BACKWARD_BLOCKS = F::FP_COUNT == 1 ? 4 : 2;
        constexpr size_t stage = 4 * Stage<F>::BYTES_PER_WARP;
        C2_TRY(cudaFuncSetAttribute(forward_products<F, FORWARD_BLOCKS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)stage));
        u32 blocks = blocks_for(most_threads(pairs_most, policy, sms), 128);
        forward_products<F, FORWARD_BLOCKS><<<blocks, 128, stage, stream>>>(source, pairs, round, prefixes, products);
        C2_TRY(phases.end("forward"));
        u32 inversions = blocks_for(most_threads(pairs_most, policy, sms) / 8 + 1, 128);
        invert_products<F><<<inversions, 128, 0, stream>>>(round, products, product_prefixes);
        C2_TRY(phases.end("invert"));
        backward_add<F, BACKWARD_BLOCKS><<<blocks, 128, 0, stream>>>(source, pairs, round, prefixes, products);
        return phases.end("backward");
    }
};

}  // namespace c2
