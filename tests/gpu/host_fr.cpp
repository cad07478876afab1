// Fr of cuda/field on the host, against the naive integers: both multiplications, their bounds, edge words. The chain is
// what the device compiles, but for the carry primitives.
#include <initializer_list>

#include "field/fr.cuh"
#include "host_check.h"
#include "naive.h"

using namespace c2;
using naive::Big;

static Big words(const Fr& a) {
    Big r;
    memcpy(r.v, a.v, 32);
    return r;
}
static Big value(const Fr& a) { return naive::reduce(words(a), naive::R); }
static Fr fr(const Big& a) {
    Fr r;
    memcpy(r.v, a.v, 32);
    return r;
}
static const Fr MODULUS = fr_modulus();
static const Fr TWICE = add_lazy(fr_modulus(), fr_modulus());
static bool below(const Fr& a, const Fr& bound) {
    Fr d;
    return sub_words(d, a, bound) != 0;
}

// In [0, 2r), with edges: 0, 1, r - 1, r, r + 1, 2r - 1, words all zero or all one.
static Fr sample(naive::Random& rng) {
    Fr a;
    u64 kind = rng.next();
    for (u32& w : a.v) {
        w = (u32)rng.next();
        if (kind % 4 == 1) w = (w & 1) ? 0xffffffff : 0;
    }
    while (!below(a, TWICE)) a.v[7] >>= 1;
    switch ((kind >> 8) % 16) {
        case 0: a = fr_zero(); break;
        case 1: a = Fr{{1, 0, 0, 0, 0, 0, 0, 0}}; break;
        case 2: a = MODULUS; a.v[0] = 0; break;
        case 3: a = MODULUS; break;
        case 4: a = MODULUS; a.v[0] = 2; break;
        case 5: a = TWICE; a.v[0] -= 1; break;
        default: break;
    }
    return a;
}

// Any 256 bits, which a product takes as its second operand.
static Fr any(naive::Random& rng) {
    Fr a;
    u64 kind = rng.next();
    for (u32& w : a.v) w = kind % 3 == 0 ? 0xffffffff : (u32)rng.next();
    return a;
}

int main() {
    naive::Random rng{1};
    Big radix_inverse = naive::inverse(naive::radix(256, naive::R), naive::R);
    for (int round = 0; round < 4000; round++) {
        Fr x = sample(rng), y = sample(rng), w = canonical(y);
        CHECK(below(w, MODULUS) && naive::equal(words(w), value(y)));
        Fr v = canonical(x), s = add(v, w), d = sub(v, w), s2 = add_lazy(v, w), d2 = sub_lazy(v, w);
        CHECK(below(s, MODULUS) && naive::equal(value(s), naive::add(value(x), value(y), naive::R)));
        CHECK(below(d, MODULUS) && naive::equal(value(d), naive::sub(value(x), value(y), naive::R)));
        CHECK(below(s2, TWICE) && naive::equal(value(s2), value(s)));
        CHECK(below(d2, TWICE) && naive::equal(value(d2), value(d)));
        if (round % 5 == 0) x = any(rng);
        Big product = naive::mul(naive::mul(value(x), value(w), naive::R), radix_inverse, naive::R);
        Fr chain = FrMul::chain(w, x), host = FrMul::host(w, x);
        CHECK(below(chain, MODULUS) && naive::equal(value(chain), product));
        CHECK(below(host, MODULUS) && naive::equal(value(host), product));
        x = canonical(y), product = naive::mul(naive::mul(value(x), value(x), naive::R), radix_inverse, naive::R);
        CHECK(naive::equal(words(sqr(x)), product));
        CHECK(naive::equal(words(from_montgomery(to_montgomery(w))), value(w)));
        CHECK(naive::equal(words(to_montgomery(w)), naive::mul(value(w), naive::radix(256, naive::R), naive::R)));
    }
    // the generators: orders, and agreement with the canonical numbers
    CHECK(naive::equal(words(from_montgomery(fr_generator())), naive::from_u64(7)));
    Big order;
    memcpy(order.v, MODULUS.v, 32);
    order.v[0] -= 1;
    for (int i = 0; i < 4; i++) order.v[i] = (order.v[i] >> 32) | (i < 3 ? order.v[i + 1] << 32 : 0);
    CHECK(naive::equal(words(from_montgomery(root_of_unity(32))), naive::power(naive::from_u64(7), order, naive::R)));
    CHECK(naive::equal(words(add(root_of_unity(1), fr_one())), words(MODULUS)) ||
          naive::is_zero(value(add(root_of_unity(1), fr_one()))));
    for (u64 e : {0ull, 1ull, 2ull, 13ull, 1ull << 40}) {
        Fr a = canonical(sample(rng));
        Big exponent = naive::from_u64(e);
        CHECK(naive::equal(words(from_montgomery(pow(a, e))), naive::power(words(from_montgomery(a)), exponent, naive::R)));
    }
    Fr a = canonical(sample(rng));
    CHECK(naive::equal(value(mul(a, inverse(a))), value(fr_one())));
    CHECK(naive::equal(words(from_montgomery(fr_from<fr_words::HALF>())), naive::inverse(naive::from_u64(2), naive::R)));
    CHECK(naive::is_zero(words(inverse(fr(Big{})))));
    printf("host_fr: %s\n", failures ? "FAIL" : "ok");
    return failures != 0;
}
