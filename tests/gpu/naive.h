// The slow, plain definition: integers modulo p or r by shift and add, points by the school formulas. Shares no code
// with cuda/; never to be made fast.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace naive {

struct Modulus {
    int limbs;
    uint64_t m[6];
};
static const Modulus P = {6,
                          {0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf,
                           0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a}};
static const Modulus R = {4, {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48}};

struct Big {
    uint64_t v[6] = {};
};

inline bool not_below(const uint64_t* a, const uint64_t* b, int n) {
    for (int i = n - 1; i >= 0; i--)
        if (a[i] != b[i]) return a[i] > b[i];
    return true;
}
inline void subtract(uint64_t* a, const uint64_t* b, int n) {
    uint64_t borrow = 0;
    for (int i = 0; i < n; i++) {
        unsigned __int128 d = (unsigned __int128)a[i] - b[i] - borrow;
        a[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
}
inline bool is_zero(const Big& a) {
    Big z;
    return !memcmp(a.v, z.v, sizeof z.v);
}
inline bool equal(const Big& a, const Big& b) { return !memcmp(a.v, b.v, sizeof a.v); }
inline Big reduce(Big a, const Modulus& m) {
    while (not_below(a.v, m.m, m.limbs)) subtract(a.v, m.m, m.limbs);
    return a;
}
inline Big add(Big a, const Big& b, const Modulus& m) {
    unsigned __int128 c = 0;
    for (int i = 0; i < m.limbs; i++) {
        c += (unsigned __int128)a.v[i] + b.v[i];
        a.v[i] = (uint64_t)c;
        c >>= 64;
    }
    if (c || not_below(a.v, m.m, m.limbs)) subtract(a.v, m.m, m.limbs);
    return a;
}
inline Big neg(const Big& a, const Modulus& m) {
    if (is_zero(a)) return a;
    Big r;
    memcpy(r.v, m.m, sizeof r.v);
    subtract(r.v, a.v, m.limbs);
    return r;
}
inline Big sub(const Big& a, const Big& b, const Modulus& m) { return add(a, neg(b, m), m); }
inline Big mul(const Big& a, const Big& b, const Modulus& m) {
    Big r;
    for (int i = 64 * m.limbs - 1; i >= 0; i--) {
        r = add(r, r, m);
        if ((b.v[i / 64] >> (i % 64)) & 1) r = add(r, a, m);
    }
    return r;
}
inline Big from_u64(uint64_t x) {
    Big r;
    r.v[0] = x;
    return r;
}
inline Big power(const Big& a, const Big& e, const Modulus& m) {
    Big r = from_u64(1);
    for (int i = 64 * m.limbs - 1; i >= 0; i--) {
        r = mul(r, r, m);
        if ((e.v[i / 64] >> (i % 64)) & 1) r = mul(r, a, m);
    }
    return r;
}
inline Big inverse(const Big& a, const Modulus& m) {
    Big e;
    memcpy(e.v, m.m, sizeof e.v);
    Big two = from_u64(2);
    subtract(e.v, two.v, m.limbs);
    return power(a, e, m);
}
// 2^k mod m: the Montgomery radix
inline Big radix(int k, const Modulus& m) {
    Big r = from_u64(1);
    for (int i = 0; i < k; i++) r = add(r, r, m);
    return r;
}

// An element of Fp or Fp2 with the school formulas; Fp is Fp2 with second half zero.
struct Element {
    Big a, b;
};
inline Element add(const Element& x, const Element& y) { return {add(x.a, y.a, P), add(x.b, y.b, P)}; }
inline Element sub(const Element& x, const Element& y) { return {sub(x.a, y.a, P), sub(x.b, y.b, P)}; }
inline Element mul(const Element& x, const Element& y) {
    return {sub(mul(x.a, y.a, P), mul(x.b, y.b, P), P), add(mul(x.a, y.b, P), mul(x.b, y.a, P), P)};
}
inline Element inverse(const Element& x) {
    Big n = inverse(add(mul(x.a, x.a, P), mul(x.b, x.b, P), P), P);
    return {mul(x.a, n, P), mul(neg(x.b, P), n, P)};
}
inline bool equal(const Element& x, const Element& y) { return equal(x.a, y.a) && equal(x.b, y.b); }
inline bool is_zero(const Element& x) { return is_zero(x.a) && is_zero(x.b); }

struct Point {
    bool infinity = true;
    Element x, y;
};
inline bool equal(const Point& p, const Point& q) {
    return p.infinity == q.infinity && (p.infinity || (equal(p.x, q.x) && equal(p.y, q.y)));
}
inline Point add(const Point& p, const Point& q) {
    if (p.infinity) return q;
    if (q.infinity) return p;
    Element slope;
    if (equal(p.x, q.x)) {
        Element twice = add(p.y, p.y);
        if (!equal(p.y, q.y) || is_zero(twice)) return {};
        Element xx = mul(p.x, p.x);
        slope = mul(add(add(xx, xx), xx), inverse(twice));
    } else {
        slope = mul(sub(q.y, p.y), inverse(sub(q.x, p.x)));
    }
    Point r;
    r.infinity = false;
    r.x = sub(sub(mul(slope, slope), p.x), q.x);
    r.y = sub(mul(slope, sub(p.x, r.x)), p.y);
    return r;
}

struct Random {
    uint64_t state;
    uint64_t next() {
        uint64_t z = (state += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
};

}  // namespace naive
