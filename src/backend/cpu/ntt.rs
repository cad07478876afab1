//! Number-theoretic transforms over the scalar field, without any pass for bit reversal or coset factors.
//!
//! Inverse transforms decimate in frequency: natural order in, bit-reversed order out. Forward transforms decimate
//! in time: bit-reversed in, natural out. Neither divides by n; who uses the result folds that in.
//!
//! The coset is that of g, a primitive 2n-th root of unity w_2n. From f(x) = f_even(x^2) + x f_odd(x^2), a block of
//! length L evaluates on the coset of g^(n/L) = w_2L, so its twiddles are the odd powers of w_2L: coset factors are
//! in the tables and cost nothing, and g^n - 1 = -2. (h does not depend on the coset: it is a polynomial.)

use blstrs::Scalar;
use ff::{Field, PrimeField};
use once_cell::sync::OnceCell;
use rayon::prelude::*;

use crate::backend::log2;

/// Blocks up to this length are done by one thread in its cache: 2^13 scalars are 256 KiB.
const SERIAL: usize = 1 << 13;
/// Twiddles of levels up to this length are kept (32 bytes x this, for each of two kinds); longer levels step through theirs.
const KEPT: usize = 1 << 20;
/// Butterflies that one task does in a level longer than that.
const STEP: usize = 1 << 10;

/// Where the values are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// The powers of w_n.
    Domain,
    /// w_2n times the powers of w_n.
    Coset,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Inverse,
}

/// A primitive n-th root of unity.
fn root(n: usize) -> Scalar {
    (log2(n)..Scalar::S).fold(Scalar::ROOT_OF_UNITY, |w, _| w.square())
}

/// Twiddles of the level with blocks of `len`: w_len^j, or w_2len^(2j + 1), for j < len / 2.
fn twiddles(len: usize, points: Points) -> &'static [Scalar] {
    const LEVELS: usize = KEPT.trailing_zeros() as usize + 1;
    static TABLES: [[OnceCell<Vec<Scalar>>; LEVELS]; 2] = [const { [const { OnceCell::new() }; LEVELS] }; 2];
    TABLES[points as usize][log2(len) as usize].get_or_init(|| {
        let (first, step) = first_and_step(len, points);
        std::iter::successors(Some(first), |w| Some(*w * step)).take(len / 2).collect()
    })
}

fn first_and_step(len: usize, points: Points) -> (Scalar, Scalar) {
    match points {
        Points::Domain => (Scalar::ONE, root(len)),
        Points::Coset => (root(2 * len), root(len)),
    }
}

/// The pair (x + y, (x - y) / w) of a decimation in frequency; `w` is given by the table entry whose negative it inverts.
#[inline(always)]
fn butterfly_inverse(x: &mut Scalar, y: &mut Scalar, negated_inverse: &Scalar) {
    let difference = *y - *x;
    *x += *y;
    *y = difference * negated_inverse;
}

#[inline(always)]
fn butterfly_forward(x: &mut Scalar, y: &mut Scalar, w: &Scalar) {
    let t = *y * w;
    *y = *x - t;
    *x += t;
}

/// One level over one block. The inverse twiddles are the forward ones read backwards, negated:
/// 1 / w_L^j = -w_L^(L/2 - j), and for the odd powers 1 / w_2L^(2j+1) = -w_2L^(2(L/2-1-j)+1).
fn level_serial(block: &mut [Scalar], points: Points, direction: Direction) {
    let half = block.len() / 2;
    let w = twiddles(block.len(), points);
    let (low, high) = block.split_at_mut(half);
    match (direction, points) {
        (Direction::Forward, _) => {
            for ((x, y), w) in low.iter_mut().zip(high).zip(w) {
                butterfly_forward(x, y, w);
            }
        }
        (Direction::Inverse, Points::Coset) => {
            for ((x, y), w) in low.iter_mut().zip(high).zip(w.iter().rev()) {
                butterfly_inverse(x, y, w);
            }
        }
        (Direction::Inverse, Points::Domain) => {
            let (x, y) = (low[0], high[0]);
            (low[0], high[0]) = (x + y, x - y);
            for ((x, y), w) in low[1..].iter_mut().zip(&mut high[1..]).zip(w[1..].iter().rev()) {
                butterfly_inverse(x, y, w);
            }
        }
    }
}

/// One level over one block too long for the tables or for one thread.
fn level_parallel(block: &mut [Scalar], points: Points, direction: Direction) {
    let (len, half) = (block.len(), block.len() / 2);
    let (first, step) = first_and_step(len, points);
    let (first, step) = match direction {
        Direction::Forward => (first, step),
        // Negated, as the butterfly takes the negative.
        Direction::Inverse => (-first.invert().unwrap_or(Scalar::ZERO), step.invert().unwrap_or(Scalar::ZERO)),
    };
    let (low, high) = block.split_at_mut(half);
    low.par_chunks_mut(STEP).zip(high.par_chunks_mut(STEP)).enumerate().for_each(|(chunk, (low, high))| {
        let mut w = first * step.pow_vartime([(chunk * STEP) as u64]);
        for (x, y) in low.iter_mut().zip(high) {
            match direction {
                Direction::Forward => butterfly_forward(x, y, &w),
                Direction::Inverse => butterfly_inverse(x, y, &w),
            }
            w *= step;
        }
    });
}

