//! Many multiples of one point, by tables of its multiples.
//!
//! A scalar's digits d_0, d_1, … in base 2^w each pick a point d_i 2^(wi) G from a table, and the sum of those is the
//! multiple: no doublings. Points stay affine: a chunk of scalars is summed digit by digit, so that its additions share
//! inversions.

use blstrs::Scalar;
use ff::PrimeField;
use group::{Curve, Group};
use rayon::prelude::*;

use crate::batch_add::BatchAdder;
use crate::field::{Coordinates, Point};

/// Scalars that share inversions: enough to make the inversion cheap, few enough to stay in a core's own cache.
const CHUNK: usize = 1024;

/// Multiples of one point.
pub(crate) struct FixedBase<F> {
    window: usize,
    /// For each digit i the points d 2^(wi) G, with d from 1.
    tables: Vec<Vec<Point<F>>>,
}

impl<F: Coordinates> FixedBase<F> {
    /// Tables of a base other than infinity, sized for about `count` multiples.
    pub(crate) fn new<P>(base: P, count: usize) -> Self
    where
        P: Group + Curve<AffineRepr = F::Affine>,
        F::Affine: Clone,
    {
        let bits = Scalar::NUM_BITS as usize;
        // additions for tables and sums together
        let window = (2..=16).min_by_key(|w| bits.div_ceil(*w) * (count + (1 << w))).expect("the range is not empty");
        let powers: Vec<P> = std::iter::successors(Some(base), |p| Some(p.double())).take(bits).collect();
        let mut affine = vec![base.to_affine(); bits];
        P::batch_normalize(&powers, &mut affine);
        let powers: Vec<Point<F>> = affine.iter().map(F::point).collect();
        Self { window, tables: powers.par_chunks(window).map(table).collect() }
    }

    /// The multiples by `scalars`, none of which may be zero, as bytes of a parameter file.
    pub(crate) fn multiples(&self, scalars: &[Scalar]) -> Vec<u8> {
        let mut bytes = vec![0; scalars.len() * F::POINT_BYTES];
        let chunks = bytes.par_chunks_mut(CHUNK * F::POINT_BYTES).zip(scalars.par_chunks(CHUNK));
        chunks.for_each_init(BatchAdder::default, |adder, (bytes, scalars)| {
            for (point, bytes) in self.sums(adder, scalars).iter().zip(bytes.chunks_exact_mut(F::POINT_BYTES)) {
                F::serialize(point, bytes);
            }
        });
        bytes
    }

    /// The multiples by a chunk of scalars.
    ///
    /// No addition here is exceptional. Before digit i the sum is k G with 0 < k < 2^(wi), and d 2^(wi) G with d > 0 is
    /// added: equal points would need k = d 2^(wi), opposite ones k + d 2^(wi) = r, and the scalar is at least that sum.
    fn sums(&self, adder: &mut BatchAdder<F>, scalars: &[Scalar]) -> Vec<Point<F>> {
        let scalars: Vec<[u64; 5]> = scalars.iter().map(limbs).collect();
        let mut sums = vec![Point::default(); scalars.len()];
        let mut empty = vec![true; scalars.len()];
        let mut terms = Vec::with_capacity(scalars.len());
        for (i, table) in self.tables.iter().enumerate() {
            terms.clear();
            for (j, scalar) in scalars.iter().enumerate() {
                match digit(scalar, i * self.window, self.window) {
                    0 => {}
                    d if empty[j] => {
                        sums[j] = table[d - 1];
                        empty[j] = false;
                    }
                    d => terms.push((j, table[d - 1])),
                }
            }
            adder.add(&mut sums, &terms);
        }
        assert!(!empty.contains(&true), "a multiple by zero has no coordinates");
        sums
    }
}

/// All sums of the points 2^j P, given for j from 0: d P for d from 1 to 2^w - 1.
fn table<F: Coordinates>(powers: &[Point<F>]) -> Vec<Point<F>> {
    let mut adder = BatchAdder::default();
    let mut table: Vec<Point<F>> = Vec::with_capacity((1 << powers.len()) - 1);
    for power in powers {
        // the table so far is d P for d below 2^j: never equal to 2^j P, nor, far below the order, its opposite
        let mut upper = table.clone();
        let terms: Vec<_> = (0..upper.len()).map(|i| (i, *power)).collect();
        adder.add(&mut upper, &terms);
        table.push(*power);
        table.append(&mut upper);
    }
    table
}

/// A scalar as little-endian limbs, and one of zero above them.
fn limbs(scalar: &Scalar) -> [u64; 5] {
    let mut limbs = [0; 5];
    for (limb, bytes) in limbs.iter_mut().zip(scalar.to_repr().chunks_exact(8)) {
        *limb = u64::from_le_bytes(bytes.try_into().expect("chunks of eight"));
    }
    limbs
}

/// `width` bits, at most 63, from bit `at` on.
fn digit(limbs: &[u64; 5], at: usize, width: usize) -> usize {
    let (limb, shift) = (at / 64, at % 64);
    let wide = u128::from(limbs[limb]) | u128::from(limbs[limb + 1]) << 64;
    (wide >> shift) as usize & ((1 << width) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use blst::{blst_fp, blst_fp2};
    use blstrs::{G1Projective, G2Projective};
    use ff::Field;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// Edges of digits and of the field, and random scalars.
    fn scalars(rng: &mut ChaCha20Rng) -> Vec<Scalar> {
        let mut scalars = vec![Scalar::ONE, -Scalar::ONE, Scalar::from(2), -Scalar::from(2)];
        scalars.extend((0..255).map(|j| Scalar::from(2).pow_vartime([j])));
        scalars.extend((1..255).map(|j| Scalar::from(2).pow_vartime([j]) - Scalar::ONE));
        scalars.extend((0..1500).map(|_| Scalar::random(&mut *rng)));
        scalars
    }

    #[test]
    fn multiples_are_those_of_double_and_add() {
        let mut rng = ChaCha20Rng::from_seed([7; 32]);
        let scalars = scalars(&mut rng);
        let (g1, g2) = (G1Projective::random(&mut rng), G2Projective::random(&mut rng));
        // counts that make windows from the smallest to one that does not divide the bits
        for count in [0, 100, 20_000] {
            let bytes = FixedBase::<blst_fp>::new(g1, count).multiples(&scalars);
            for (scalar, bytes) in scalars.iter().zip(bytes.chunks(96)) {
                assert_eq!((g1 * scalar).to_affine().to_uncompressed(), bytes, "{scalar:?}");
            }
            let bytes = FixedBase::<blst_fp2>::new(g2, count).multiples(&scalars[..300]);
            for (scalar, bytes) in scalars.iter().zip(bytes.chunks(192)) {
                assert_eq!((g2 * scalar).to_affine().to_uncompressed(), bytes, "{scalar:?}");
            }
        }
    }
}
