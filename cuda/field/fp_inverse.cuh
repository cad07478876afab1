// Inversion by safegcd (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019), in its
// variable-time form: 30 division steps at a time on the low words, then one update of the full numbers. On an H200 one
// thread needs 32 us, Fermat's power 577 us. Time follows the value; a batch inverts products of public points only.
#pragma once

#include "field/fp.cuh"
#include "field/fp2.cuh"

namespace c2 {

namespace safegcd {

using i32 = int32_t;
using i64 = int64_t;
static constexpr int LIMBS = 13;  // of 30 bits
static constexpr i32 MASK = 0x3fffffff;
static constexpr u32 P_INVERSE = 0x00030003;  // 1/p mod 2^30

struct Matrix {
    i32 u, v, q, r;
};

C2_HD int trailing_zeros(u32 x) {
#ifdef __CUDA_ARCH__
    return __clz(__brev(x));
#else
    return __builtin_ctz(x);
#endif
}

// 30 division steps on the low 32 bits of f and g; the matrix is 2^30 times the transition.
C2_HD Matrix steps(int& eta, u32 f, u32 g) {
    u32 u = 1, v = 0, q = 0, r = 1;
    int left = 30;
    for (;;) {
        int z = trailing_zeros(g | (0xffffffffu << left));
        g >>= z;
        u <<= z;
        v <<= z;
        eta -= z;
        left -= z;
        if (left == 0) break;
        if (eta < 0) {
            eta = -eta;
            u32 t = f;
            f = g;
            g = 0u - t;
            t = u;
            u = q;
            q = 0u - t;
            t = v;
            v = r;
            r = 0u - t;
        }
        // cancel up to six low bits of g with a multiple of f; -1/f mod 2^6 is f (f^2 - 2)
        int limit = eta + 1 > left ? left : eta + 1;
        if (limit > 6) limit = 6;
        u32 w = (f * g * (f * f - 2u)) & (0xffffffffu >> (32 - limit));
        g += f * w;
        q += u * w;
        r += v * w;
    }
    return {(i32)u, (i32)v, (i32)q, (i32)r};
}

// (d, e) = matrix (d, e) / 2^30 mod p, both kept in (-2p, p)
C2_HD void update_de(i32* d, i32* e, const Matrix& m, const i32* p) {
    i32 sd = d[LIMBS - 1] >> 31, se = e[LIMBS - 1] >> 31;
    i32 md = (m.u & sd) + (m.v & se), me = (m.q & sd) + (m.r & se);
    i64 cd = (i64)m.u * d[0] + (i64)m.v * e[0], ce = (i64)m.q * d[0] + (i64)m.r * e[0];
    md -= (i32)((P_INVERSE * (u32)cd + (u32)md) & MASK);
    me -= (i32)((P_INVERSE * (u32)ce + (u32)me) & MASK);
    cd = (cd + (i64)p[0] * md) >> 30;
    ce = (ce + (i64)p[0] * me) >> 30;
#pragma unroll
    for (int k = 0; k < LIMBS - 1; k++) {
        i32 di = d[k + 1], ei = e[k + 1];
        cd += (i64)m.u * di + (i64)m.v * ei + (i64)p[k + 1] * md;
        ce += (i64)m.q * di + (i64)m.r * ei + (i64)p[k + 1] * me;
        d[k] = (i32)cd & MASK;
        cd >>= 30;
        e[k] = (i32)ce & MASK;
        ce >>= 30;
    }
    d[LIMBS - 1] = (i32)cd;
    e[LIMBS - 1] = (i32)ce;
}

// (f, g) = matrix (f, g) / 2^30, exact; true when g has become zero
C2_HD bool update_fg(i32* f, i32* g, const Matrix& m) {
    i64 cf = ((i64)m.u * f[0] + (i64)m.v * g[0]) >> 30, cg = ((i64)m.q * f[0] + (i64)m.r * g[0]) >> 30;
    i32 any = 0;
#pragma unroll
    for (int k = 0; k < LIMBS - 1; k++) {
        i32 fi = f[k + 1], gi = g[k + 1];
        cf += (i64)m.u * fi + (i64)m.v * gi;
        cg += (i64)m.q * fi + (i64)m.r * gi;
        f[k] = (i32)cf & MASK;
        cf >>= 30;
        g[k] = (i32)cg & MASK;
        cg >>= 30;
        any |= g[k];
    }
    f[LIMBS - 1] = (i32)cf;
    g[LIMBS - 1] = (i32)cg;
    return (any | g[LIMBS - 1]) == 0;
}

// d from (-2p, p), negated when f ended as -1, into [0, p)
C2_HD void normalize(i32* d, i32 negative, const i32* p) {
    i32 carry = 0, wrap = d[LIMBS - 1] >> 31;
#pragma unroll
    for (int k = 0; k < LIMBS; k++) {
        i32 t = d[k] + (p[k] & wrap);
        t = ((t ^ negative) - negative) + carry;
        carry = k < LIMBS - 1 ? t >> 30 : 0;
        d[k] = k < LIMBS - 1 ? t & MASK : t;
    }
    wrap = d[LIMBS - 1] >> 31;
    carry = 0;
#pragma unroll
    for (int k = 0; k < LIMBS; k++) {
        i32 t = d[k] + (p[k] & wrap) + carry;
        carry = k < LIMBS - 1 ? t >> 30 : 0;
        d[k] = k < LIMBS - 1 ? t & MASK : t;
    }
}

}  // namespace safegcd

// 1/a for a < 8p in Montgomery form, in Montgomery form; 0 for 0.
C2_HD Fp inverse(const Fp& a) {
    using namespace safegcd;
    constexpr i32 p[LIMBS] = {0x3fffaaab, 0x27fbffff, 0x153ffffb, 0x2affffac, 0x30f6241e, 0x034a83da, 0x112bf673,
                              0x12e13ce1, 0x2cd76477, 0x1ed90d2e, 0x29a4b1ba, 0x3a8e5ff9, 0x001a0111};
    constexpr u32 r3[12] = {0xd94ca1e0, 0xed48ac6b, 0x03a7adf8, 0x315f831e, 0x615e29dd, 0x9a53352a,
                            0x921e1761, 0x34c04e5e, 0x65724728, 0x2512d435, 0x91755d4d, 0x0aa63460};  // R^3 mod p
    Fp c = canonical(a);
    i32 f[LIMBS], g[LIMBS], d[LIMBS], e[LIMBS];
#pragma unroll
    for (int i = 0; i < LIMBS; i++) {
        int word = 30 * i / 32, shift = 30 * i % 32;
        u64 w = c.v[word];
        if (word + 1 < 12) w |= (u64)c.v[word + 1] << 32;
        g[i] = (i32)((w >> shift) & MASK);
        f[i] = p[i];
        d[i] = 0;
        e[i] = i == 0;
    }
    int eta = -1;
    // 735 steps suffice for 381 bits (25 batches); a zero ends at once
#pragma unroll 1
    for (int batch = 0; batch < 40; batch++) {
        Matrix m = steps(eta, (u32)f[0] | ((u32)f[1] << 30), (u32)g[0] | ((u32)g[1] << 30));
        update_de(d, e, m, p);
        if (update_fg(f, g, m)) break;
    }
    normalize(d, f[LIMBS - 1] >> 31, p);
    Fp r;
#pragma unroll
    for (int i = 0; i < 12; i++) {
        int k = 32 * i / 30, shift = 32 * i % 30;
        u64 w = (u64)(u32)d[k] >> shift | (u64)(u32)d[k + 1] << (30 - shift);
        if (k + 2 < LIMBS) w |= (u64)(u32)d[k + 2] << (60 - shift);
        r.v[i] = (u32)w;
    }
    return mul(r, fp_from(r3));
}

// 1/(a0 + a1 u) = (a0 - a1 u) / (a0^2 + a1^2)
C2_HD Fp2 inverse(const Fp2& a) {
    Fp n = inverse(add(sqr(a.c0), sqr(a.c1)));
    return {mul(a.c0, n), mul(neg_lazy(a.c1), n)};
}

}  // namespace c2
