//! The quotient h = (a b - c) / (x^n - 1), with six transforms.
//!
//! On a coset g the value of x^n - 1 is the constant g^n - 1. By linearity
//! h (g^n - 1) = icosetNTT(A_g B_g) - iNTT(c), so c takes one inverse transform and no forward one. On a satisfied
//! circuit c = a.b on the domain, so it is computed where a and b are; on an unsatisfied one the proof is invalid.

use std::marker::PhantomData;

use crate::backend::{Backend, Evaluations, Lane, Op};
use crate::timing::Scope;

/// Values on the domain.
pub enum Evals {}
/// Coefficients.
pub enum Coeffs {}
/// Values on the coset.
pub enum CosetEvals {}

/// A polynomial in the backend's memory, by what its numbers are: a transform in the wrong basis does not compile.
pub struct Poly<B: Backend, Form>(B::Pending<B::Values>, PhantomData<Form>);

impl<B: Backend, Form> Poly<B, Form> {
    fn new(values: B::Pending<B::Values>) -> Self {
        Poly(values, PhantomData)
    }

    /// The coefficients, for the MSM.
    pub fn into_values(self) -> B::Pending<B::Values> {
        self.0
    }
}

fn op<'a>(scope: &'a Scope, phase: &'static str) -> Op<'a> {
    Op { scope, lane: Lane::Main, phase }
}

fn interpolate<B: Backend>(backend: &B, scope: &Scope, p: Poly<B, Evals>) -> Poly<B, Coeffs> {
    Poly::new(backend.interpolate(op(scope, "cpu.ntt"), p.0))
}

fn coset_evaluate<B: Backend>(backend: &B, scope: &Scope, p: Poly<B, Coeffs>) -> Poly<B, CosetEvals> {
    Poly::new(backend.coset_evaluate(op(scope, "cpu.ntt"), p.0))
}

fn product<B: Backend>(backend: &B, scope: &Scope, a: Poly<B, CosetEvals>, b: Poly<B, CosetEvals>) -> Poly<B, Coeffs> {
    Poly::new(backend.multiply_and_interpolate(op(scope, "cpu.ntt"), a.0, b.0))
}

/// Enqueues the six transforms.
pub fn quotient<B: Backend>(backend: &B, scope: &Scope, evaluations: Evaluations<B::Pending<B::Values>>) -> Poly<B, Coeffs> {
    let Evaluations { a, b, c } = evaluations;
    let a = interpolate(backend, scope, Poly::new(a));
    let b = interpolate(backend, scope, Poly::new(b));
    let c = interpolate(backend, scope, Poly::new(c));
    let a = coset_evaluate(backend, scope, a);
    let b = coset_evaluate(backend, scope, b);
    let ab = product(backend, scope, a, b);
    Poly::new(backend.divide(op(scope, "cpu.quotient"), ab.0, c.0))
}
