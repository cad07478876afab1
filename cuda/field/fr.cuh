// Fr, the 255-bit scalar field of BLS12-381: eight 32-bit words in Montgomery form, radix 2^256; in memory the same 32
// bytes as blst_fr.
//
// Values are canonical, in [0, r), and so are results, unless a name says otherwise:
//   add_lazy, sub_lazy   leave [0, 2r), for the second operand of mul or for canonical() alone. Half of the sums in a
//                        transform go straight into a product and need no more.
//   mul(w, x)            takes any x of 256 bits and brings it back to canonical.
#pragma once

#include <cstring>

#include "field/fr_constants.cuh"

namespace c2 {

struct alignas(16) Fr {
    u32 v[8];
};

template <u32 (*WORDS)(int)>
C2_HD Fr fr_from() {
    Fr r;
#pragma unroll
    for (int i = 0; i < 8; i++) r.v[i] = WORDS(i);
    return r;
}
C2_HD Fr fr_modulus() { return fr_from<fr_words::R>(); }
C2_HD Fr fr_zero() { return Fr{{0, 0, 0, 0, 0, 0, 0, 0}}; }
C2_HD Fr fr_one() { return fr_from<fr_words::ONE>(); }
C2_HD Fr fr_generator() { return fr_from<fr_words::GENERATOR>(); }

// a - b as words; all ones when it borrowed.
C2_HD u32 sub_words(Fr& d, const Fr& a, const Fr& b) {
    sub_cc(d.v[0], a.v[0], b.v[0]);
#pragma unroll
    for (int i = 1; i < 8; i++) subc_cc(d.v[i], a.v[i], b.v[i]);
    u32 borrow;
    subc(borrow, 0, 0);
    return borrow;
}
C2_HD Fr select(bool first, const Fr& a, const Fr& b) {
    Fr r;
#pragma unroll
    for (int i = 0; i < 8; i++) r.v[i] = first ? a.v[i] : b.v[i];
    return r;
}

// a + r if `negative`: eight predicated additions, where a selection between two sums would take sixteen instructions.
C2_HD void add_r_if(bool negative, Fr& a) {
#ifdef __CUDA_ARCH__
    asm("{\n\t.reg .pred n;\n\tsetp.ne.u32 n, %8, 0;\n\t"
        "@n add.cc.u32 %0, %0, %9;\n\t@n addc.cc.u32 %1, %1, %10;\n\t@n addc.cc.u32 %2, %2, %11;\n\t"
        "@n addc.cc.u32 %3, %3, %12;\n\t@n addc.cc.u32 %4, %4, %13;\n\t@n addc.cc.u32 %5, %5, %14;\n\t"
        "@n addc.cc.u32 %6, %6, %15;\n\t@n addc.u32 %7, %7, %16;\n\t}"
        : "+r"(a.v[0]), "+r"(a.v[1]), "+r"(a.v[2]), "+r"(a.v[3]), "+r"(a.v[4]), "+r"(a.v[5]), "+r"(a.v[6]), "+r"(a.v[7])
        : "r"((u32)negative), "n"(fr_words::R(0)), "n"(fr_words::R(1)), "n"(fr_words::R(2)), "n"(fr_words::R(3)),
          "n"(fr_words::R(4)), "n"(fr_words::R(5)), "n"(fr_words::R(6)), "n"(fr_words::R(7)));
#else
    add_cc(a.v[0], a.v[0], negative ? fr_words::R(0) : 0);
    for (int i = 1; i < 8; i++) addc_cc(a.v[i], a.v[i], negative ? fr_words::R(i) : 0);
#endif
}

C2_HD Fr add_lazy(const Fr& a, const Fr& b) {
    Fr s;
    add_cc(s.v[0], a.v[0], b.v[0]);
#pragma unroll
    for (int i = 1; i < 7; i++) addc_cc(s.v[i], a.v[i], b.v[i]);
    addc(s.v[7], a.v[7], b.v[7]);
    return s;
}
C2_HD Fr sub_lazy(const Fr& a, const Fr& b) {
    Fr d;
    sub_words(d, a, b);
    return add_lazy(d, fr_modulus());
}
// Of a value in [0, 2r).
C2_HD Fr canonical(const Fr& a) {
    Fr d;
    u32 borrow = sub_words(d, a, fr_modulus());
    return select(borrow != 0, a, d);
}
C2_HD Fr add(const Fr& a, const Fr& b) { return canonical(add_lazy(a, b)); }
C2_HD Fr sub(const Fr& a, const Fr& b) {
    Fr d;
    u32 borrow = sub_words(d, a, b);
    add_r_if(borrow != 0, d);
    return d;
}

// ---- multiplication
//
// Operand scanning with T held as even + 2^32 odd, so that every 64-bit product lands on an aligned pair. Because
// r = 1 mod 2^32 the quotient word of a row is T's low word itself: T - q r ends in a zero word, with no product for q.
// And since r = 1 - 2^32 + 2^64 (2^192 - S), subtracting q r means: drop the low word, add q one word up, add q S two
// words up, subtract q at the top. A row is 8 + 6 wide products where the textbook row has 8 + 8 + 1; the multiplier
// pipe is what bounds us. T is then signed, in (-r, w] at each row's end, and two's complement over 256 bits as
// r < 2^255; the next row extends its sign.
struct FrMul {
    // T += a b; the high row was shifted down by one word, so its word 1 joins the low row's word 0.
    static C2_HD void product_row(u32* even, u32* odd, const u32* a, u32 b) {
        u32 sign = (u32)((int32_t)even[7] >> 31);
        add_cc(even[0], even[0], odd[1]);
#pragma unroll
        for (int j = 0; j < 6; j += 2) madc_wide_cc(odd[j], odd[j + 1], a[j + 1], b, odd[j + 2], odd[j + 3]);
        madc_wide_cc(odd[6], odd[7], a[7], b, 0, sign);
        mad_wide_cc(even[0], even[1], a[0], b, even[0], even[1]);
#pragma unroll
        for (int j = 2; j < 8; j += 2) madc_wide_cc(even[j], even[j + 1], a[j], b, even[j], even[j + 1]);
        addc(odd[7], odd[7], 0);
    }
    static C2_HD void first_row(u32* even, u32* odd, const u32* a, u32 b) {
#pragma unroll
        for (int j = 0; j < 8; j += 2) mul_wide(odd[j], odd[j + 1], a[j + 1], b);
#pragma unroll
        for (int j = 0; j < 8; j += 2) mul_wide(even[j], even[j + 1], a[j], b);
    }
    // T -= q r with q = even[0], which is left as it is: the caller drops that word by swapping the two halves.
    static C2_HD void reduce_row(u32* even, u32* odd) {
            u32 q = even[0];
        add_cc(odd[0], odd[0], q);
        addc_cc(odd[1], odd[1], 0);
        madc_wide_cc(odd[2], odd[3], q, fr_words::S(1), odd[2], odd[3]);
        madc_wide_cc(odd[4], odd[5], q, fr_words::S(3), odd[4], odd[5]);
        madc_wide_cc(odd[6], odd[7], q, fr_words::S(5), odd[6], odd[7]);
        mad_wide_cc(even[2], even[3], q, fr_words::S(0), even[2], even[3]);
        madc_wide_cc(even[4], even[5], q, fr_words::S(2), even[4], even[5]);
        madc_wide_cc(even[6], even[7], q, fr_words::S(4), even[6], even[7]);
        addc(odd[7], odd[7], 0);
        odd[7] -= q;
    }
    // even + odd / 2^32, which is in (-r, r)
    static C2_HD Fr join(const u32* even, const u32* odd) {
        Fr t;
        add_cc(t.v[0], even[0], odd[1]);
#pragma unroll
        for (int i = 1; i < 7; i++) addc_cc(t.v[i], even[i], odd[i + 1]);
        addc(t.v[7], even[7], 0);
        add_r_if((int32_t)t.v[7] < 0, t);
        return t;
    }
    static C2_HD Fr chain(const Fr& w, const Fr& x) {
        u32 even[8], odd[8];
        first_row(even, odd, w.v, x.v[0]);
        reduce_row(even, odd);
        product_row(odd, even, w.v, x.v[1]);
        reduce_row(odd, even);
#pragma unroll
        for (int i = 2; i < 8; i += 2) {
            product_row(even, odd, w.v, x.v[i]);
            reduce_row(even, odd);
            product_row(odd, even, w.v, x.v[i + 1]);
            reduce_row(odd, even);
        }
        return join(even, odd);
    }
    // The host's own: 64-bit limbs, where the modelled carry flag would be several times slower.
    static inline Fr host(const Fr& w, const Fr& x) {
        u64 a[4], b[4], p[4], t[5] = {};
            memcpy(a, w.v, 32);
        memcpy(b, x.v, 32);
        memcpy(p, fr_modulus().v, 32);
        constexpr u64 inverse = 0xfffffffeffffffff;  // -1/r mod 2^64
        for (int i = 0; i < 4; i++) {
            unsigned __int128 s = 0;
            for (int j = 0; j < 4; j++) {
                s += (unsigned __int128)a[j] * b[i] + t[j];
                t[j] = (u64)s;
                s >>= 64;
            }
            t[4] = (u64)s + t[4];
            u64 q = t[0] * inverse;
            s = ((unsigned __int128)q * p[0] + t[0]) >> 64;
            for (int j = 1; j < 4; j++) {
                s += (unsigned __int128)q * p[j] + t[j];
                t[j - 1] = (u64)s;
                s >>= 64;
            }
            s += t[4];
            t[3] = (u64)s;
            t[4] = (u64)(s >> 64);
        }
        Fr r;
        memcpy(r.v, t, 32);
        return canonical(r);
    }
};

// w x / 2^256
C2_HD Fr mul(const Fr& w, const Fr& x) {
#ifdef __CUDA_ARCH__
    return FrMul::chain(w, x);
#else
    return FrMul::host(w, x);
#endif
}
// A square: the general product, as no kernel spends its time here.
C2_HD Fr sqr(const Fr& a) { return mul(a, a); }

C2_HD Fr to_montgomery(const Fr& a) {
    return mul(fr_from<fr_words::RADIX_SQUARED>(), a);
}
C2_HD Fr from_montgomery(const Fr& a) { return mul(a, Fr{{1, 0, 0, 0, 0, 0, 0, 0}}); }

C2_HD Fr pow(const Fr& a, u64 e) {
    Fr r = fr_one();
#pragma unroll 1
    for (Fr base = a; e; e >>= 1) {
        if (e & 1) r = mul(base, r);
        base = sqr(base);
    }
    return r;
}
// 1/a by Fermat; 0 for 0. For tables and constants: a kernel inverts many at once, or none.
inline Fr inverse(const Fr& a) {
    u32 e[8];
    memcpy(e, fr_modulus().v, 32);
    e[1] -= 1;  // r - 2 = r - 2^32 + (2^32 - 2)
    e[0] = 0xffffffff;
    Fr r = fr_one();
    for (int i = 255; i >= 0; i--) {
        r = sqr(r);
        if ((e[i / 32] >> (i % 32)) & 1) r = mul(a, r);
    }
    return r;
}
// A primitive root of unity of order 2^lg, the one bellperson uses; lg at most 32.
inline Fr root_of_unity(int lg) {
    Fr w = fr_from<fr_words::ROOT_2_32>();
    for (int i = FR_TWO_ADICITY; i > lg; i--) w = sqr(w);
    return w;
}

}  // namespace c2
