//! One circuit's proof under way: all its operations enqueued, none waited for.

use blstrs::{G1Projective, G2Projective};

use super::assemble::{assemble, Sums};
use super::{Blinding, Proof};
use crate::backend::{Backend, Pending as _, Query};
use crate::circuit::Assignment;
use crate::fault;
use crate::srs::Srs;
use crate::timing::{Scope, CALLER};
use crate::Error;

/// A proof under way. Dropping it leaves its operations to end by themselves; nothing leaks.
#[must_use = "a proof is had by finishing it"]
pub struct Pending<B: Backend> {
    h: B::Pending<G1Projective>,
    l: B::Pending<G1Projective>,
    a: B::Pending<G1Projective>,
    b_g1: B::Pending<G1Projective>,
    b_g2: B::Pending<G2Projective>,
    blinding: Blinding,
    srs: Srs,
    scope: Scope,
}

/// Enqueues one circuit's proof. The assignment was checked; it has been read when this returns.
///
/// # Errors
/// Those of the uploads.
pub fn start<B: Backend>(backend: &B, srs: &Srs, x: &Assignment, blinding: Blinding, scope: &Scope) -> Result<Pending<B>, Error> {
    let witness = backend.upload_witness(scope, x, srs)?;
    let b_g2 = backend.sum_b_g2(scope, &witness, srs);
    let [l, a, b_g1] = [Query::L, Query::A, Query::BG1].map(|query| backend.sum(scope, query, &witness, srs));
    let evaluations = backend.upload_evaluations(scope, x, witness)?;
    fault::point("bridge");
    let h = backend.quotient(scope, evaluations);
    let h = backend.msm_h(scope, h, srs);
    Ok(Pending { h, l, a, b_g1, b_g2, blinding, srs: srs.clone(), scope: scope.clone() })
}

impl<B: Backend> Pending<B> {
    /// Waits for all sums and assembles the proof.
    ///
    /// # Errors
    /// That of the first operation that failed.
    pub fn finish(self) -> Result<Proof, Error> {
        let joined = self.scope.join(CALLER, "join");
        let (l, a, b_g1, h) = (self.l.wait()?, self.a.wait()?, self.b_g1.wait()?, self.h.wait()?);
        drop(joined);
        let joined = self.scope.join(CALLER, "join.b_g2");
        let b_g2 = self.b_g2.wait()?;
        drop(joined);
        let _span = self.scope.work(CALLER, "finalize");
        Ok(assemble(&self.srs.key, &Sums { h, l, a, b_g1, b_g2 }, &self.blinding))
    }
}
