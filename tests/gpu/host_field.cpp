// Fp and Fp2 of cuda/field on the host, against the naive integers: values, bounds, edge words. The same source is what
// the device compiles, but for the carry primitives.
#include "field/fp_inverse.cuh"
#include "host_check.h"
#include "naive.h"

using namespace c2;
using naive::Big;

static Big words(const Fp& a) {
    Big r;
    memcpy(r.v, a.v, 48);
    return r;
}
static Big value(const Fp& a) { return naive::reduce(words(a), naive::P); }
static Big R_INVERSE;

static Fp times_p(const Fp& a, int k) {  // a + k p
    Fp r = a;
    for (int i = 0; i < k; i++) r = add_words(r, fp_from(FpModulus::p()));
    return r;
}
static bool at_most(const Fp& a, int k) {  // a <= k p
    Fp zero, d;
    set_zero(zero);
    return sub_words(d, times_p(zero, k), a) == 0;
}

// In [0, 2p], with many edge patterns; congruent to a random value otherwise.
static Fp sample(naive::Random& rng, int round) {
    Fp a;
    for (u32& w : a.v) {
        w = (u32)rng.next();
        if (round % 4 == 1) w = (w & 1) ? 0xffffffff : 0;
    }
    a.v[11] &= 0x7fffffff;  // below 5p
    a = canonical(a);
    switch (rng.next() % 12) {
        case 0:
            set_zero(a);
            break;
        case 1:
            set_one(a);
            break;
        case 2:  // p - 1
            a = fp_from(FpModulus::p());
            a.v[0] -= 1;
            break;
        case 3:
            for (int i = 3; i < 12; i++) a.v[i] = 0;
            break;
        default:
            break;
    }
    return times_p(a, rng.next() % 2);
}

static void check_fp(const Fp& a, const Fp& b) {
    const auto& P = naive::P;
    Big A = value(a), B = value(b), product = naive::mul(naive::mul(A, B, P), R_INVERSE, P);
    Fp wide = sub_lazy(a, b), r, t;
    CHECK(at_most(wide, 4) && equal(value(wide), naive::sub(A, B, P)));
    // host multiplication, modelled chain, and product with separate reduction, all at the widest operands
    CHECK(equal(value(mul(a, b)), product) && at_most(mul(a, b), 2));
    FpMont::mul_chain(r.v, a.v, b.v);
    FpMont::mul_host(t.v, a.v, b.v);
    CHECK(equal(words(r), words(t)));
    FpMont::mul_chain(r.v, wide.v, b.v);
    CHECK(at_most(r, 2) && equal(value(r), naive::mul(naive::mul(naive::sub(A, B, P), B, P), R_INVERSE, P)));
    u32 both[24];
    FpMont::product(both, wide.v, b.v);
    FpMont::reduce(t.v, both);
    CHECK(equal(words(r), words(t)));
    FpMont::square_chain(r.v, a.v);
    CHECK(at_most(r, 2) && equal(value(r), naive::mul(naive::mul(A, A, P), R_INVERSE, P)));
    FpMont::square_chain(r.v, wide.v);
    FpMont::mul_host(t.v, wide.v, wide.v);
    CHECK(equal(words(r), words(t)));
    CHECK(at_most(add(a, b), 2) && equal(value(add(a, b)), naive::add(A, B, P)));
    CHECK(at_most(sub(a, b), 2) && equal(value(sub(a, b)), naive::sub(A, B, P)));
    CHECK(at_most(neg_lazy(a), 2) && equal(value(neg_lazy(a)), naive::neg(A, P)));
    CHECK(equal(words(canonical(wide)), value(wide)));
    for (int k = 0; k < 5; k++) {
        Fp z;
        set_zero(z);
        z = times_p(z, k);
        CHECK(is_zero(z) && (k > 3 || may_be_zero(z)) && is_null(z) == (k == 0) && may_be_null(z) == (k == 0));
    }
    CHECK(is_zero(a) == naive::is_zero(A) && (!is_zero(wide) || may_be_zero(wide)));
}

static naive::Element element(const Fp2& a) {
    return {naive::mul(value(a.c0), R_INVERSE, naive::P), naive::mul(value(a.c1), R_INVERSE, naive::P)};
}
static bool bounded(const Fp2& a) { return at_most(a.c0, 2) && at_most(a.c1, 2); }

static void check_fp2(const Fp2& a, const Fp2& b) {
    auto A = element(a), B = element(b);
    CHECK(bounded(mul(a, b)) && equal(element(mul(a, b)), naive::mul(A, B)));
    CHECK(bounded(mul_two_reductions(a, b)) && equal(element(mul_two_reductions(a, b)), naive::mul(A, B)));
    CHECK(bounded(sqr(a)) && equal(element(sqr(a)), naive::mul(A, A)));
    CHECK(bounded(sub_lazy(a, b)) && equal(element(sub_lazy(a, b)), naive::sub(A, B)));
    CHECK(bounded(add(a, b)) && equal(element(add(a, b)), naive::add(A, B)));
    CHECK(is_zero(a) == naive::is_zero(A));
}

static void check_inverse(const Fp& a, const Fp& b) {
    Fp one, zero;
    set_one(one);
    set_zero(zero);
    if (is_zero(a))
        CHECK(is_zero(inverse(a)));
    else
        CHECK(equal(value(mul(inverse(a), a)), value(one)) && at_most(inverse(a), 2));
    Fp wide = times_p(a, 5);
    CHECK(equal(value(inverse(wide)), value(inverse(a))));
    Fp2 c = {a, b};
    if (!is_zero(c)) {
        Fp2 u = mul(inverse(c), c);
        CHECK(equal(value(u.c0), value(one)) && is_zero(u.c1));
    }
}

int main() {
    R_INVERSE = naive::inverse(naive::radix(384, naive::P), naive::P);
    naive::Random rng = {20261130};
    for (int round = 0; round < 3000; round++) {
        Fp a = sample(rng, round), b = sample(rng, round);
        check_fp(a, b);
        check_inverse(a, b);
        if (round % 4 == 0) check_fp2({a, b}, {sample(rng, round), sample(rng, round)});
    }
    printf("host_field: %s\n", failures ? "FAIL" : "ok");
    return failures != 0;
}
