//! Verification by pairing: e(A, B) = e(alpha, beta) e(sum x_i ic_i, gamma) e(C, delta).

use blstrs::{Bls12, G1Projective, G2Prepared, Scalar};
use group::{Curve, Group};
use pairing::{MillerLoopResult, MultiMillerLoop};

use super::Proof;
use crate::srs::VerifyingKey;
use crate::Error;

/// Whether the proof holds for these public inputs (without the leading one).
///
/// # Errors
/// `InvalidArgument` if the number of inputs is not that of the key.
pub fn verify(key: &VerifyingKey, inputs: &[Scalar], proof: &Proof) -> Result<bool, Error> {
    if inputs.len() + 1 != key.ic.len() {
        let expected = key.ic.len() - 1;
        return Err(Error::InvalidArgument(format!("{} public inputs given, the key has {expected}", inputs.len())));
    }
    let sum = inputs.iter().zip(&key.ic[1..]).fold(G1Projective::from(key.ic[0]), |sum, (x, point)| sum + *point * x);
    let prepare = G2Prepared::from;
    let product = Bls12::multi_miller_loop(&[
        (&-proof.a, &prepare(proof.b)),
        (&key.alpha_g1, &prepare(key.beta_g2)),
        (&sum.to_affine(), &prepare(key.gamma_g2)),
        (&proof.c, &prepare(key.delta_g2)),
    ]);
    Ok(bool::from(product.final_exponentiation().is_identity()))
}
