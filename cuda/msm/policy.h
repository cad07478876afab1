// Tuning numbers of the MSM, per architecture; nothing else in cuda/msm holds any. The costs are nanoseconds on the whole
// device and serve only to choose the window, the batches and the rounds; docs/benchmarks has the lines behind them.
#pragma once

#include <cstdint>

namespace c2 {

struct MsmPolicy {
    const char* arch;
    // shape
    uint32_t pairs_per_thread;    // of a batch-affine round
    uint32_t full_threads_per_sm; // fewer than this, and a thread takes fewer pairs
    uint64_t batch_entries;       // entries sorted and accumulated together, at most
    uint32_t chunk_min, chunk_max;
    uint32_t fold_threads_per_sm; // segments are no longer than leaves this many threads
    uint32_t segment_bits_max;
    uint32_t sum_threads;         // of a block of select_sums
    // costs
    double digit_ns, sort_pass_ns; // an entry
    double affine_ns, xyzz_ns;     // an addition
    double fold_ns;                // a bucket
    double round_ns, batch_ns, run_ns; // latency: of a round, of a batch beside its rounds, of the whole
};

// H200: 132 SMs.
inline const MsmPolicy& msm_policy(uint32_t group) {
    static const MsmPolicy g1 = {"sm_90", 16, 512, 1u << 27, 8, 64, 384, 5, 128,
                                 0.010, 0.007, 0.285, 0.385, 1.05, 150e3, 200e3, 700e3};
    static const MsmPolicy g2 = {"sm_90", 16, 256, 1u << 26, 8, 64, 256, 5, 64,
                                 0.010, 0.007, 0.850, 1.200, 3.30, 300e3, 400e3, 2000e3};
    return group == 1 ? g1 : g2;
}

}  // namespace c2
