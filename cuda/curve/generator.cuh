// The generators of G1 and G2, affine in Montgomery form (draft-irtf-cfrg-pairing-friendly-curves, 4.2.1).
#pragma once

#include "curve/point.cuh"

namespace c2 {

C2_HD void set_generator(Affine<Fp>& g) {
    constexpr u32 x[12] = {0xfd530c16, 0x5cb38790, 0x9976fff5, 0x7817fc67, 0x143ba1c1, 0x154f95c7,
                           0xf3d0e747, 0xf0ae6acd, 0x21dbf440, 0xedce6ecc, 0x9e0bfb75, 0x12017741};
    constexpr u32 y[12] = {0x0ce72271, 0xbaac93d5, 0x7918fd8e, 0x8c22631a, 0x570725ce, 0xdd595f13,
                           0x50405194, 0x51ac5829, 0xad0059c0, 0x0e1c8c3f, 0x5008a26a, 0x0bbc3efc};
    g.x = fp_from(x);
    g.y = fp_from(y);
}
C2_HD void set_generator(Affine<Fp2>& g) {
    constexpr u32 x0[12] = {0x02940a10, 0xf5f28fa2, 0x87b4961a, 0xb3f5fb26, 0x3e2ae580, 0xa1a893b5,
                            0x1a3caee9, 0x9894999d, 0x1863366b, 0x6f67b763, 0x4350bcd7, 0x05819192};
    constexpr u32 x1[12] = {0x9e23f606, 0xa5a9c075, 0xbccd60c3, 0xaaa0c59d, 0xe2867806, 0x3bb17e18,
                            0x8541b367, 0x1b1ab6cc, 0xf2158547, 0xc2b6ed0e, 0x7360edf3, 0x11922a09};
    constexpr u32 y0[12] = {0x60494c4a, 0x4c730af8, 0x5e369c5a, 0x597cfa1f, 0xaa0a635a, 0xe7e6856c,
                            0x6e0d495f, 0xbbefb5e9, 0xf0ef25a2, 0x07d3a975, 0x7e80dae5, 0x0083fd8e};
    constexpr u32 y1[12] = {0xdf64b05d, 0xadc0fc92, 0x2b1461dc, 0x18aa270a, 0x3be4eba0, 0x86adac6a,
                            0xc93da33a, 0x79495c4e, 0xa43ccaed, 0xe7175850, 0x63de1bf2, 0x0b2bc2a1};
    g.x = {fp_from(x0), fp_from(x1)};
    g.y = {fp_from(y0), fp_from(y1)};
}

}  // namespace c2
