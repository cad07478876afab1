// The point arithmetic of cuda/curve on the host, against the naive formulas: sums of random multiples, and every
// special case (infinity on either side, equal, opposite) for affine and XYZZ operands, in G1 and G2.
#include "curve/generator.cuh"
#include "host_check.h"
#include "naive.h"

using namespace c2;
using naive::Big;

static Big R_INVERSE;
static Big plain(const Fp& a) {
    Big r;
    memcpy(r.v, canonical(a).v, 48);
    return naive::mul(r, R_INVERSE, naive::P);
}
static naive::Element element(const Fp& a) { return {plain(a), {}}; }
static naive::Element element(const Fp2& a) { return {plain(a.c0), plain(a.c1)}; }
template <class F>
static naive::Point point(const Affine<F>& p) {
    naive::Point r;
    r.infinity = is_infinity(p);
    if (!r.infinity) r.x = element(p.x), r.y = element(p.y);
    return r;
}
template <class F>
static naive::Point point(const Xyzz<F>& p) {
    return point(to_affine(p));
}
template <class F>
static Xyzz<F> scaled(const Xyzz<F>& p) {  // the same point with other coordinates
    Xyzz<F> r = p;
    if (is_infinity(p)) return r;
    F k = add(p.y, p.x), kk = sqr(k), kkk = mul(kk, k);
    return {mul(p.x, kk), mul(p.y, kkk), mul(p.zz, kk), mul(p.zzz, kkk)};
}

template <class F>
static void check_sums(const char* name) {
    const int COUNT = 9;  // -4 G .. 4 G, infinity in the middle
    Affine<F> g, multiples[COUNT];
    set_generator(g);
    naive::Point expected[COUNT];
    Xyzz<F> acc;
    set_infinity(acc);
    for (int k = 0; k <= 4; k++) {
        multiples[4 + k] = to_affine(acc);
        multiples[4 - k] = negate_if(true, multiples[4 + k]);
        expected[4 + k] = k ? naive::add(expected[4 + k - 1], point(g)) : naive::Point();
        expected[4 - k] = expected[4 + k];
        if (k) expected[4 - k].y = naive::sub({}, expected[4 + k].y);
        add_in_place(acc, g);
    }
    for (int i = 0; i < COUNT; i++) {
        CHECK(equal(point(multiples[i]), expected[i]));
        CHECK(equal(point(negate_if(true, multiples[i])), expected[COUNT - 1 - i]));
        for (int j = 0; j < COUNT; j++) {
            naive::Point sum = naive::add(expected[i], expected[j]);
            Xyzz<F> a, b;
            set_affine(a, multiples[i]);
            set_affine(b, multiples[j]);
            Xyzz<F> s = a, t = scaled(a), u = scaled(a);
            add_in_place(s, multiples[j]);
            CHECK(equal(point(s), sum));
            add_in_place(t, multiples[j]);
            CHECK(equal(point(t), sum));
            add_in_place(u, scaled(b));
            CHECK(equal(point(u), sum));
        }
        Xyzz<F> d;
        set_affine(d, multiples[i]);
        d = scaled(d);
        double_in_place(d);
        CHECK(equal(point(d), naive::add(expected[i], expected[i])));
    }
    // the group order kills the generator: 255 doublings, and as many additions as r has ones
    Xyzz<F> acc_r;
    set_infinity(acc_r);
    for (int bit = 254; bit >= 0; bit--) {
        double_in_place(acc_r);
        if ((naive::R.m[bit / 64] >> (bit % 64)) & 1) add_in_place(acc_r, g);
        CHECK(bit == 0 || !is_infinity(acc_r));
    }
    CHECK(is_infinity(acc_r));
    printf("host_curve %s: %s\n", name, failures ? "FAIL" : "ok");
}

int main() {
    R_INVERSE = naive::inverse(naive::radix(384, naive::P), naive::P);
    check_sums<Fp>("G1");
    check_sums<Fp2>("G2");
    return failures != 0;
}