/// A level whose table is kept, spread over the pool.
fn level_kept(block: &mut [Scalar], points: Points, direction: Direction) {
    let (len, half) = (block.len(), block.len() / 2);
    let w = twiddles(len, points);
    let (low, high) = block.split_at_mut(half);
    low.par_chunks_mut(STEP).zip(high.par_chunks_mut(STEP)).enumerate().for_each(|(chunk, (low, high))| {
        let from = chunk * STEP;
        match (direction, points) {
            (Direction::Forward, _) => low.iter_mut().zip(high).zip(&w[from..]).for_each(|((x, y), w)| butterfly_forward(x, y, w)),
            (Direction::Inverse, Points::Coset) => {
                low.iter_mut().zip(high).zip(w[..half - from].iter().rev()).for_each(|((x, y), w)| butterfly_inverse(x, y, w));
            }
            (Direction::Inverse, Points::Domain) => {
                let minus_one = -Scalar::ONE;
                for (j, (x, y)) in low.iter_mut().zip(high).enumerate() {
                    let j = from + j;
                    butterfly_inverse(x, y, if j == 0 { &minus_one } else { &w[half - j] });
                }
            }
        }
    });
}

fn level(block: &mut [Scalar], points: Points, direction: Direction) {
    match block.len() {
        len if len > KEPT => level_parallel(block, points, direction),
        len if len > SERIAL => level_kept(block, points, direction),
        _ => level_serial(block, points, direction),
    }
}

fn halves(v: &mut [Scalar], points: Points, transform: fn(&mut [Scalar], Points)) {
    let (low, high) = v.split_at_mut(v.len() / 2);
    if low.len() >= SERIAL {
        rayon::join(|| transform(low, points), || transform(high, points));
    } else {
        transform(low, points);
        transform(high, points);
    }
}

/// Evaluations (natural order) to n times the coefficients (bit-reversed order), in the current rayon pool.
pub fn inverse(v: &mut [Scalar], points: Points) {
    if v.len() > 1 {
        level(v, points, Direction::Inverse);
        halves(v, points, inverse);
    }
}

/// Coefficients (bit-reversed order) to evaluations (natural order), in the current rayon pool.
pub fn forward(v: &mut [Scalar], points: Points) {
    if v.len() > 1 {
        halves(v, points, forward);
        level(v, points, Direction::Forward);
    }
}

/// Where coefficient `i` lies in bit-reversed order.
pub fn reversed(i: usize, log_n: u32) -> usize {
    if log_n == 0 {
        i
    } else {
        i.reverse_bits() >> (usize::BITS - log_n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(i: u64) -> Scalar {
        Scalar::from(i * i + 7).pow_vartime([i + 3])
    }

    /// The definition: sum of c_i x^i at each point.
    fn evaluate(c: &[Scalar], points: Points) -> Vec<Scalar> {
        let n = c.len();
        let shift = if points == Points::Coset { root(2 * n) } else { Scalar::ONE };
        let at = |j: usize| shift * root(n).pow_vartime([j as u64]);
        (0..n).map(|j| c.iter().rev().fold(Scalar::ZERO, |sum, c| sum * at(j) + c)).collect()
    }

    #[test]
    fn transforms_are_evaluations_and_their_inverse() {
        for log_n in 0..=9u32 {
            let n = 1usize << log_n;
            let c: Vec<Scalar> = (0..n as u64).map(value).collect();
            for points in [Points::Domain, Points::Coset] {
                let mut v: Vec<Scalar> = (0..n).map(|i| c[reversed(i, log_n)]).collect();
                forward(&mut v, points);
                assert_eq!(v, evaluate(&c, points), "2^{log_n} {points:?}");
                inverse(&mut v, points);
                let n_scalar = Scalar::from(n as u64);
                assert!((0..n).all(|i| v[reversed(i, log_n)] == c[i] * n_scalar), "2^{log_n} {points:?}");
            }
        }
    }

    /// The three kinds of level agree: parallel with a table, and stepping.
    #[test]
    fn kinds_of_level_agree() {
        let block: Vec<Scalar> = (0..4096).map(value).collect();
        for points in [Points::Domain, Points::Coset] {
            for direction in [Direction::Forward, Direction::Inverse] {
                let of = |f: fn(&mut [Scalar], Points, Direction)| {
                    let mut b = block.clone();
                    f(&mut b, points, direction);
                    b
                };
                let serial = of(level_serial);
                assert!(serial == of(level_kept) && serial == of(level_parallel));
            }
        }
    }

    #[test]
    fn long_transforms_invert_and_evaluate_right_at_one_point() {
        let (log_n, n) = (21u32, 1usize << 21);
        let mut v: Vec<Scalar> = (0..n as u64).map(|i| Scalar::from(i ^ 0x5555)).collect();
        let before = v.clone();
        forward(&mut v, Points::Coset);
        // Value at index 5, by Horner over the natural order.
        let x = root(2 * n) * root(n).pow_vartime([5u64]);
        let expected = (0..n).rev().fold(Scalar::ZERO, |sum, i| sum * x + before[reversed(i, log_n)]);
        assert_eq!(v[5], expected);
        inverse(&mut v, Points::Coset);
        let n_scalar = Scalar::from(n as u64);
        assert!(v.iter().zip(&before).all(|(v, b)| *v == *b * n_scalar));
    }
}
