// The last step, on the host: window sums to one point. Each sum has a bit position; one Horner pass over all positions
// takes 255 doublings and some hundred additions, a fifth of a millisecond.
#pragma once

#include <vector>

#include "curve/point.cuh"
#include "msm/plan.h"

namespace c2 {

// sums: of each set its V, A, then one a bit of the segment index (bucket_sums.cuh).
template <class F>
Affine<F> finish_windows(const Xyzz<F>* sums, const MsmShape& shape) {
    const u32 per_set = 2 + shape.index_bits();
    std::vector<std::vector<u32>> at(320);
    for (u32 set = 0; set < shape.sets(); set++) {
        const bool rows = shape.grid_bits && set % 2 == 0;
        const u32 bit = shape.windows.offset(shape.grid_bits ? set / 2 : set) + (rows ? shape.grid_bits : 0);
        at[bit].push_back(set * per_set);
        if (!rows) at[bit].push_back(set * per_set + 1);  // buckets and columns weigh k + 1, rows weigh h
        for (u32 q = 0; q < shape.index_bits(); q++) at[bit + shape.segment_bits + q].push_back(set * per_set + 2 + q);
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
