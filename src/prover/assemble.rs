//! The proof from its sums: the equations at the head of [`crate::prover`], letter by letter.

use blstrs::{G1Projective, G2Projective};
use group::Curve;

use super::{Blinding, Proof};
use crate::srs::VerifyingKey;

/// The sums over the assignment, without alpha, beta and blinding.
pub struct Sums {
    pub h: G1Projective,
    pub l: G1Projective,
    pub a: G1Projective,
    pub b_g1: G1Projective,
    pub b_g2: G2Projective,
}

/// Multiplications by r, s and r s are blst's constant-time ones: the blinding is secret.
pub fn assemble(key: &VerifyingKey, sums: &Sums, Blinding { r, s }: &Blinding) -> Proof {
    let a = sums.a + key.alpha_g1 + key.delta_g1 * r;
    let b = sums.b_g2 + key.beta_g2 + key.delta_g2 * s;
    let b_1 = sums.b_g1 + key.beta_g1 + key.delta_g1 * s;
    let c = sums.l + sums.h + a * s + b_1 * r - key.delta_g1 * (r * s);
    Proof { a: a.to_affine(), b: b.to_affine(), c: c.to_affine() }
}
