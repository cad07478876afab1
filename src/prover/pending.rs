//! One circuit's proof under way: all its operations enqueued, none waited for.

use blstrs::{G1Projective, G2Projective};

use super::assemble::{assemble, Sums};
use super::{Blinding, Proof};
use crate::backend::{Backend, Lane, Op, Pending as _, Phase, Query};
use crate::circuit::Assignment;
use crate::fault;
use crate::srs::Srs;
use crate::timing::{Scope, CALLER};
use crate::Error;

/// Operations of one query: the sum of the ones and the MSM of the tail.
struct Split<B: Backend, G: Send + 'static> {
    ones: B::Pending<G>,
    tail: B::Pending<G>,
}

impl<B: Backend, G: Send + std::ops::Add<Output = G> + 'static> Split<B, G> {
    fn wait(self) -> Result<G, Error> {
        Ok(self.ones.wait()? + self.tail.wait()?)
    }
}

/// A proof under way. Dropping it leaves its operations to end by themselves; nothing leaks.
#[must_use = "a proof is had by finishing it"]
pub struct Pending<B: Backend> {
    h: B::Pending<G1Projective>,
    l: Split<B, G1Projective>,
    a: Split<B, G1Projective>,
    b_g1: Split<B, G1Projective>,
    b_g2: Split<B, G2Projective>,
    blinding: Blinding,
    srs: Srs,
    scope: Scope,
}

fn split<B: Backend>(backend: &B, scope: &Scope, query: Query, witness: &B::Witness, srs: &Srs) -> Split<B, G1Projective> {
    let op = |phase| Op { scope, lane: Lane::Main, phase };
    Split {
        ones: backend.sum_ones(op(Phase::SumOnes(query)), query, witness, srs),
        tail: backend.msm_tail(op(Phase::MsmTail(query)), query, witness, srs),
    }
}

/// Enqueues one circuit's proof. The assignment was checked; it has been read when this returns.
///
/// # Errors
/// Those of the uploads.
pub fn start<B: Backend>(backend: &B, srs: &Srs, x: &Assignment, blinding: Blinding, scope: &Scope) -> Result<Pending<B>, Error> {
    let op = |lane, phase| Op { scope, lane, phase };
    let witness = backend.upload_witness(op(Lane::Main, Phase::Split), x, srs)?;
    let b_g2 = Split {
        ones: backend.sum_ones_g2(op(Lane::BG2, Phase::SumOnesG2), &witness, srs),
        tail: backend.msm_tail_g2(op(Lane::BG2, Phase::MsmTailG2), &witness, srs),
    };
    let evaluations = backend.upload_evaluations(op(Lane::Main, Phase::Evaluations), x)?;
    fault::point("bridge");
    let h = backend.quotient(op(Lane::Main, Phase::Quotient), evaluations);
    let h = backend.msm_h(op(Lane::Main, Phase::MsmH), h, srs);
    let l = split(backend, scope, Query::L, &witness, srs);
    let a = split(backend, scope, Query::A, &witness, srs);
    let b_g1 = split(backend, scope, Query::BG1, &witness, srs);
    Ok(Pending { h, l, a, b_g1, b_g2, blinding, srs: srs.clone(), scope: scope.clone() })
}

impl<B: Backend> Pending<B> {
    /// Waits for all sums and assembles the proof.
    ///
    /// # Errors
    /// That of the first operation that failed.
    pub fn finish(self) -> Result<Proof, Error> {
        let joined = self.scope.join(CALLER, "join");
        // In the order in which they end.
        let (h, l, a, b_g1) = (self.h.wait()?, self.l.wait()?, self.a.wait()?, self.b_g1.wait()?);
        drop(joined);
        let joined = self.scope.join(CALLER, "join.b_g2");
        let b_g2 = self.b_g2.wait()?;
        drop(joined);
        let _span = self.scope.work(CALLER, "finalize");
        Ok(assemble(&self.srs.key, &Sums { h, l, a, b_g1, b_g2 }, &self.blinding))
    }
}
