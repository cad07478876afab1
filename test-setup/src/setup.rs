//! The setup: a circuit's parameters from a trapdoor that is drawn from a seed, hence known to all.
//!
//! With u_j, v_j, w_j the polynomials of variable j, n the size of the domain, and t = tau^n - 1:
//!
//! ```text
//! ic_j = (beta u_j + alpha v_j + w_j) / gamma   for inputs        a_j = u_j
//! l_j  = (beta u_j + alpha v_j + w_j) / delta   for the others    b_j = v_j
//! h_i  = tau^i t / delta                        for i below n - 1
//! ```
//!
//! all at tau and as multiples of the generators. Draws and bytes are those of bellperson's `generate_random_parameters`.

use std::path::Path;

use bellpepper_core::Circuit;
use blst::{blst_fp, blst_fp2};
use blstrs::{G1Projective, G2Projective, Scalar as Fr};
use ff::Field;
use group::{Curve, Group};
use rand_core::RngCore;
use rayon::prelude::*;

use crate::field::Coordinates;
use crate::fixed_base::FixedBase;
use crate::output::{Output, Written};
use crate::qap::{Qap, Values};
use crate::Error;

/// Points that are computed, then written, at a time: 24 MiB of G1.
const BATCH: usize = 1 << 18;

/// The secrets of a setup, here no secrets at all: whoever has them can prove anything.
#[derive(Clone, Debug)]
pub struct Trapdoor {
    /// Generator of G1.
    pub g1: G1Projective,
    /// Generator of G2.
    pub g2: G2Projective,
    /// Binds a proof's parts to each other, with beta.
    pub alpha: Fr,
    /// Binds a proof's parts to each other, with alpha.
    pub beta: Fr,
    /// Keeps the inputs' part from being forged.
    pub gamma: Fr,
    /// Keeps the other variables' part from being forged.
    pub delta: Fr,
    /// The point at which all polynomials are evaluated.
    pub tau: Fr,
}

impl Trapdoor {
    /// Draws in bellperson's order.
    pub fn draw(rng: &mut impl RngCore) -> Self {
        Self {
            g1: G1Projective::random(&mut *rng),
            g2: G2Projective::random(&mut *rng),
            alpha: Fr::random(&mut *rng),
            beta: Fr::random(&mut *rng),
            gamma: Fr::random(&mut *rng),
            delta: Fr::random(&mut *rng),
            tau: Fr::random(&mut *rng),
        }
    }
}

/// What a setup made.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Constraints of the circuit, without the one row an input that the setup adds.
    pub constraints: usize,
    /// Public inputs with the constant one.
    pub inputs: usize,
    /// Auxiliary variables.
    pub aux: usize,
    /// Size of the domain, a power of two.
    pub domain: usize,
    /// The parameter file.
    pub params: Written,
    /// The verifying key's file.
    pub vk: Written,
}

/// Makes the parameter file and the verifying key of a circuit, as bellperson's `generate_random_parameters` with the same
/// generator would. **For tests alone: who knows the seed can forge proofs.**
///
/// `circuit` makes the circuit without its witness; it is called twice.
pub fn generate<C: Circuit<Fr>>(circuit: impl Fn() -> C, rng: &mut impl RngCore, params: &Path, vk: &Path) -> Result<Generated, Error> {
    generate_from(circuit, &Trapdoor::draw(rng), params, vk, &mut |_| ())
}

/// As [`generate`], from a trapdoor that the caller keeps, with a line of `progress` for each step.
pub fn generate_from<C: Circuit<Fr>>(
    circuit: impl Fn() -> C,
    trapdoor: &Trapdoor,
    params: &Path,
    vk: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Generated, Error> {
    let Trapdoor { g1, g2, alpha, beta, gamma, delta, tau } = *trapdoor;
    let qap = Qap::evaluate(circuit, tau)?;
    let (inputs, aux) = (qap.inputs.u.len(), qap.aux.u.len());
    progress(&format!("{} constraints, {inputs} inputs, {aux} aux variables", qap.constraints));

    let invert = |secret: Fr| secret.invert().expect("a drawn secret is zero with probability 2^-255");
    let combine = |Values { u, v, w }: &Values, divisor: Fr| -> Vec<Fr> {
        let scale = invert(divisor);
        let combine = |((u, v), w): ((&Fr, &Fr), &Fr)| (beta * u + alpha * v + w) * scale;
        u.par_iter().zip(v).zip(w).map(combine).collect()
    };
    let ic = combine(&qap.inputs, gamma);
    let l = combine(&qap.aux, delta);
    if let Some(j) = l.iter().position(|l| bool::from(l.is_zero())) {
        return Err(Error::Unconstrained(j));
    }
    let significant = |inputs: &[Fr], aux: &[Fr]| -> Vec<Fr> {
        [inputs, aux].concat().into_iter().filter(|value| !bool::from(value.is_zero())).collect()
    };
    let a = significant(&qap.inputs.u, &qap.aux.u);
    let b = significant(&qap.inputs.v, &qap.aux.v);
    let (constraints, domain, vanishing) = (qap.constraints, qap.domain, qap.vanishing);
    drop((qap.inputs, qap.aux));
    let h = powers(tau, vanishing * invert(delta), domain - 1);

    let g1_count = ic.len() + h.len() + l.len() + a.len() + b.len();
    let g1_multiples = FixedBase::<blst_fp>::new(g1, g1_count);
    let g2_multiples = FixedBase::<blst_fp2>::new(g2, b.len());

    let mut head = Vec::new();
    head.extend_from_slice(&(g1 * alpha).to_affine().to_uncompressed());
    head.extend_from_slice(&(g1 * beta).to_affine().to_uncompressed());
    head.extend_from_slice(&(g2 * beta).to_affine().to_uncompressed());
    head.extend_from_slice(&(g2 * gamma).to_affine().to_uncompressed());
    head.extend_from_slice(&(g1 * delta).to_affine().to_uncompressed());
    head.extend_from_slice(&(g2 * delta).to_affine().to_uncompressed());
    head.extend_from_slice(&(ic.len() as u32).to_be_bytes());
    head.extend_from_slice(&g1_multiples.multiples(&ic));

    let mut vk = Output::create(vk)?;
    vk.write(&head)?;
    let mut params = Output::create(params)?;
    params.write(&head)?;
    for (name, scalars) in [("h", h), ("l", l), ("a", a), ("b_g1", b.clone())] {
        progress(&format!("{name}: {} points of G1", scalars.len()));
        section(&mut params, &g1_multiples, &scalars)?;
    }
    progress(&format!("b_g2: {} points of G2", b.len()));
    section(&mut params, &g2_multiples, &b)?;
    Ok(Generated { constraints, inputs, aux, domain, params: params.finish(), vk: vk.finish() })
}

/// Writes a counted section.
fn section<F: Coordinates>(out: &mut Output, base: &FixedBase<F>, scalars: &[Fr]) -> Result<(), Error> {
    out.write(&(scalars.len() as u32).to_be_bytes())?;
    scalars.chunks(BATCH).try_for_each(|scalars| out.write(&base.multiples(scalars)))
}

/// `scale * base^i` for i below `count`.
fn powers(base: Fr, scale: Fr, count: usize) -> Vec<Fr> {
    const CHUNK: usize = 1 << 16;
    let mut powers = vec![scale; count];
    powers.par_chunks_mut(CHUNK).enumerate().for_each(|(i, powers)| {
        let mut power = scale * base.pow_vartime([(i * CHUNK) as u64]);
        for value in powers {
            *value = power;
            power *= base;
        }
    });
    powers
}
