//! Affine additions that share one inversion (Montgomery's trick): 5 multiplications and a squaring each, where the mixed
//! addition of projective coordinates takes 7 and 4 and leaves a point to be normalised.

use crate::field::{Coordinates, Point};

/// Adds points to sums; keeps its scratch memory.
pub(crate) struct BatchAdder<F> {
    /// Products of the denominators before each term.
    products: Vec<F>,
}

impl<F> Default for BatchAdder<F> {
    fn default() -> Self {
        Self { products: Vec::new() }
    }
}

impl<F: Coordinates> BatchAdder<F> {
    /// `sums[i] += point` for each `(i, point)`. An index may occur once, and no two points that are added may have the same
    /// x: they may be neither equal nor opposite, nor infinity.
    pub(crate) fn add(&mut self, sums: &mut [Point<F>], terms: &[(usize, Point<F>)]) {
        let Some((first, rest)) = terms.split_first() else { return };
        let denominator = |sums: &[Point<F>], (i, point): &(usize, Point<F>)| point.x.sub(&sums[*i].x);

        self.products.clear();
        let mut product = denominator(sums, first);
        for term in rest {
            self.products.push(product);
            product = product.mul(&denominator(sums, term));
        }

        let mut inverse = product.invert();
        for (term, product) in rest.iter().zip(&self.products).rev() {
            let slope_denominator = denominator(sums, term);
            add_one(sums, term, &inverse.mul(product));
            inverse = inverse.mul(&slope_denominator);
        }
        add_one(sums, first, &inverse);
    }
}

/// The chord through two points, given the inverse of the difference of their x.
#[inline]
fn add_one<F: Coordinates>(sums: &mut [Point<F>], (i, point): &(usize, Point<F>), inverse: &F) {
    let sum = &mut sums[*i];
    let slope = point.y.sub(&sum.y).mul(inverse);
    let x = slope.square().sub(&sum.x).sub(&point.x);
    let y = slope.mul(&sum.x.sub(&x)).sub(&sum.y);
    *sum = Point { x, y };
}
