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

// c0 = a0 b0 - a1 b1, c1 = (a0 + a1)(b0 + b1) - a0 b0 - a1 b1. The left sum stays below 4p, the right one is reduced.
C2_HD Fp2 mul(const Fp2& a, const Fp2& b) {
    Fp t0 = mul(a.c0, b.c0), t1 = mul(a.c1, b.c1);
    Fp t2 = mul(add_words(a.c0, a.c1), add(b.c0, b.c1));
    return {sub(t0, t1), sub(sub(t2, t0), t1)};
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
