// The accumulator's steps; included only where a group's instance is made, since these kernels take long to compile.
#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "msm/accumulate.cuh"
#include "msm/accumulator.cuh"
#include "msm/affine_round.cuh"

namespace c2 {

template <class F>
cudaError_t Accumulator<F>::lay_out(Arena& arena, u64 entries_, u32 buckets_, Reduction reduction_, const MsmPolicy& policy_,
                                    u32 sms_) {
    entries = entries_;
    buckets = buckets_;
    reduction = reduction_;
    policy = &policy_;
    sms = sms_;
    for (int i = 0; i < 2; i++) {
        keys[i] = arena.take<u32>(entries);
        refs[i] = arena.take<u32>(entries);  // right behind the keys: the one list's two hold the pairs made from the other
    }
    list_stride = ((size_t)buckets + 1 + 63) / 64 * 64;
    lists = arena.take<u32>(list_stride * (reduction.rounds + 1));
    sums = arena.take<uint4>((u64)buckets * 4 * V);
    u64 scratch = 2 * chunks() * 4 * V;  // partial sums, once the rounds have left the prefixes
    if (reduction.rounds) {
        const u64 pairs_most = pairs_at_most(entries, 1), threads = most_threads(pairs_most);
        left_keys = arena.take<u32>(entries_after(entries, buckets, reduction.rounds));
        left_refs = arena.take<u32>(entries_after(entries, buckets, reduction.rounds));
        node_x = arena.take<uint4>(entries * V);
        node_y = arena.take<uint4>(entries * V);
        products = arena.take<uint4>(threads * V);
        product_prefixes = arena.take<uint4>(threads * V);
        scratch = std::max(scratch, pairs_most * V);
    }
    prefixes = partials = arena.take<uint4>(scratch);
    rounds = arena.take<Round>(MAX_ROUNDS);
    long_buckets = (LongBuckets*)arena.take<u32>(chunks() / MANY_PARTIALS + 2);
    size_t scan_bytes = 0, sort_bytes = 0;  // of the sort by a 32-bit count, as below: by a 64-bit one it takes longer
    C2_TRY(scan_list(nullptr, scan_bytes, nullptr, buckets, 1, nullptr, nullptr));
    cub::DoubleBuffer<u32> k(nullptr, nullptr), v(nullptr, nullptr);
    C2_TRY(cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, k, v, (u32)entries, 0, 32));
    temp_bytes = std::max(scan_bytes, sort_bytes);
    temp = arena.take<char>(temp_bytes);
    return cudaSuccess;
}

template <class F>
cudaError_t Accumulator<F>::sort(u64 count, u32 used_buckets, u32& in, const Phases& phases) {
    cub::DoubleBuffer<u32> k(keys[0], keys[1]), v(refs[0], refs[1]);
    C2_TRY(cub::DeviceRadixSort::SortPairs(temp, temp_bytes, k, v, (u32)count, 0, bits_for(used_buckets + 1ull),
                                             phases.stream));
    if (k.selector != v.selector) return cudaErrorUnknown;  // cub moves both or neither
    in = k.selector;
    C2_TRY(phases.end("sort"));
    find_starts<<<blocks_for(buckets + 1ull, 256), 256, 0, phases.stream>>>(keys[in], (u32)count, buckets, lists);
    return phases.end("starts");
}

template <class F>
cudaError_t Accumulator<F>::reduce(const Source<F>& source, u32 in, const Phases& phases) {
    const cudaStream_t stream = phases.stream;
    const u32 count = reduction.rounds;
    if (!count) {
        left_keys = keys[in];
        left_refs = refs[in];
        return cudaSuccess;
    }
    for (u32 r = 1; r <= count; r++)
        C2_TRY(scan_list(temp, temp_bytes, lists, buckets, r, lists + r * list_stride, stream));
    lay_out_rounds<<<1, 1, 0, stream>>>(lists, list_stride, buckets, count, source.points, policy->pairs_per_thread,
                                        sms * policy->full_threads_per_sm, rounds);
    C2_TRY(phases.end("lists"));
    uint2* pairs = (uint2*)keys[in ^ 1];
    make_pairs<<<blocks_for(entries, 256 / PAIR_LANES * PAIR_STRETCH), 256, 0, stream>>>(
        keys[in], refs[in], lists, list_stride, buckets, rounds, count, pairs, left_keys, left_refs);
    C2_TRY(phases.end("pairs"));
    for (u32 r = 0; r < count; r++) C2_TRY(add_round(source, pairs, pairs_at_most(entries, r + 1), rounds + r, phases));
    return cudaSuccess;
}

template <class F>
cudaError_t Accumulator<F>::add_round(const Source<F>& source, const uint2* pairs, u64 pairs_most, const Round* round,
                                      const Phases& phases) {
    constexpr int FORWARD_BLOCKS = F::FP_COUNT == 1 ? 6 : 3, BACKWARD_BLOCKS = F::FP_COUNT == 1 ? 4 : 2;
    constexpr size_t stage = 4 * Stage<F>::BYTES_PER_WARP;
    const cudaStream_t stream = phases.stream;
    C2_TRY(cudaFuncSetAttribute(forward_products<F, FORWARD_BLOCKS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)stage));
    const u64 threads = most_threads(pairs_most);
    const u32 blocks = blocks_for(threads, 128);
    forward_products<F, FORWARD_BLOCKS><<<blocks, 128, stage, stream>>>(source, pairs, round, prefixes, products);
    C2_TRY(phases.end("forward"));
    invert_products<F><<<blocks_for(threads / 8 + 1, 128), 128, 0, stream>>>(round, products, product_prefixes);
    C2_TRY(phases.end("invert"));
    backward_add<F, BACKWARD_BLOCKS><<<blocks, 128, 0, stream>>>(source, pairs, round, prefixes, products);
    return phases.end("backward");
}

template <class F>
cudaError_t Accumulator<F>::sum(const Source<F>& source, const Phases& phases) {
    const cudaStream_t stream = phases.stream;
    const u32* start = last_list();
    const u32 chunk = reduction.chunk;
    C2_TRY(cudaMemsetAsync(long_buckets, 0, sizeof(u32), stream));
    add_chunks<F><<<blocks_for(chunks(), 128), 128, 0, stream>>>(source, left_keys, left_refs, start, buckets, chunk, sums,
                                                                partials);
    C2_TRY(phases.end("chunks"));
    add_partials<F><<<blocks_for(buckets, 128), 128, 0, stream>>>(start, buckets, chunk, sums, partials, long_buckets);
    C2_TRY(phases.end("partials"));
    add_long_buckets<F><<<2 * sms, policy->sum_threads, policy->sum_threads * 64 * V, stream>>>(start, chunk, sums,
                                                                                                partials, long_buckets);
    return phases.end("long");
}

}  // namespace c2
