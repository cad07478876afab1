// Encodings of a parameter file's points on the host: known points come back, each kind of damage is told.
#include <initializer_list>

#include "curve/generator.cuh"
#include "host_check.h"
#include "naive.h"
#include "srs/encoding.cuh"

using namespace c2;
using naive::Big;

static Big R_INVERSE;

static void put(const Fp& a, unsigned char* to) {
    Big plain;
    memcpy(plain.v, canonical(a).v, 48);
    plain = naive::mul(plain, R_INVERSE, naive::P);
    for (int i = 0; i < 48; i++) to[i] = (unsigned char)(plain.v[(47 - i) / 8] >> (8 * ((47 - i) % 8)));
}
static void put(const Fp2& a, unsigned char* to) {
    put(a.c1, to);
    put(a.c0, to + 48);
}

template <class F>
static u32 decoded(const unsigned char* bytes, Affine<F>& p) {
    u32 words[24 * F::FP_COUNT];
    memcpy(words, bytes, sizeof words);
    return decode_point(words, p);
}

template <class F>
static void check() {
    constexpr int BYTES = 96 * F::FP_COUNT;
    Affine<F> g, p;
    set_generator(g);
    Xyzz<F> acc;
    set_affine(acc, g);
    unsigned char bytes[BYTES];
    for (int k = 0; k < 20; k++) {
        Affine<F> expected = to_affine(acc);
        expected.x = canonical(expected.x), expected.y = canonical(expected.y);
        put(expected.x, bytes);
        put(expected.y, bytes + BYTES / 2);
        CHECK(decoded(bytes, p) == 0);
        CHECK(!memcmp(&p, &expected, sizeof p));
        for (int at : {0, 1, BYTES / 2, BYTES - 1}) {  // a bit of a coordinate
            bytes[at] ^= 1;
            CHECK(decoded(bytes, p) == BAD_ENCODING);
            bytes[at] ^= 1;
        }
        for (int flag : {0x80, 0x40, 0x20}) {
            bytes[0] |= flag;
            CHECK(decoded(bytes, p) == BAD_ENCODING);
            bytes[0] &= ~flag;
        }
        add_in_place(acc, g);
    }
    // x + p is the same number modulo p, and no encoding of it
    put(g.x, bytes);
    put(g.y, bytes + BYTES / 2);
    unsigned carry = 0;
    unsigned char* low = bytes + BYTES / 2 - 48;
    for (int i = 47; i >= 0; i--) {
        carry += low[i] + (unsigned)((naive::P.m[(47 - i) / 8] >> (8 * ((47 - i) % 8))) & 255);
        low[i] = (unsigned char)carry;
        carry >>= 8;
    }
    if (!(low[0] & 0xe0)) CHECK(decoded(bytes, p) == BAD_ENCODING);
    memset(bytes, 0, sizeof bytes);
    CHECK(decoded(bytes, p) == BAD_ENCODING);
    bytes[0] = 0x40;
    CHECK(decoded(bytes, p) == BAD_INFINITY);
    bytes[BYTES - 1] = 1;
    CHECK(decoded(bytes, p) == BAD_ENCODING);
}

int main() {
    R_INVERSE = naive::inverse(naive::radix(384, naive::P), naive::P);
    check<Fp>();
    check<Fp2>();
    printf("srs encodings: %d failures\n", failures);
    return failures != 0;
}
