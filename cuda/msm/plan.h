// How an MSM is computed: window, batches, rounds, chunk, segment, by a cost model over the policy's numbers. Plain host
// arithmetic, the same on any machine.
#pragma once

#include <algorithm>
#include <cmath>

#include "msm/digits.cuh"
#include "msm/pairs_model.h"
#include "msm/policy.h"

namespace c2 {

struct MsmShape {
    u32 window_bits, windows, windows_per_batch, rounds, chunk, segment_bits;
    double predicted_ns;
    u32 buckets_per_window() const { return 1u << (window_bits - 1); }
    u32 buckets() const { return windows_per_batch * buckets_per_window(); }
    u32 index_bits() const { return window_bits - 1 - segment_bits; }
};

// Entries of the list that XYZZ sums, at most.
inline u64 entries_after(u64 entries, u64 buckets, u32 rounds) {
    return rounds == 0 ? entries : std::min(entries, (entries >> rounds) + buckets);
}
// Pairs of round r = 1, 2, .. at most: a bucket has one only from 2^(r-1) + 1 entries on.
inline u64 pairs_at_most(u64 entries, u32 round) { return entries / ((1ull << (round - 1)) + 1) + 1; }

// The shape for one window size; rounds < 0: as many as pay.
inline MsmShape msm_shape(const MsmPolicy& policy, u32 sms, u64 n, u32 window_bits, int rounds, u64 batch_entries) {
    MsmShape s = {};
    s.window_bits = window_bits;
    s.windows = windows_for(window_bits);
    // as few batches as the limit allows, of equal size
    u64 most = std::max<u64>(1, std::min<u64>(s.windows, batch_entries / std::max<u64>(n, 1)));
    u32 batches = (u32)((s.windows + most - 1) / most);
    s.windows_per_batch = (s.windows + batches - 1) / batches;
    batches = (s.windows + s.windows_per_batch - 1) / s.windows_per_batch;

    const double per_bucket = (double)n / s.buckets_per_window(), buckets = s.buckets();
    const double entries = (double)n * s.windows_per_batch;
    double left = buckets * mean_after_rounds(per_bucket, 0), batch_ns = policy.batch_ns;
    for (u32 r = 1; r <= MAX_ROUNDS; r++) {
        double next = buckets * mean_after_rounds(per_bucket, r), pairs = left - next;
        bool pays = pairs * (policy.xyzz_ns - policy.affine_ns) > policy.round_ns;
        if (rounds < 0 ? !pays : (int)r > rounds) break;
        batch_ns += policy.round_ns + pairs * policy.affine_ns;
        s.rounds = r;
        left = next;
    }
    double filled = buckets * (1 - std::exp(-per_bucket));
    batch_ns += std::max(0.0, left - filled) * policy.xyzz_ns + buckets * policy.fold_ns;
    u32 key_bits = window_bits - 1;
    while ((1ull << key_bits) < s.buckets() + 1ull) key_bits++;
    batch_ns += entries * (policy.digit_ns + policy.sort_pass_ns * ((key_bits + 7) / 8));

    u64 want = (u64)sms * 768;
    s.chunk = policy.chunk_min;
    while (s.chunk < policy.chunk_max && left / (2 * s.chunk) > want) s.chunk *= 2;
    u64 fold_threads = (u64)sms * policy.fold_threads_per_sm;
    s.segment_bits = std::min(1u, window_bits - 1);
    while (s.segment_bits < std::min(policy.segment_bits_max, window_bits - 1) &&
           (s.buckets() >> (s.segment_bits + 1)) >= fold_threads)
        s.segment_bits++;
    s.predicted_ns = policy.run_ns + batches * batch_ns;
    return s;
}

inline MsmShape best_msm_shape(const MsmPolicy& policy, u32 sms, u64 n, u32 window_bits, int rounds, u64 batch_entries) {
    if (window_bits) return msm_shape(policy, sms, n, window_bits, rounds, batch_entries);
    MsmShape best = {};
    for (u32 c = 4; c <= 24; c++) {
        MsmShape s = msm_shape(policy, sms, n, c, rounds, batch_entries);
        if (c == 4 || s.predicted_ns < best.predicted_ns) best = s;
    }
    return best;
}

}  // namespace c2
