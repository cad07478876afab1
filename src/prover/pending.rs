//! One circuit's proof under way: all its operations enqueued, none waited for.

use blstrs::{G1Projective, G2Projective};

use super::assemble::{assemble, Sums};
use super::quotient::quotient;
use super::{Blinding, Proof};
use crate::backend::{Backend, Lane, Op, Pending as _, Query};
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

fn split<B: Backend>(
    backend: &B,
    scope: &Scope,
    query: Query,
    phases: [&'static str; 2],
    witness: &B::Witness,
    srs: &Srs,
) -> Split<B, G1Projective> {
    let op = |phase| Op { scope, lane: Lane::Main, phase };
    Split { ones: backend.sum_ones(op(phases[0]), query, witness, srs), tail: backend.msm_tail(op(phases[1]), query, witness, srs) }
}

/// Enqueues one circuit's proof. The assignment was checked; it has been read when this returns.
///
/// # Errors
/// Those of the uploads.
pub fn start<B: Backend>(backend: &B, srs: &Srs, x: &Assignment, blinding: Blinding, scope: &Scope) -> Result<Pending<B>, Error> {
    let op = |lane, phase| Op { scope, lane, phase };
    let witness = backend.upload_witness(op(Lane::Main, "prep.split"), x, srs)?;
    let b_g2 = Split {
        ones: backend.sum_ones_g2(op(Lane::BG2, "cpu.batch_add.b2"), &witness, srs),
        tail: backend.msm_tail_g2(op(Lane::BG2, "cpu.msm.b2"), &witness, srs),
    };
    let evaluations = backend.upload_evaluations(op(Lane::Main, "prep.evaluations"), x)?;
    fault::point("bridge");
    let h = quotient(backend, scope, evaluations);
    let h = backend.msm_h(op(Lane::Main, "cpu.msm.h"), h.into_values(), srs);
    let l = split(backend, scope, Query::L, ["cpu.batch_add.l", "cpu.msm.l"], &witness, srs);
    let a = split(backend, scope, Query::A, ["cpu.batch_add.a", "cpu.msm.a"], &witness, srs);
    let b_g1 = split(backend, scope, Query::BG1, ["cpu.batch_add.b1", "cpu.msm.b1"], &witness, srs);
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
