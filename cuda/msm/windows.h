// How 255 bits are cut into windows: `count` of them, the first `wide` of `bits`, the others one bit narrower. An even cut
// rather than a narrow last window: the same number of windows with fewer buckets.
#pragma once

#include "field/carry.cuh"

namespace c2 {

struct Windows {
    u32 count, bits, wide;
    C2_HD u32 width(u32 w) const { return w < wide ? bits : bits - 1; }
    C2_HD u32 offset(u32 w) const { return w * (bits - 1) + (w < wide ? w : wide); }
};

// Scalars are below 0.907 * 2^254 (digits.cuh); a top digit of few bits has no room for what the bias adds below it.
inline u32 bits_to_cut(u32 count) { return count > 51 ? 256 : 255; }

inline Windows cut_windows(u32 count) {
    const u32 total = bits_to_cut(count), bits = (total + count - 1) / count;
    return {count, bits, total - count * (bits - 1)};
}
// The fewest windows of at most `bits`.
inline Windows windows_of(u32 bits) {
    u32 count = (255 + bits - 1) / bits;
    while (cut_windows(count).bits > bits) count++;
    return cut_windows(count);
}

}  // namespace c2
