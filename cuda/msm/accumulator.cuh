// Sums a sorted list of references bucket by bucket, in two parts: batch-affine rounds while they pay (reduce), XYZZ for
// the rest (sum). The MSM, its grid and the batch additions share it.
//
// How many pairs a round has stays on the device; launches are sized for the most there can be, and surplus blocks leave
// at once, so nothing waits for the host.
#pragma once

#include "msm/launch.cuh"
#include "msm/pairs.cuh"
#include "msm/plan.h"

namespace c2 {

struct LongBuckets;

template <class F>
struct Accumulator {
    u32 *keys[2], *refs[2];
    u32 *left_keys, *left_refs;  // the list that the rounds leave
    u32* lists;  // bucket starts of every list: rounds + 1 arrays, list_stride apart
    size_t list_stride;
    uint4 *node_x, *node_y, *prefixes, *products, *product_prefixes, *partials, *sums;
    Round* rounds;
    LongBuckets* long_buckets;
    void* temp;
    size_t temp_bytes;

    static constexpr u32 V = F::VECTORS;

    u64 entries;  // at most
    u32 buckets;
    Reduction reduction;
    const MsmPolicy* policy;
    u32 sms;

    // Takes its buffers; the same calls over an empty arena give their size.
    cudaError_t lay_out(Arena& arena, u64 entries, u32 buckets, Reduction reduction, const MsmPolicy& policy, u32 sms);

    // Sorts keys[0], refs[0] (count entries; keys from used_buckets on mean none) and finds each bucket's start; in: which
    // of the two buffers holds the list then.
    cudaError_t sort(u64 count, u32 used_buckets, u32& in, const Phases& phases);

    // The rounds, from the list in keys[in], refs[in] and lists[0 ..] to the one they leave.
    cudaError_t reduce(const Source<F>& source, u32 in, const Phases& phases);

    // What the rounds left, in XYZZ: every bucket's sum to `sums`, infinity where it has no entry.
    cudaError_t sum(const Source<F>& source, const Phases& phases);

    // The buckets' starts in the list that the rounds leave; the entry behind the last is its length.
    const u32* last_list() const { return lists + reduction.rounds * list_stride; }

  private:
    cudaError_t add_round(const Source<F>& source, const uint2* pairs, u64 pairs_most, const Round* round,
                          const Phases& phases);
    // Threads of a round's passes, and chunks of the rest, at most.
    u64 most_threads(u64 pairs_most) const {
        u64 full = (u64)sms * policy->full_threads_per_sm;
        return std::max(pairs_most / policy->pairs_per_thread, std::min(2 * full, pairs_most / 2)) + 64;
    }
    u64 chunks() const { return entries_after(entries, buckets, reduction.rounds) / reduction.chunk + 1; }
};

}  // namespace c2
