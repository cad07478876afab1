// The last step, on the host: window sums to one point. Each sum has a bit position; one Horner pass over all positions
// takes 255 doublings and some hundred additions, a fifth of a millisecond.
#pragma once

#include <vector>

#include "curve/point.cuh"

namespace c2 {

// sums: a window's V, A, then one a bit of the segment index (bucket_sums.cuh).
template <class F>
Affine<F> finish_windows(const Xyzz<F>* sums, u32 windows, u32 window_bits, u32 segment_bits) {
    const u32 index_bits = window_bits - 1 - segment_bits, per_window = 2 + index_bits;
    std::vector<std::vector<u32>> at(windows * window_bits + 1);
    for (u32 w = 0; w < windows; w++) {
        at[w * window_bits].push_back(w * per_window);
        at[w * window_bits].push_back(w * per_window + 1);
        for (u32 q = 0; q < index_bits; q++)
            at[w * window_bits + segment_bits + q].push_back(w * per_window + 2 + q);
    }
    Xyzz<F> acc;
    set_infinity(acc);
    for (u32 bit = (u32)at.size(); bit-- > 0;) {
        double_in_place(acc);
        for (u32 i : at[bit]) add_in_place(acc, sums[i]);
    }
    return to_affine(acc);
}

}  // namespace c2
