//! Batches of circuits of one shape.

use std::collections::VecDeque;

use blstrs::Scalar;

use super::{start, verify, Blinding, Pending, Proof};
use crate::backend::Backend;
use crate::circuit::{self, Assignment};
use crate::srs::Srs;
use crate::timing::{Scope, CALLER};
use crate::Error;

/// How to prove.
#[derive(Clone, Copy, Debug)]
pub struct ProveOptions {
    /// Verify each proof by pairing before it is returned.
    pub self_verify: bool,
    /// Look for the first row in which a.b differs from c before proving; needs c.
    pub check_satisfied: bool,
}

impl Default for ProveOptions {
    fn default() -> Self {
        ProveOptions { self_verify: true, check_satisfied: false }
    }
}

/// Proves circuits of one shape, in order. `blinding` gives r and s of each circuit; `None` draws fresh ones.
///
/// # Errors
/// `BadAssignment`, `BadScalar`, `ParamsMismatch` for what was handed over, before any proof begins;
/// `Unsatisfied` on request; `ProofInvalid` if a proof fails its own verification; `Cancelled`, `TimedOut`.
pub fn prove_batch<B: Backend>(
    backend: &B,
    srs: &Srs,
    circuits: &[Assignment],
    blinding: Option<Vec<Blinding>>,
    options: ProveOptions,
    scope: &Scope,
) -> Result<Vec<Proof>, Error> {
    let blinding = match blinding {
        Some(given) if given.len() != circuits.len() => {
            return Err(Error::InvalidArgument(format!("{} pairs (r, s) for {} circuits", given.len(), circuits.len())));
        }
        Some(given) => given,
        None => (0..circuits.len()).map(|_| Blinding::fresh()).collect::<Result<_, _>>()?,
    };
    let parts = circuits.iter().zip(blinding).enumerate();
    prove_each(backend, srs, parts.map(|(i, (x, blinding))| Part { x: *x, blinding, scope: scope.for_part(i) }).collect(), options)
}

/// A circuit of a batch; its scope tells whose it is, and which part.
pub struct Part<'a> {
    /// The circuit.
    pub x: Assignment<'a>,
    /// Its r and s.
    pub blinding: Blinding,
    /// Its spans go there, and its number to errors.
    pub scope: Scope,
}

/// As [`prove_batch`], of circuits of one shape that may belong to several jobs.
///
/// # Errors
/// As for [`prove_batch`]: the first that is found, whichever circuit it is about.
pub fn prove_each<B: Backend>(backend: &B, srs: &Srs, parts: Vec<Part>, options: ProveOptions) -> Result<Vec<Proof>, Error> {
    for Part { x, scope, .. } in &parts {
        scope.cancel().check()?;
        let i = scope.part();
        let _span = scope.work(CALLER, "input.verify").attr("rows", x.a.len());
        backend.on_cores(|| circuit::check(i, x, srs))?;
        if options.check_satisfied {
            if x.c.is_empty() {
                return Err(Error::InvalidArgument(format!("circuit {i}: the check of a.b = c needs c")));
            }
            let rows = [("a", x.a), ("b", x.b), ("c", x.c)];
            backend.on_cores(|| rows.into_iter().try_for_each(|(field, values)| circuit::check_field(i, field, values)))?;
            if let Some(row) = backend.on_cores(|| circuit::first_unsatisfied(x)) {
                return Err(Error::Unsatisfied { circuit: i, row });
            }
        }
    }
    let mut proofs = Vec::with_capacity(parts.len());
    let mut under_way = VecDeque::new();
    let mut finish = |under_way: &mut VecDeque<(Pending<B>, Vec<Scalar>, Scope)>| -> Result<(), Error> {
        let Some((pending, inputs, scope)) = under_way.pop_front() else { return Ok(()) };
        let proof = pending.finish()?;
        if options.self_verify {
            let _span = scope.work(CALLER, "verify");
            self_verify(scope.part(), srs, &inputs[1..], &proof)?;
        }
        proofs.push(proof);
        Ok(())
    };
    for Part { x, blinding, scope } in parts {
        scope.cancel().check()?;
        if under_way.len() >= backend.depth() {
            finish(&mut under_way)?;
        }
        under_way.push_back((start(backend, srs, &x, blinding, &scope)?, x.inputs.to_vec(), scope));
    }
    while !under_way.is_empty() {
        finish(&mut under_way)?;
    }
    Ok(proofs)
}

fn self_verify(circuit: usize, srs: &Srs, inputs: &[Scalar], proof: &Proof) -> Result<(), Error> {
    if verify(&srs.key, inputs, proof)? {
        Ok(())
    } else {
        Err(Error::ProofInvalid { circuit })
    }
}
