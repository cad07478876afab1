// Points of y^2 = x^3 + b over F = Fp (G1) or F = Fp2 (G2); b never enters a formula.
//
// Affine: x, y; infinity has every word zero, as in blst. (x = 0 alone is a point of order three, not infinity.)
// Xyzz: x = X/ZZ, y = Y/ZZZ, ZZ^3 = ZZZ^2 (hyperelliptic.org/EFD/g1p/auto-shortw-xyzz.html); infinity has every word
// zero. Every addition is exact: infinity, equal and opposite points are found by a one-word test and handled apart.
#pragma once

#include "field/fp_inverse.cuh"

#ifdef __CUDACC__
#define C2_HD_COLD __host__ __device__ __noinline__
#else
#define C2_HD_COLD inline
#endif

namespace c2 {

template <class F>
struct Affine {
    F x, y;
};
template <class F>
struct Xyzz {
    F x, y, zz, zzz;
};

template <class F>
C2_HD bool is_infinity(const Affine<F>& p) {
    return is_null(p.x) && is_null(p.y);
}
template <class F>
C2_HD bool is_infinity(const Xyzz<F>& p) {
    return is_null(p.zz);
}
template <class F>
C2_HD void set_infinity(Affine<F>& p) {
    set_zero(p.x);
    set_zero(p.y);
}
template <class F>
C2_HD void set_infinity(Xyzz<F>& p) {
    set_zero(p.x);
    set_zero(p.y);
    set_zero(p.zz);
    set_zero(p.zzz);
}
template <class F>
C2_HD void set_affine(Xyzz<F>& r, const Affine<F>& p) {
    if (is_infinity(p)) {
        set_infinity(r);
        return;
    }
    r.x = p.x;
    r.y = p.y;
    set_one(r.zz);
    set_one(r.zzz);
}
template <class F>
C2_HD Affine<F> negate_if(bool negative, const Affine<F>& p) {
    // infinity keeps its zeros
    return {p.x, select(negative && !is_infinity(p), neg_lazy(p.y), p.y)};
}

// p = 2p: 6M + 3S ("dbl-2008-s-1", a = 0)
template <class F>
C2_HD void double_in_place(Xyzz<F>& p) {
    if (is_infinity(p)) return;
    if (is_zero(p.y)) {  // order two: no point of either group, but not a wrong sum either
        set_infinity(p);
        return;
    }
    F u = add(p.y, p.y), v = sqr(u), w = mul(u, v), s = mul(p.x, v), m = sqr(p.x);
    m = add(add(m, m), m);
    F x = sub(sub(sqr(m), s), s);
    p.y = sub(mul(m, sub(s, x)), mul(w, p.y));
    p.x = x;
    p.zz = mul(v, p.zz);
    p.zzz = mul(w, p.zzz);
}

// The additions with an operand at infinity, equal operands or opposite ones; true when it was one of these.
template <class F>
C2_HD_COLD bool add_special(Xyzz<F>* a, const Affine<F>* b) {
    if (is_infinity(*b)) return true;
    if (is_infinity(*a)) {
        set_affine(*a, *b);
        return true;
    }
    if (!is_zero(sub(mul(b->x, a->zz), a->x))) return false;
    if (is_zero(sub(mul(b->y, a->zzz), a->y)))
        double_in_place(*a);
    else
        set_infinity(*a);
    return true;
}
template <class F>
C2_HD_COLD bool add_special(Xyzz<F>* a, const Xyzz<F>* b) {
    if (is_infinity(*b)) return true;
    if (is_infinity(*a)) {
        *a = *b;
        return true;
    }
    if (!is_zero(sub(mul(b->x, a->zz), mul(a->x, b->zz)))) return false;
    if (is_zero(sub(mul(b->y, a->zzz), mul(a->y, b->zzz))))
        double_in_place(*a);
    else
        set_infinity(*a);
    return true;
}

// a += b: 8M + 2S ("madd-2008-s")
template <class F>
C2_HD void add_in_place(Xyzz<F>& a, const Affine<F>& b) {
    F p = sub(mul(b.x, a.zz), a.x);
    // a at infinity has zz = x = 0, hence p = 0
    if (may_be_zero(p) || may_be_null(b.x)) {
        Xyzz<F> t = a;
        Affine<F> q = b;  // copies, so that only this path puts them in memory
        bool done = add_special(&t, &q);
        a = t;
        if (done) return;
    }
    F r = sub(mul(b.y, a.zzz), a.y), pp = sqr(p), ppp = mul(p, pp), q = mul(a.x, pp);
    a.zz = mul(a.zz, pp);
    a.zzz = mul(a.zzz, ppp);
    F x = sub(sub(sub(sqr(r), ppp), q), q);
    a.y = sub(mul(r, sub(q, x)), mul(a.y, ppp));
    a.x = x;
}

// a += b: 12M + 2S ("add-2008-s")
template <class F>
C2_HD void add_in_place(Xyzz<F>& a, const Xyzz<F>& b) {
    F u = mul(a.x, b.zz), p = sub(mul(b.x, a.zz), u);
    // either at infinity has zz = x = 0, hence p = 0
    if (may_be_zero(p)) {
        Xyzz<F> t = a, q = b;
        bool done = add_special(&t, &q);
        a = t;
        if (done) return;
    }
    F s = mul(a.y, b.zzz), r = sub(mul(b.y, a.zzz), s), pp = sqr(p), ppp = mul(p, pp), q = mul(u, pp);
    a.zz = mul(mul(a.zz, b.zz), pp);
    a.zzz = mul(mul(a.zzz, b.zzz), ppp);
    F x = sub(sub(sub(sqr(r), ppp), q), q);
    a.y = sub(mul(r, sub(q, x)), mul(s, ppp));
    a.x = x;
}

// Canonical words, so that equal points have equal bytes.
template <class F>
C2_HD Affine<F> to_affine(const Xyzz<F>& p) {
    Affine<F> r;
    if (is_infinity(p)) {
        set_infinity(r);
        return r;
    }
    F z = inverse(p.zzz);             // 1/z^3
    F zi = sqr(mul(z, p.zz));         // (z^2 / z^3)^2 = 1/z^2
    r.x = canonical(mul(p.x, zi));
    r.y = canonical(mul(p.y, z));
    return r;
}

}  // namespace c2
