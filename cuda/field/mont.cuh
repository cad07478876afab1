// Montgomery multiplication for a modulus of N 32-bit words, R = 2^(32 N), without the last subtraction.
//
// Bound: a and b are any values with a * b < R * p (and a + p < R); the result is below a * b / R + p. Callers keep
// their values in [0, 2p] and state what they pass above that.
//
// A modulus M gives: N (even), INV = -1/p mod 2^32, and p() as an array that both sides can read.
#pragma once

#include <cstring>

#include "field/carry.cuh"

namespace c2 {

template <class M>
struct Mont {
    static constexpr int N = M::N;

    // acc[0..m) = a[0], a[2], .. times b, as m/2 products of two words each
    template <int m>
    static C2_HD void mul_row(u32* acc, const u32* a, u32 b) {
#pragma unroll
        for (int j = 0; j < m; j += 2) mul_wide(acc[j], acc[j + 1], a[j], b);
    }
    // acc += the same; the carry out stays in the flag
    template <int m>
    static C2_HD void mad_row(u32* acc, const u32* a, u32 b) {
        mad_wide_cc(acc[0], acc[1], a[0], b, acc[0], acc[1]);
#pragma unroll
        for (int j = 2; j < m; j += 2) madc_wide_cc(acc[j], acc[j + 1], a[j], b, acc[j], acc[j + 1]);
    }
    // odd = (odd >> 64) + row + carry
    static C2_HD void mad_row_shift(u32* odd, const u32* a, u32 b) {
#pragma unroll
        for (int j = 0; j < N - 2; j += 2) madc_wide_cc(odd[j], odd[j + 1], a[j], b, odd[j + 2], odd[j + 3]);
        madc_wide(odd[N - 2], odd[N - 1], a[N - 2], b);
    }
    // One word of b: T += a * b, then T = (T + q p) / 2^32, with T held as even + 2^32 odd so that every 64-bit
    // product lands on an aligned pair. The caller swaps the roles of the two halves, which is the division.
    static C2_HD void row(u32* even, u32* odd, const u32* a, u32 b, bool first) {
        if (first) {
            mul_row<N>(odd, a + 1, b);
            mul_row<N>(even, a, b);
        } else {
            add_cc(even[0], even[0], odd[1]);
            mad_row_shift(odd, a + 1, b);
            mad_row<N>(even, a, b);
            addc(odd[N - 1], odd[N - 1], 0);
        }
        u32 q = even[0] * M::INV;
        mad_row<N>(odd, M::p() + 1, q);
        mad_row<N>(even, M::p(), q);
        addc(odd[N - 1], odd[N - 1], 0);
    }
    // r = even + odd / 2^32
    static C2_HD void join(u32* r, const u32* even, const u32* odd) {
        add_cc(r[0], even[0], odd[1]);
#pragma unroll
        for (int i = 1; i < N - 1; i++) addc_cc(r[i], even[i], odd[i + 1]);
        addc(r[N - 1], even[N - 1], 0);
    }
    static C2_HD void mul_chain(u32* r, const u32* a_, const u32* b) {
        u32 even[N], odd[N], a[N + 1];
#pragma unroll
        for (int i = 0; i < N; i++) a[i] = a_[i];
        a[N] = 0;
#pragma unroll
        for (int i = 0; i < N; i += 2) {
            row(even, odd, a, b[i], i == 0);
            row(odd, even, a, b[i + 1], false);
        }
        join(r, even, odd);
    }

