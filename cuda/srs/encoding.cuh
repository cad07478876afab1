// One point's encoding: the same code on the device and in the host's tests.
#pragma once

#include "curve/point.cuh"

namespace c2 {

// Why a point is refused.
enum : u32 { BAD_ENCODING = 1, BAD_INFINITY = 2 };

C2_HD u32 byte_swap(u32 a) {
#ifdef __CUDA_ARCH__
    return __byte_perm(a, 0, 0x0123);
#else
    return __builtin_bswap32(a);
#endif
}

// R^2 mod p: what brings a number into Montgomery form.
C2_HD Fp fp_radix_squared() {
    constexpr u32 w[12] = {0x1c341746, 0xf4df1f34, 0x09d104f1, 0x0a76e6a6, 0x4c95b6d5, 0x8de5476c,
                           0x939d83c0, 0x67eb88a9, 0xb519952d, 0x9a793e85, 0x92cae3aa, 0x11988fe5};
    return fp_from(w);
}

// Twelve words in the file's order to a coordinate in Montgomery form; false if it is p or more.
C2_HD bool decode_coordinate(const u32* words, Fp& out) {
    Fp a, d;
#pragma unroll
    for (int i = 0; i < 12; i++) a.v[i] = byte_swap(words[11 - i]);
    bool below = sub_words(d, a, fp_from(FpModulus::p())) != 0;
    out = mul(a, fp_radix_squared());
    return below;
}
C2_HD bool decode_coordinate(const u32* words, Fp2& out) {
    bool high = decode_coordinate(words, out.c1), low = decode_coordinate(words + 12, out.c0);
    return high && low;
}

// 4, and 4 (1 + u)
C2_HD void set_curve_constant(Fp& b) {
    set_one(b);
    b = add(b, b);
    b = add(b, b);
}
C2_HD void set_curve_constant(Fp2& b) {
    set_curve_constant(b.c0);
    b.c1 = b.c0;
}

// The words of an encoded point to a point in canonical form; 0, or why it is refused.
template <class F>
C2_HD u32 decode_point(const u32* words, Affine<F>& out) {
    constexpr int HALF = 12 * F::FP_COUNT;
    const u32 flags = words[0] & 0xe0;  // the file's first byte is the lowest of the word
    if (flags != 0) {
        u32 rest = words[0] & ~0x40u;
        for (int i = 1; i < 2 * HALF; i++) rest |= words[i];
        return flags == 0x40 && rest == 0 ? BAD_INFINITY : BAD_ENCODING;
    }
    bool x_fits = decode_coordinate(words, out.x), y_fits = decode_coordinate(words + HALF, out.y);
    F b;
    set_curve_constant(b);
    F right = add(mul(sqr(out.x), out.x), b);
    bool on_curve = is_zero(sub(sqr(out.y), right));
    out.x = canonical(out.x);
    out.y = canonical(out.y);
    return x_fits && y_fits && on_curve ? 0u : BAD_ENCODING;
}

}  // namespace c2
