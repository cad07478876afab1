// Scalars to signed digits. s becomes min(s, r - s), below 0.907 * 2^254, with the sign on the point. The bias adds to
// each window half its range; each digit of the sum less that half is then a signed digit of s, in [-half, half), with no
// carry between windows, so that a batch of windows is made by itself.
#pragma once

#include "field/mont.cuh"
#include "msm/windows.h"

namespace c2 {

#define C2_FR_R {0x00000001, 0xffffffff, 0xfffe5bfe, 0x53bda402, 0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753}
static constexpr u32 SCALAR_R_HOST[8] = C2_FR_R;
#ifdef __CUDACC__
static __device__ __constant__ const u32 SCALAR_R_DEVICE[8] = C2_FR_R;
#endif
struct ScalarModulus {
    static constexpr int N = 8;
    static constexpr u32 INV = 0xffffffff;
    static C2_HD const u32* p() {
#ifdef __CUDA_ARCH__
        return SCALAR_R_DEVICE;
#else
        return SCALAR_R_HOST;
#endif
    }
};

static constexpr u32 SIGN = 0x80000000;  // of a reference: the point is to be negated
static constexpr int DIGIT_WORDS = 9;    // up to 288 bits of windows

struct DigitBias {
    u32 w[DIGIT_WORDS];
};
inline DigitBias digit_bias(const Windows& windows) {
    DigitBias bias = {};
    for (u32 w = 0; w < windows.count; w++) {
        u32 bit = windows.offset(w) + windows.width(w) - 1;
        bias.w[bit / 32] |= 1u << (bit % 32);
    }
    return bias;
}

// a -= m when that does not go below zero
C2_HD bool subtract_if_not_below(u32* a, const u32* m) {
    u32 t[8], borrow;
    sub_cc(t[0], a[0], m[0]);
#pragma unroll
    for (int i = 1; i < 8; i++) subc_cc(t[i], a[i], m[i]);
    subc(borrow, 0, 0);
#pragma unroll
    for (int i = 0; i < 8; i++) a[i] = borrow ? a[i] : t[i];
    return borrow == 0;
}

// s (any 256-bit value) to its biased form; returns the sign.
C2_HD bool biased_scalar(u32* out, const u32* s, bool montgomery, const DigitBias& bias) {
    const u32* r = ScalarModulus::p();
    u32 a[8], t[16];
    if (montgomery) {
#pragma unroll
        for (int i = 0; i < 16; i++) t[i] = i < 8 ? s[i] : 0;
        Mont<ScalarModulus>::reduce(a, t);  // at most r
    } else {
#pragma unroll
        for (int i = 0; i < 8; i++) a[i] = s[i];
        subtract_if_not_below(a, r);  // 2^256 < 3 r
    }
    subtract_if_not_below(a, r);
    // r - a < a: the other one
    u32 n[8], borrow;
    sub_cc(n[0], r[0], a[0]);
#pragma unroll
    for (int i = 1; i < 8; i++) subc_cc(n[i], r[i], a[i]);
    sub_cc(t[0], n[0], a[0]);
#pragma unroll
    for (int i = 1; i < 8; i++) subc_cc(t[i], n[i], a[i]);
    subc(borrow, 0, 0);
#pragma unroll
    for (int i = 0; i < 8; i++) a[i] = borrow ? n[i] : a[i];
    add_cc(out[0], a[0], bias.w[0]);
#pragma unroll
    for (int i = 1; i < 8; i++) addc_cc(out[i], a[i], bias.w[i]);
    addc(out[8], bias.w[8], 0);
    return borrow != 0;
}

// The signed digit of window w.
C2_HD int digit_of(const u32* biased, const Windows& windows, u32 w) {
    u32 bit = windows.offset(w), width = windows.width(w), word = bit / 32, lo = 0, hi = 0;
#pragma unroll
    for (u32 i = 0; i < DIGIT_WORDS; i++) {  // selects, so that the words stay in registers
        lo = i == word ? biased[i] : lo;
        hi = i == word + 1 ? biased[i] : hi;
    }
    u32 v = (u32)((((u64)hi << 32) | lo) >> (bit % 32)) & ((1u << width) - 1);
    return (int)v - (int)(1u << (width - 1));
}

#ifdef __CUDACC__
// Entries of windows first .. first + count: key = bucket (window major, |digit| - 1 within), or the number of buckets for
// a zero digit, which so sorts behind all; value = index of the point and sign.
static __global__ void __launch_bounds__(256)
    make_digits(const uint4* __restrict__ scalars, const u32* __restrict__ indices, u64 n, bool montgomery, DigitBias bias,
                Windows windows, u32 first, u32 count, u32* __restrict__ keys, u32* __restrict__ refs) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    uint4 lo = __ldcs(scalars + 2 * i), hi = __ldcs(scalars + 2 * i + 1);  // read once a batch
    u32 s[8] = {lo.x, lo.y, lo.z, lo.w, hi.x, hi.y, hi.z, hi.w}, biased[DIGIT_WORDS];
    bool negative = biased_scalar(biased, s, montgomery, bias);
    u32 index = indices ? indices[i] : (u32)i;
    u32 half = 1u << (windows.bits - 1);
    for (u32 w = 0; w < count; w++) {
        int d = digit_of(biased, windows, first + w);
        bool minus = negative != (d < 0);
        u32 magnitude = d < 0 ? -d : d;
        keys[w * n + i] = d ? w * half + magnitude - 1 : count * half;
        refs[w * n + i] = index | (minus ? SIGN : 0);
    }
}

// start[b] = first entry whose key is not below b, b <= buckets: by bisection, so that no thread's work depends on how
// the keys are spread.
static __global__ void __launch_bounds__(256)
    find_starts(const u32* __restrict__ keys, u32 entries, u32 buckets, u32* __restrict__ start) {
    u32 b = blockIdx.x * 256 + threadIdx.x;
    if (b > buckets) return;
    u32 lo = 0, hi = entries;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (keys[mid] < b)
            lo = mid + 1;
        else
            hi = mid;
    }
    start[b] = lo;
}
#endif

}  // namespace c2
