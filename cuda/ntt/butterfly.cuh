// Transforms of 8, 4 and 2 elements in registers, natural order in and out, values in [0, 2r).
#pragma once

#include "field/fr.cuh"

namespace c2 {

// With w of order 8 (inverse transforms: its inverse): w^2, (w - w^3) / 2 and (w + w^3) / 2, canonical.
struct ButterflyRoots {
    Fr i, c, s;
};

inline ButterflyRoots butterfly_roots(const Fr& w) {
    Fr half = fr_from<fr_words::HALF>();
    Fr i = canonical(sqr(w)), cube = canonical(mul(w, i));
    return {i, canonical(mul(half, sub(w, cube))), canonical(mul(half, add(w, cube)))};
}

C2_HD void butterfly(Fr& a, Fr& b) {
    Fr d = sub(a, b);
    a = add(a, b);
    b = d;
}
C2_HD void dft4(Fr& x0, Fr& x1, Fr& x2, Fr& x3, const ButterflyRoots& w) {
    butterfly(x0, x2);
    butterfly(x1, x3);
    x3 = mul(w.i, x3);
    butterfly(x0, x1);  // X0, X2
    butterfly(x2, x3);  // X1, X3
    Fr t = x1;
    x1 = x2;
    x2 = t;
}
// Four multiplications, one less than three levels of two-point butterflies: with w = c + s and w^3 = s - c the odd
// outputs need c (b1 - b3) and s (b1 + b3) once each, instead of b1 and b3 times both roots.
C2_HD void dft8(Fr (&x)[8], const ButterflyRoots& w) {
#pragma unroll
    for (int k = 0; k < 4; k++) butterfly(x[k], x[k + 4]);
    butterfly(x[0], x[2]);
    butterfly(x[1], x[3]);
    x[3] = mul(w.i, x[3]);
    butterfly(x[0], x[1]);  // X0, X4
    butterfly(x[2], x[3]);  // X2, X6

    x[6] = mul(w.i, x[6]);
    Fr p = mul(w.c, sub(x[5], x[7]));
    Fr q = mul(w.s, add(x[5], x[7]));
    butterfly(x[4], x[6]);  // b0 + i b2, b0 - i b2
    butterfly(q, p);        // q + p, q - p
    Fr X1 = add(x[4], q), X5 = sub(x[4], q), X3 = add(x[6], p), X7 = sub(x[6], p);
    Fr X4 = x[1], X2 = x[2], X6 = x[3];
    x[1] = X1, x[2] = X2, x[3] = X3, x[4] = X4, x[5] = X5, x[6] = X6, x[7] = X7;
}

}  // namespace c2
