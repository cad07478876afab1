// How an MSM is computed: windows, batches, rounds, bucket sums, by a cost model over the policy's numbers. Plain host
// arithmetic, the same on any machine.
#pragma once

#include <algorithm>
#include <cmath>

#include "msm/pairs_model.h"
#include "msm/policy.h"
#include "msm/windows.h"

namespace c2 {

// A sum of lists by buckets: batch-affine rounds, then XYZZ over chunks.
struct Reduction {
    u32 rounds, chunk;
};

struct MsmShape {
    Windows windows;
    u32 per_batch;        // windows sorted and accumulated together
    Reduction buckets;
    u32 grid_bits;        // 0: running sums over the buckets; else rows and columns of 2^grid_bits (grid.cuh)
    Reduction grid;
    u32 segment_bits;     // log2 of the groups one thread folds
    double predicted_ns;

    u32 bucket_bits() const { return windows.bits - 1; }
    u32 batch_buckets() const { return per_batch << bucket_bits(); }
    u32 batches() const { return (windows.count + per_batch - 1) / per_batch; }
    // weighted sums that remain: one a window, or rows and columns apart
    u32 sets() const { return grid_bits ? 2 * windows.count : windows.count; }
    u32 set_bits() const { return grid_bits ? grid_bits : bucket_bits(); }
    u32 index_bits() const { return set_bits() - segment_bits; }
    u32 sums() const { return sets() * (2 + index_bits()); }
};

inline int bits_for(u64 values) {
    int bits = 1;
    while ((1ull << bits) < values) bits++;
    return bits;
}

// Entries of the list after `rounds`, at most.
inline u64 entries_after(u64 entries, u64 buckets, u32 rounds) {
    return rounds == 0 ? entries : std::min(entries, (entries >> rounds) + buckets);
}
// Pairs of round r = 1, 2, .. at most: a bucket has one only from 2^(r-1) + 1 entries on.
inline u64 pairs_at_most(u64 entries, u32 round) { return entries / ((1ull << (round - 1)) + 1) + 1; }
// Bucket points that the grid gets, at most.
inline u64 grid_capacity(u64 n, const MsmShape& s) {
    u64 sum = 0;
    for (u32 first = 0; first < s.windows.count; first += s.per_batch) {
        u64 count = std::min(s.per_batch, s.windows.count - first);
        sum += entries_after(n * count, count << s.bucket_bits(), s.buckets.rounds);
    }
    return sum;
}

// Rounds that pay (or as many as asked), the chunk for the rest, and what that costs. left_ns: what an addition costs that
// is left to the next step; left: entries that remain.
inline double plan_reduction(const MsmPolicy& policy, u32 sms, double buckets, double per_bucket, int rounds,
                             double left_ns, Reduction& out, double& left) {
    double ns = 0;
    left = buckets * per_bucket;
    out.rounds = 0;
    for (u32 r = 1; r <= MAX_ROUNDS; r++) {
        double next = buckets * mean_after_rounds(per_bucket, r), pairs = left - next;
        bool pays = pairs * (left_ns - policy.affine_ns) > policy.round_ns;
        if (rounds < 0 ? !pays : (int)r > rounds) break;
        ns += policy.round_ns + pairs * policy.affine_ns;
        out.rounds = r;
        left = next;
    }
    out.chunk = policy.chunk_min;
    while (out.chunk < policy.chunk_max && left / (2 * out.chunk) > (double)sms * policy.chunk_threads_per_sm) out.chunk *= 2;
    return ns;
}

inline u32 fold_bits(const MsmPolicy& policy, u32 sms, u32 sets, u32 set_bits) {
    u32 bits = std::min(1u, set_bits - 1);
    while (bits < std::min(policy.segment_bits_max, set_bits - 1) &&
           ((u64)sets << set_bits >> (bits + 1)) >= (u64)sms * policy.fold_threads_per_sm)
        bits++;
    return bits;
}

// The shape for one cut; rounds < 0: as many as pay; grid: whether bucket sums go through the grid.
inline MsmShape msm_shape(const MsmPolicy& policy, u32 sms, u64 n, Windows windows, int rounds, bool grid,
                          u64 batch_entries) {
    MsmShape s = {};
    s.windows = windows;
    // as few batches as the limit allows, of equal size
    u64 most = std::max<u64>(1, std::min<u64>(windows.count, batch_entries / std::max<u64>(n, 1)));
    u32 batches = (u32)((windows.count + most - 1) / most);
    s.per_batch = (windows.count + batches - 1) / batches;

    // narrow windows use half of their buckets
    const double filled_part = (windows.wide + 0.5 * (windows.count - windows.wide)) / windows.count;
    const double buckets = s.batch_buckets() * filled_part, per_bucket = (double)n * s.per_batch / buckets;
    // an entry left to the grid is collected, sorted and added twice
    const double left_ns = grid ? 2 * (policy.affine_ns + policy.collect_ns + 2 * policy.sort_pass_ns) : policy.xyzz_ns;
    double left, ns = policy.batch_ns + plan_reduction(policy, sms, buckets, per_bucket, rounds, left_ns, s.buckets, left);
    ns += (double)n * s.per_batch *
          (policy.digit_ns + policy.sort_pass_ns * ((bits_for(s.batch_buckets() + 1ull) + 7) / 8));
    const double filled = buckets * (1 - std::exp(-per_bucket)), all_left = left * windows.count / s.per_batch;
    if (grid) {
        s.grid_bits = (s.bucket_bits() + 1) / 2;
        const double groups = (double)s.windows.count * ((1u << s.grid_bits) + (1u << (s.bucket_bits() - s.grid_bits)));
        double rest;
        ns = ns * s.batches() + 2 * all_left * (policy.collect_ns + 2 * policy.sort_pass_ns) +
             plan_reduction(policy, sms, groups, 2 * all_left / groups, -1, policy.xyzz_ns, s.grid, rest) +
             std::max(0.0, rest - groups) * policy.xyzz_ns + groups * (policy.bucket_ns + policy.fold_ns) + policy.batch_ns;
    } else {
        ns += std::max(0.0, left - filled) * policy.xyzz_ns + s.batch_buckets() * (policy.bucket_ns + policy.fold_ns);
        ns *= s.batches();
    }
    s.segment_bits = fold_bits(policy, sms, grid ? s.sets() : s.per_batch, s.set_bits());
    s.predicted_ns = policy.run_ns + ns;
    return s;
}

// window_bits 0: the cheapest cut of all; grid < 0: as the costs say.
inline MsmShape best_msm_shape(const MsmPolicy& policy, u32 sms, u64 n, u32 window_bits, int rounds, int grid,
                               u64 batch_entries) {
    MsmShape best = {};
    for (u32 count = 11; count <= 128; count++) {
        double cheapest = 0;
        Windows windows = window_bits ? windows_of(window_bits) : cut_windows(count);
        for (int g = 0; g <= 1; g++)
            for (int halvings = 0; halvings <= 2; halvings++) {  // a smaller batch may save a pass of the sort
                if ((grid >= 0 && g != grid) || (g && windows.bits < 4)) continue;
                MsmShape s = msm_shape(policy, sms, n, windows, rounds, g != 0, batch_entries >> halvings);
                if (cheapest == 0 || s.predicted_ns < cheapest) cheapest = s.predicted_ns;
                if (!best.windows.count || s.predicted_ns < best.predicted_ns) best = s;
            }
        // beyond the best cut costs only grow
        if (window_bits || cheapest > 1.5 * best.predicted_ns) break;
    }
    return best;
}

}  // namespace c2
