// Transforms of 8, 4 and 2 elements in registers, natural order in and out, canonical in, [0, 2r) out: what
// follows is a multiplication or canonical().
#pragma once

#include "field/fr.cuh"

namespace c2 {

// With w of order 8 (inverse transforms: its inverse): w^2, (w - w^3) / 2 and (w + w^3) / 2.
struct ButterflyRoots {
    Fr i, c, s;
};

inline ButterflyRoots butterfly_roots(const Fr& w) {
    Fr half = fr_from<fr_words::HALF>();
    Fr i = sqr(w), cube = mul(w, i);
    return {i, mul(half, sub_lazy(w, cube)), mul(half, add_lazy(w, cube))};
}

C2_HD void butterfly(Fr& a, Fr& b) {
    Fr d = sub(a, b);
    a = add(a, b);
    b = d;
}
// The last one on a path: out in [0, 2r).
C2_HD void butterfly_lazy(Fr& a, Fr& b) {
    Fr d = sub_lazy(a, b);
    a = add_lazy(a, b);
    b = d;
}
C2_HD void dft4(Fr& x0, Fr& x1, Fr& x2, Fr& x3, const ButterflyRoots& w) {
    butterfly(x0, x2);
    Fr d = mul(w.i, sub_lazy(x1, x3));
    x1 = add(x1, x3);
    butterfly_lazy(x0, x1);  // X0, X2
    butterfly_lazy(x2, d);   // X1, X3
    x3 = d;
    d = x1;
    x1 = x2;
    x2 = d;
}
// Four multiplications, one less than three levels of two-point butterflies: with w = c + s and w^3 = s - c the odd
// outputs need c (b1 - b3) and s (b1 + b3) once each, instead of b1 and b3 times both roots.
C2_HD void dft8(Fr (&x)[8], const ButterflyRoots& w) {
    butterfly(x[0], x[4]);
    butterfly(x[1], x[5]);
    butterfly(x[3], x[7]);
    Fr b2 = mul(w.i, sub_lazy(x[2], x[6]));
    x[2] = add(x[2], x[6]);

    butterfly(x[0], x[2]);
    Fr f = mul(w.i, sub_lazy(x[1], x[3]));
    x[1] = add(x[1], x[3]);
    butterfly_lazy(x[0], x[1]);  // X0, X4
    butterfly_lazy(x[2], f);     // X2, X6

    Fr p = mul(w.c, sub_lazy(x[5], x[7]));
    Fr q = mul(w.s, add_lazy(x[5], x[7]));
    butterfly(x[4], b2);  // b0 + i b2, b0 - i b2
    butterfly(q, p);      // q + p, q - p
    Fr X4 = x[1];
    x[6] = f;
    x[1] = add_lazy(x[4], q);
    x[5] = sub_lazy(x[4], q);
    x[3] = add_lazy(b2, p);
    x[7] = sub_lazy(b2, p);
    x[4] = X4;
}

}  // namespace c2
