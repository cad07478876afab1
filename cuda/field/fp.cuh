// Fp, the 381-bit base field of BLS12-381: twelve 32-bit words in Montgomery form, R = 2^384; in memory the same 48
// bytes as blst_fp.
//
// Values are lazy: every function takes and returns [0, 2p] unless its name says so. 9.8 p fits in twelve words, so
//   mul(a, b) < 2p   while a * b < 9.8 p^2: one operand may be below 4p, the other then below 2p;
//   sub_lazy(a, b) = a - b + 2p in [0, 4p];  neg_lazy(a) = 2p - a in [0, 2p].
#pragma once

#include "field/mont.cuh"

namespace c2 {

#define C2_FP_P                                                                                                 \
    {                                                                                                           \
        0xffffaaab, 0xb9feffff, 0xb153ffff, 0x1eabfffe, 0xf6b0f624, 0x6730d2a0, 0xf38512bf, 0x64774b84,         \
            0x434bacd7, 0x4b1ba7b6, 0x397fe69a, 0x1a0111ea                                                      \
    }
static constexpr u32 FP_P_HOST[12] = C2_FP_P;
#ifdef __CUDACC__
static __device__ __constant__ const u32 FP_P_DEVICE[12] = C2_FP_P;
#endif

struct FpModulus {
    static constexpr int N = 12;
    static constexpr u32 INV = 0xfffcfffd;
    static C2_HD const u32* p() {
#ifdef __CUDA_ARCH__
        return FP_P_DEVICE;  // an operand straight from the constant bank
#else
        return FP_P_HOST;
#endif
    }
};

struct Fp {
    static constexpr int WORDS = 12;
    static constexpr int VECTORS = 3;  // 16-byte pieces
    static constexpr int FP_COUNT = 1;
    u32 v[12];
};

using FpMont = Mont<FpModulus>;

C2_HD Fp fp_from(const u32* w) {
    Fp r;
#ifdef __CUDA_ARCH__
#pragma unroll
    for (int i = 0; i < 12; i++) r.v[i] = w[i];
#else
    memcpy(r.v, w, sizeof r.v);
#endif
    return r;
}
C2_HD Fp fp_2p() {
    constexpr u32 w[12] = {0xffff5556, 0x73fdffff, 0x62a7ffff, 0x3d57fffd, 0xed61ec48, 0xce61a541,
                           0xe70a257e, 0xc8ee9709, 0x869759ae, 0x96374f6c, 0x72ffcd34, 0x340223d4};
    return fp_from(w);
}
C2_HD void set_zero(Fp& a) {
#pragma unroll
    for (int i = 0; i < 12; i++) a.v[i] = 0;
}
// R mod p: one in Montgomery form
C2_HD void set_one(Fp& a) {
    constexpr u32 w[12] = {0x0002fffd, 0x76090000, 0xc40c0002, 0xebf4000b, 0x53c758ba, 0x5f489857,
                           0x70525745, 0x77ce5853, 0xa256ec6d, 0x5c071a97, 0xfa80e493, 0x15f65ec3};
    a = fp_from(w);
}

#ifndef __CUDA_ARCH__
inline u64 host_limb(const u32* w) {
    u64 v;
    memcpy(&v, w, 8);
    return v;
}
inline void set_host_limb(u32* w, u64 v) { memcpy(w, &v, 8); }
#endif

C2_HD Fp add_words(const Fp& a, const Fp& b) {
    Fp r;
#ifdef __CUDA_ARCH__
    add_cc(r.v[0], a.v[0], b.v[0]);
#pragma unroll
    for (int i = 1; i < 11; i++) addc_cc(r.v[i], a.v[i], b.v[i]);
    addc(r.v[11], a.v[11], b.v[11]);
#else
    unsigned __int128 t = 0;
    for (int i = 0; i < 12; i += 2) {
        t += (unsigned __int128)host_limb(a.v + i) + host_limb(b.v + i);
        set_host_limb(r.v + i, (u64)t);
        t >>= 64;
    }
#endif
    return r;
}
// Returns the mask of a borrow: all ones when a < b.
C2_HD u32 sub_words(Fp& r, const Fp& a, const Fp& b) {
    u32 borrow;
#ifdef __CUDA_ARCH__
    sub_cc(r.v[0], a.v[0], b.v[0]);
#pragma unroll
    for (int i = 1; i < 12; i++) subc_cc(r.v[i], a.v[i], b.v[i]);
    subc(borrow, 0, 0);
#else
    u64 less = 0;
    for (int i = 0; i < 12; i += 2) {
        unsigned __int128 t = (unsigned __int128)host_limb(a.v + i) - host_limb(b.v + i) - less;
        set_host_limb(r.v + i, (u64)t);
        less = (u64)(t >> 64) & 1;
    }
    borrow = 0u - (u32)less;
#endif
    return borrow;
}
C2_HD Fp select(bool first, const Fp& a, const Fp& b) {
#ifdef __CUDA_ARCH__
    Fp r;
#pragma unroll
    for (int i = 0; i < 12; i++) r.v[i] = first ? a.v[i] : b.v[i];
    return r;
#else
    return first ? a : b;
#endif
}

C2_HD Fp mul(const Fp& a, const Fp& b) {
    Fp r;
    FpMont::mul(r.v, a.v, b.v);
    return r;
}
C2_HD Fp sqr(const Fp& a) {
    Fp r;
    FpMont::square(r.v, a.v);
    return r;
}
// [0, 4p] to [0, 2p]
C2_HD Fp reduce_4p(const Fp& a) {
    Fp r;
    u32 borrow = sub_words(r, a, fp_2p());
    return select(borrow != 0, a, r);
}
C2_HD Fp add(const Fp& a, const Fp& b) { return reduce_4p(add_words(a, b)); }
C2_HD Fp sub(const Fp& a, const Fp& b) {
    Fp r;
    u32 borrow = sub_words(r, a, b);
#ifdef __CUDA_ARCH__
    Fp t = fp_2p();
#pragma unroll
    for (int i = 0; i < 12; i++) t.v[i] &= borrow;
    return add_words(r, t);
#else
    return borrow ? add_words(r, fp_2p()) : r;
#endif
}
C2_HD Fp sub_lazy(const Fp& a, const Fp& b) {
    Fp r;
    sub_words(r, add_words(a, fp_2p()), b);
    return r;
}
C2_HD Fp neg_lazy(const Fp& a) {
    Fp r;
    sub_words(r, fp_2p(), a);
    return r;
}
C2_HD Fp negate_if(bool negative, const Fp& a) { return select(negative, neg_lazy(a), a); }

// Necessary for a = 0 mod p, a < 4p: k p has the low word -0x5555 k. One in 2^30 others passes, and goes the exact way.
C2_HD bool may_be_zero(const Fp& a) { return (0u - a.v[0]) <= 3u * 0x5555u; }
// All words zero: how a point at infinity is written. A multiple of p is not meant.
C2_HD bool is_null(const Fp& a) {
    u32 o = 0;
#pragma unroll
    for (int i = 0; i < 12; i++) o |= a.v[i];
    return o == 0;
}
// Necessary for is_null, in one instruction.
C2_HD bool may_be_null(const Fp& a) { return (a.v[11] | a.v[10] | a.v[9]) == 0; }
// a mod p, fully reduced, for any a < 8p
C2_HD Fp canonical(Fp a) {
    Fp p = fp_from(FpModulus::p()), r;
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        if (sub_words(r, a, p)) break;
        a = r;
    }
    return a;
}
C2_HD bool is_zero(const Fp& a) { return is_null(canonical(a)); }

}  // namespace c2
