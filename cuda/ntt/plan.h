// How a transform of size 2^lg is cut into passes, and where its factors lie in the domain's tables.
//
// n is split into digits, most significant first in the input index and least significant first in the output index.
// Three passes, with bits a, b, c:  i = i2 2^(b+c) + i1 2^c + i0,  k = k0 + 2^a k1 + 2^(a+b) k2, and
//
//   first    over i2, gives k0;  before it, coset: times 7^(2^(b+c) i2)                                  [pre]
//   middle   over i1, gives k1;  before it, times w_(a+b)^(k0 i1)  [middle]  and  w_(a+b+c)^(k0 i0)      [column]
//   last     over i0, gives k2;  before it, times w_(b+c)^(k1 i0)  [last];  after it, coset inverse:     [post]
//
// Each factor table has two digits as its index, so none is longer than 2^19 and all stay in the L2 cache. The column
// factor is constant along a column of the middle pass, which allows folding it into an inner stage for a quarter of a
// multiplication per element. The rest of the coset's powers, and 1/n, are folded into [middle] and [last]. Two passes
// are the same without the middle one, [last] then w_(a+b)^(k0 i0).
#pragma once

#include <stddef.h>

#include "ntt/policy.cuh"

namespace c2 {

static constexpr int NTT_KINDS = 6;

struct NttPlan {
    int lg;
    int passes;  // 1 (small), 2 or 3
    int bits[3];  // in order of execution
};

inline NttPlan ntt_plan(int lg) {
    if (lg <= NTT_POLICY.small_lg) return {lg, 1, {lg, 0, 0}};
    if (lg < 20) return {lg, 2, {lg - lg / 2, lg / 2, 0}};
    int rest = lg - NTT_POLICY.middle_bits;
    return {lg, 3, {rest - rest / 2, NTT_POLICY.middle_bits, rest / 2}};
}

// Factors between the radix-8 stages inside a pass: stage s has 8^s rows of its radix, so 8 * 8 + 8 * 64 + ...
inline size_t inner_entries(int bits) {
    size_t entries = 0;
    for (int done = 3; done < bits; done += 3) entries += (size_t)1 << (bits - done < 3 ? bits : done + 3);
    return entries;
}

// Offsets in elements of Fr. A direction is 0 for forward, 1 for inverse.
struct NttTables {
    size_t inner[2][3];
    size_t column[2];
    size_t pre[NTT_KINDS], middle[NTT_KINDS], last[NTT_KINDS], post[NTT_KINDS];
    size_t entries;
};

inline NttTables ntt_tables(const NttPlan& plan) {
    NttTables t = {};
    size_t at = 0;
    auto take = [&at](size_t count) {
        size_t offset = at;
        at += count;
        return offset;
    };
    int a = plan.bits[0], b = plan.bits[1], c = plan.bits[2];
    int last_bits = plan.passes == 1 ? a : plan.bits[plan.passes - 1];
    for (int d = 0; d < 2; d++) {
        // the small transform keeps its n/2 roots where the others keep the inner factors of the first pass
        for (int p = 0; p < plan.passes; p++)
            t.inner[d][p] = take(plan.passes == 1 ? (size_t)1 << (plan.lg - 1) : inner_entries(plan.bits[p]));
        if (plan.passes == 3) t.column[d] = take((size_t)1 << (a + c));
    }
    for (int k = 0; k < NTT_KINDS; k++) {
        t.pre[k] = take((size_t)1 << a);
        if (plan.passes == 3) t.middle[k] = take((size_t)1 << (a + b));
        if (plan.passes == 2) t.last[k] = take((size_t)1 << (a + b));
        if (plan.passes == 3) t.last[k] = take((size_t)1 << (b + c));
        t.post[k] = take((size_t)1 << last_bits);
    }
    t.entries = at;
    return t;
}

}  // namespace c2
