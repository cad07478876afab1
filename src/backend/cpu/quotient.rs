//! The quotient h = (a b - c) / (x^n - 1) on the CPU, with six transforms.
//!
//! On a coset g the value of x^n - 1 is the constant g^n - 1. By linearity
//! h (g^n - 1) = icosetNTT(A_g B_g) - iNTT(c), so c takes one inverse transform and no forward one. On a satisfied
//! circuit c = a.b on the domain, so it is computed where a and b are; on an unsatisfied one the proof is invalid.

use std::marker::PhantomData;

use blstrs::Scalar;
use ff::Field;
use rayon::prelude::*;

use super::crew::Crew;
use super::ntt::{self, Points};
use crate::timing::Scope;
use crate::Error;

/// Scalars that one task of a pointwise operation takes.
const BLOCK: usize = 1 << 12;

/// Values on the domain.
pub enum Evals {}
/// Coefficients, in bit-reversed order; how often n is contained in them depends on the transforms they came through.
pub enum Coeffs {}
/// Values on the coset.
pub enum CosetEvals {}

/// A polynomial, by what its numbers are: a transform in the wrong basis does not compile.
pub struct Poly<Form>(Vec<Scalar>, PhantomData<Form>);

impl<Form> Poly<Form> {
    fn new(values: Vec<Scalar>) -> Self {
        Poly(values, PhantomData)
    }

    /// Multiplies pointwise.
    fn times(mut self, other: &Self) -> Self {
        pointwise(&mut self.0, &other.0, |a, b| *a *= b);
        self
    }
}

impl Poly<Evals> {
    /// Values on the whole domain, padded.
    pub fn on_domain(values: Vec<Scalar>) -> Self {
        Poly::new(values)
    }

    fn interpolate(mut self) -> Poly<Coeffs> {
        ntt::inverse(&mut self.0, Points::Domain);
        Poly::new(self.0)
    }
}

impl Poly<Coeffs> {
    fn evaluate_on_coset(mut self) -> Poly<CosetEvals> {
        ntt::forward(&mut self.0, Points::Coset);
        Poly::new(self.0)
    }

    /// The coefficients, in bit-reversed order.
    pub fn into_values(self) -> Vec<Scalar> {
        self.0
    }
}

impl Poly<CosetEvals> {
    fn interpolate(mut self) -> Poly<Coeffs> {
        ntt::inverse(&mut self.0, Points::Coset);
        Poly::new(self.0)
    }
}

fn pointwise(to: &mut [Scalar], from: &[Scalar], f: impl Fn(&mut Scalar, &Scalar) + Sync) {
    to.par_chunks_mut(BLOCK).zip(from.par_chunks(BLOCK)).for_each(|(to, from)| to.iter_mut().zip(from).for_each(|(x, y)| f(x, y)));
}

/// Computes h from a, b and a.b on the domain, with the main lane's threads; `lane` is its name in the report.
///
/// # Errors
/// Those of [`crate::Cancel::check`].
pub fn quotient(
    crew: &Crew,
    scope: &Scope,
    lane: &'static str,
    a: Poly<Evals>,
    b: Poly<Evals>,
    c: Poly<Evals>,
) -> Result<Poly<Coeffs>, Error> {
    fn step<T: Send>(
        crew: &Crew,
        scope: &Scope,
        lane: &'static str,
        phase: &'static str,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, Error> {
        scope.cancel().check()?;
        let _span = scope.work(lane, phase);
        Ok(crew.install(work))
    }
    let c = step(crew, scope, lane, "cpu.quotient", || c.times(&b))?;
    let a = step(crew, scope, lane, "cpu.ntt", || a.interpolate())?;
    let b = step(crew, scope, lane, "cpu.ntt", || b.interpolate())?;
    let c = step(crew, scope, lane, "cpu.ntt", || c.interpolate())?;
    let a = step(crew, scope, lane, "cpu.ntt", || a.evaluate_on_coset())?;
    let b = step(crew, scope, lane, "cpu.ntt", || b.evaluate_on_coset())?;
    let ab = step(crew, scope, lane, "cpu.quotient", || {
        let ab = a.times(&b);
        drop(b);
        ab
    })?;
    let ab = step(crew, scope, lane, "cpu.ntt", || ab.interpolate())?;
    step(crew, scope, lane, "cpu.quotient", || divide(ab, c))
}

/// (a.b - c) / (g^n - 1), where g^n = -1. No transform divided by n: a.b carries n^3 (three transforms), c carries n.
fn divide(mut ab: Poly<Coeffs>, c: Poly<Coeffs>) -> Poly<Coeffs> {
    let inverse = |x: Scalar| x.invert().unwrap_or(Scalar::ZERO);
    let n_inverse = inverse(Scalar::from(ab.0.len() as u64));
    let scale_c = n_inverse * inverse(-Scalar::from(2u64));
    let scale_ab = scale_c * n_inverse.square();
    pointwise(&mut ab.0, &c.0, |ab, c| *ab = *ab * scale_ab - *c * scale_c);
    ab
}
