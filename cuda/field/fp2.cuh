// Fp2 = Fp[u] / (u^2 + 1), the field of G2's coordinates; in memory the same 96 bytes as blst_fp2.
//
// Both halves stay in [0, 2p]; sub_lazy and neg_lazy are here no lazier than sub, because Karatsuba's sums leave no room.
#pragma once

#include "field/fp.cuh"

namespace c2 {

struct Fp2 {
    static constexpr int WORDS = 24;
    static constexpr int VECTORS = 6;
    static constexpr int FP_COUNT = 2;
    Fp c0, c1;
};

C2_HD void set_zero(Fp2& a) {
    set_zero(a.c0);
    set_zero(a.c1);
}
C2_HD void set_one(Fp2& a) {
    set_one(a.c0);
    set_zero(a.c1);
}
C2_HD Fp2 add(const Fp2& a, const Fp2& b) { return {add(a.c0, b.c0), add(a.c1, b.c1)}; }
C2_HD Fp2 sub(const Fp2& a, const Fp2& b) { return {sub(a.c0, b.c0), sub(a.c1, b.c1)}; }
C2_HD Fp2 sub_lazy(const Fp2& a, const Fp2& b) { return sub(a, b); }
C2_HD Fp2 reduce_4p(const Fp2& a) { return a; }  // nothing here exceeds 2p
C2_HD Fp2 neg_lazy(const Fp2& a) { return {neg_lazy(a.c0), neg_lazy(a.c1)}; }
C2_HD Fp2 select(bool first, const Fp2& a, const Fp2& b) {
    return {select(first, a.c0, b.c0), select(first, a.c1, b.c1)};
}
C2_HD Fp2 negate_if(bool negative, const Fp2& a) { return select(negative, neg_lazy(a), a); }

// c0 = a0 b0 - a1 b1, c1 = (a0 + a1)(b0 + b1) - a0 b0 - a1 b1: three products of 24 words but two reductions. c1 is
// a0 b1 + a1 b0 <= 8 p^2, which reduces below 2p; c0 lies in [-4 p^2, 4 p^2] and is lifted by p R when negative.
C2_HD Fp2 mul_two_reductions(const Fp2& a, const Fp2& b) {
    u32 t0[24], t1[24], t2[24], borrow;
    FpMont::product(t0, a.c0.v, b.c0.v);
    FpMont::product(t1, a.c1.v, b.c1.v);
    Fp sa = add_words(a.c0, a.c1), sb = add_words(b.c0, b.c1);
    FpMont::product(t2, sa.v, sb.v);
    Fp2 r;
    sub_cc(t2[0], t2[0], t0[0]);
#pragma unroll
    for (int i = 1; i < 23; i++) subc_cc(t2[i], t2[i], t0[i]);
    subc(t2[23], t2[23], t0[23]);
    sub_cc(t2[0], t2[0], t1[0]);
#pragma unroll
    for (int i = 1; i < 23; i++) subc_cc(t2[i], t2[i], t1[i]);
    subc(t2[23], t2[23], t1[23]);
    FpMont::reduce(r.c1.v, t2);
    sub_cc(t0[0], t0[0], t1[0]);
#pragma unroll
    for (int i = 1; i < 24; i++) subc_cc(t0[i], t0[i], t1[i]);
    subc(borrow, 0, 0);
    const u32* p = FpModulus::p();
    add_cc(t0[12], t0[12], p[0] & borrow);
#pragma unroll
    for (int i = 1; i < 11; i++) addc_cc(t0[12 + i], t0[12 + i], p[i] & borrow);
    addc(t0[23], t0[23], p[11] & borrow);
    FpMont::reduce(r.c0.v, t0);
    return r;
}
C2_HD Fp2 mul(const Fp2& a, const Fp2& b) {
#ifdef __CUDA_ARCH__
    return mul_two_reductions(a, b);
#else
    Fp t0 = mul(a.c0, b.c0), t1 = mul(a.c1, b.c1);
    Fp t2 = mul(add_words(a.c0, a.c1), add(b.c0, b.c1));
    return {sub(t0, t1), sub(sub(t2, t0), t1)};
#endif
}
// (a0 + a1)(a0 - a1) + 2 a0 a1 u
C2_HD Fp2 sqr(const Fp2& a) {
    Fp t = mul(a.c0, a.c1);
    return {mul(add_words(a.c0, a.c1), sub(a.c0, a.c1)), add(t, t)};
}

C2_HD bool may_be_zero(const Fp2& a) { return may_be_zero(a.c0) && may_be_zero(a.c1); }
C2_HD bool is_null(const Fp2& a) { return is_null(a.c0) && is_null(a.c1); }
C2_HD bool may_be_null(const Fp2& a) { return may_be_null(a.c0) && may_be_null(a.c1); }
C2_HD bool is_zero(const Fp2& a) { return is_zero(a.c0) && is_zero(a.c1); }
C2_HD Fp2 canonical(const Fp2& a) { return {canonical(a.c0), canonical(a.c1)}; }

}  // namespace c2