    // ---- product and reduction apart: for squares, and for sums of products that share one reduction
    // odd += a[1], a[3], ..; even += a[0], a[2], .. times b
    template <int m>
    static C2_HD void product_row(u32* odd, u32* even, const u32* a, u32 b) {
        mad_row<m - 2>(odd, a + 1, b);
        madc_wide(odd[m - 2], odd[m - 1], a[m - 1], b);
        mad_row<m>(even, a, b);
        addc(odd[m - 1], odd[m - 1], 0);
    }
    // t[0..2N) = a * b
    static C2_HD void product(u32* t, const u32* a, const u32* b) {
        u32 odd[2 * N - 2];
        mul_row<N>(t, a, b[0]);
        mul_row<N>(odd, a + 1, b[0]);
        product_row<N>(t + 2, odd, a, b[1]);
#pragma unroll
        for (int i = 2; i < N; i += 2) {
            product_row<N>(odd + i, t + i, a, b[i]);
            product_row<N>(t + i + 2, odd + i, a, b[i + 1]);
        }
        add_cc(t[1], t[1], odd[0]);
#pragma unroll
        for (int i = 1; i < 2 * N - 2; i++) addc_cc(t[i + 1], t[i + 1], odd[i]);
        addc(t[2 * N - 1], t[2 * N - 1], 0);
    }
    static C2_HD void reduce_row(u32* even, u32* odd, bool first) {
        if (first) {
            u32 q = even[0] * M::INV;
            mul_row<N>(odd, M::p() + 1, q);
            mad_row<N>(even, M::p(), q);
        } else {
            add_cc(even[0], even[0], odd[1]);
            u32 q;
#ifdef __CUDA_ARCH__
            // volatile, so that it stays between the addition and the chain that takes up its carry
            asm volatile("mul.lo.u32 %0, %1, %2;" : "=r"(q) : "r"(even[0]), "r"(M::INV));
#else
            q = even[0] * M::INV;
#endif
            mad_row_shift(odd, M::p() + 1, q);
            mad_row<N>(even, M::p(), q);
        }
        addc(odd[N - 1], odd[N - 1], 0);
    }
    // r = t / R mod p, below t / R + p; t[0..N) is overwritten
    static C2_HD void reduce(u32* r, u32* t) {
        u32 odd[N];
#pragma unroll
        for (int i = 0; i < N; i += 2) {
            reduce_row(t, odd, i == 0);
            reduce_row(odd, t, false);
        }
        join(r, t, odd);
        add_cc(r[0], r[0], t[N]);
#pragma unroll
        for (int i = 1; i < N - 1; i++) addc_cc(r[i], r[i], t[N + i]);
        addc(r[N - 1], r[N - 1], t[2 * N - 1]);
    }
    // One row of the triangle of a square: odd += a[0], a[2], ..; even += a[1], a[3], .. times b; m words, m even.
    template <int m>
    static C2_HD void triangle_row(u32* odd, u32* even, const u32* a, u32 b) {
        mad_row<m - 2>(odd, a, b);
        madc_wide(odd[m - 2], odd[m - 1], a[m - 2], b);
        mad_row<m - 2>(even, a + 1, b);
        addc(odd[m - 1], odd[m - 1], 0);
    }
    template <int i>
    static C2_HD void triangle(u32* t, u32* odd, const u32* a) {
        if constexpr (i < N - 3) {
            product_row<N - i - 1>(t + 2 * i + 2, odd + 2 * i, a + i + 1, a[i]);
            triangle_row<N - i - 1>(odd + 2 * i + 2, t + 2 * i + 4, a + i + 2, a[i + 1]);
            triangle<i + 2>(t, odd, a);
        }
    }
    // The products a[i] a[j], i < j, once and doubled, then the squares on the diagonal.
    static C2_HD void square_chain(u32* r, const u32* a) {
        u32 t[2 * N], odd[2 * N - 2];
        mul_row<N - 2>(t + 2, a + 2, a[0]);
        mul_row<N>(odd, a + 1, a[0]);
        triangle<1>(t, odd, a);
        mul_wide(t[2 * N - 4], t[2 * N - 3], a[N - 1], a[N - 3]);
        mad_wide_cc(odd[2 * N - 6], odd[2 * N - 5], a[N - 2], a[N - 3], odd[2 * N - 6], odd[2 * N - 5]);
        addc(t[2 * N - 3], t[2 * N - 3], 0);
        mul_wide(odd[2 * N - 4], odd[2 * N - 3], a[N - 1], a[N - 2]);
        add_cc(t[2], t[2], odd[1]);
#pragma unroll
        for (int i = 1; i < 2 * N - 4; i++) addc_cc(t[2 + i], t[2 + i], odd[1 + i]);
        addc(t[2 * N - 2], odd[2 * N - 3], 0);
        t[0] = 0;
        add_cc(t[1], odd[0], odd[0]);
#pragma unroll
        for (int j = 2; j < 2 * N - 1; j++) addc_cc(t[j], t[j], t[j]);
        addc(t[2 * N - 1], 0, 0);
        mad_wide_cc(t[0], t[1], a[0], a[0], t[0], t[1]);
#pragma unroll
        for (int i = 1; i < N; i++) madc_wide_cc(t[2 * i], t[2 * i + 1], a[i], a[i], t[2 * i], t[2 * i + 1]);
        reduce(r, t);
    }

    // ---- the host's own multiplication: 64-bit limbs, a plain loop, eight times faster there than the modelled chains
    static void mul_host(u32* r, const u32* a_, const u32* b_) {
        constexpr int L = N / 2;
        u64 a[L], b[L], p[L], t[L + 2] = {};
        memcpy(a, a_, sizeof a);
        memcpy(b, b_, sizeof b);
        memcpy(p, M::p(), sizeof p);
        u64 inv = (u32)M::INV;
        inv *= 2 + p[0] * inv;  // Newton's step for -1/p: from 32 bits to 64
        for (int i = 0; i < L; i++) {
            unsigned __int128 c = 0;
            for (int j = 0; j < L; j++) {
                c += (unsigned __int128)a[j] * b[i] + t[j];
                t[j] = (u64)c;
                c >>= 64;
            }
            c += t[L];
            t[L] = (u64)c;
            t[L + 1] = (u64)(c >> 64);
            u64 q = t[0] * inv;
            c = ((unsigned __int128)q * p[0] + t[0]) >> 64;
            for (int j = 1; j < L; j++) {
                c += (unsigned __int128)q * p[j] + t[j];
                t[j - 1] = (u64)c;
                c >>= 64;
            }
            c += t[L];
            t[L - 1] = (u64)c;
            t[L] = t[L + 1] + (u64)(c >> 64);
        }
        memcpy(r, t, 4 * N);
    }

    static C2_HD void mul(u32* r, const u32* a, const u32* b) {
#ifdef __CUDA_ARCH__
        mul_chain(r, a, b);
#else
        mul_host(r, a, b);
#endif
    }
    static C2_HD void square(u32* r, const u32* a) {
#ifdef __CUDA_ARCH__
        square_chain(r, a);
#else
        mul_host(r, a, a);
#endif
    }
};

}  // namespace c2
