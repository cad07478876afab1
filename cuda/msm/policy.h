// Tuning numbers of the MSM, per architecture; nothing else in cuda/msm holds any. The costs are nanoseconds on the whole
// device and serve only to choose the windows, the batches and the rounds; docs/benchmarks has the lines behind them.
#pragma once

#include <cstdint>

namespace c2 {

struct MsmPolicy {
    const char* arch;
    // shape
    uint32_t pairs_per_thread;     // of a batch-affine round
    uint32_t full_threads_per_sm;  // fewer than this, and a thread takes fewer pairs
    uint64_t batch_entries;        // entries sorted and accumulated together, at most
    uint32_t chunk_min, chunk_max; // entries an XYZZ thread adds
    uint32_t chunk_threads_per_sm; // chunks are no longer than leaves this many threads
    uint32_t fold_threads_per_sm;  // segments likewise
    uint32_t segment_bits_max;
    uint32_t sum_threads;          // of a block of select_sums
    uint32_t tree_chunk;           // chunk of the batch additions, whose few groups leave a block many partial sums
    // costs
    double digit_ns, sort_pass_ns, collect_ns; // an entry
    double affine_ns, xyzz_ns;                 // an addition
    double add_latency_ns;                     // of an XYZZ addition in a thread, alone
    double bucket_ns, fold_ns;                 // a bucket written by XYZZ, folded by running sums
    double round_ns, batch_ns, run_ns;         // latency: of a round, of a batch beside its rounds, of the whole
};

// H200, 132 SMs; from phases and sweeps of benches/gpu/msm_bench, random scalars, resident points. G1 at 2^26: 830 M affine
// additions in 188 (backward) + 63 (forward) + 7 (inversions) + 10 (pairs) ps each; sort 7.2 ps an entry and pass of 8 bits;
// digits 5.5 ps an entry; collecting 85 ps a bucket. 32 pairs a thread against 16: inversions 7.9 ms against 10.8. Batches
// of 2^28 entries against 2^27: 255 ms against 264, for 44 GB of workspace against 24; the plan goes below this when the
// request's limit says so. A round of few pairs takes 0.1 ms in G1, 0.15 ms in G2, most of it the inversion's latency.
// Not const objects, so that a bench can try other numbers.
inline const MsmPolicy& msm_policy(uint32_t group) {
    static MsmPolicy g1 = {
        "sm_90",
        32, 512, 1u << 28,          // pairs_per_thread, full_threads_per_sm, batch_entries
        8, 64, 768,                 // chunk_min, chunk_max, chunk_threads_per_sm
        128, 6, 128, 32,            // fold_threads_per_sm, segment_bits_max, sum_threads, tree_chunk
        0.006, 0.008, 0.060,        // digit_ns, sort_pass_ns, collect_ns
        0.275, 0.40, 13e3,          // affine_ns, xyzz_ns, add_latency_ns
        0.25, 0.90,                 // bucket_ns, fold_ns
        100e3, 250e3, 1000e3,       // round_ns, batch_ns, run_ns
    };
    static MsmPolicy g2 = {
        "sm_90",
        32, 256, 1u << 27,
        8, 64, 512,
        128, 6, 128, 32,
        0.006, 0.008, 0.120,
        0.830, 1.20, 50e3,
        0.80, 8.00,                 // G2's running sums spill and run at a third of G1's pace and less
        153e3, 600e3, 2500e3,
    };
    return group == 1 ? g1 : g2;
}

}  // namespace c2
