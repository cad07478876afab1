//! The circuit level: proofs from assignments that the caller synthesised.

use std::ffi::c_char;
use std::sync::atomic::{AtomicU64, Ordering};

use blstrs::Scalar;

use super::error::c2p_error;
use super::handle;
use super::pointer::{self, Versioned};
use super::result::{c2p_result, Finished};
use super::srs::c2p_srs;
use super::types::{c2p_switch, switch};
use super::{call_out, threads};
use crate::circuit::{is_canonical, Assignment, Density};
use crate::config::Config;
use crate::prover::{Blinding, Proof, ProveOptions};
use crate::srs::Srs;
use crate::timing::{Began, Recorder, Scope, CALLER};
use crate::{Error, Status};

/// An element of the scalar field of BLS12-381 in blst's memory form (blst_fr, blstrs::Scalar): Montgomery, four words,
/// the least significant first, below r.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct c2p_scalar {
    /// The words.
    pub l: [u64; 4],
}

const _: () = assert!(size_of::<c2p_scalar>() == size_of::<Scalar>() && align_of::<c2p_scalar>() == align_of::<Scalar>());

/// One circuit, synthesised: the fields of supraseal-c2's Assignment, in the same order and with the same meaning.
/// Everything is borrowed for the time of the call.
///
/// A density is a bit vector: bit i of word i / 64, the least significant first, tells whether variable i occurs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct c2p_assignment {
    /// Which auxiliary variables occur in A. (All inputs do.)
    pub a_aux_density: *const u64,
    /// Bits of a_aux_density: aux_assignment_size.
    pub a_aux_bit_len: usize,
    /// Bits of it that are set.
    pub a_aux_popcount: usize,
    /// Which inputs occur in B.
    pub b_inp_density: *const u64,
    /// Bits of b_inp_density: inp_assignment_size.
    pub b_inp_bit_len: usize,
    /// Bits of it that are set.
    pub b_inp_popcount: usize,
    /// Which auxiliary variables occur in B.
    pub b_aux_density: *const u64,
    /// Bits of b_aux_density: aux_assignment_size.
    pub b_aux_bit_len: usize,
    /// Bits of it that are set.
    pub b_aux_popcount: usize,
    /// Rows of A times the assignment: one for each constraint, then one for each input.
    pub a: *const c2p_scalar,
    /// Rows of B times the assignment.
    pub b: *const c2p_scalar,
    /// Rows of C times the assignment. May be NULL: only check_satisfied looks at it, as c = a b on a satisfied circuit.
    pub c: *const c2p_scalar,
    /// Rows of a, of b and of c.
    pub abc_size: usize,
    /// The public inputs, the constant one first.
    pub inp_assignment_data: *const c2p_scalar,
    /// Number of inputs, the constant one counted.
    pub inp_assignment_size: usize,
    /// The auxiliary variables.
    pub aux_assignment_data: *const c2p_scalar,
    /// Number of auxiliary variables.
    pub aux_assignment_size: usize,
}

/// How to prove assignments. Set struct_size, zero the rest.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct c2p_prove_options {
    /// sizeof(c2p_prove_options).
    pub struct_size: usize,
    /// Threads in all; 0: C2PROVER_CPU_THREADS, or one for each core this process may use. The threads of each number
    /// once used stay for later calls.
    pub threads: u32,
    /// Verify each proof before it is returned. Default: C2PROVER_SELF_VERIFY, or on.
    pub self_verify: c2p_switch,
    /// Look for the first row in which a b differs from c before proving. Needs c. Default: off.
    pub check_satisfied: c2p_switch,
    /// Zero.
    pub reserved: u32,
    /// Name for log lines and the report, in UTF-8; NULL: one is made up.
    pub job: *const c_char,
}

// SAFETY: integers and a pointer, which may be NULL; the size first; zeros are the defaults.
unsafe impl Versioned for c2p_prove_options {}

/// Scalars of the caller. Whether they are canonical is checked later, before they are used.
///
/// # Safety
/// As for [`pointer::slice`].
pub unsafe fn scalars<'a>(ptr: *const c2p_scalar, len: usize, name: impl std::fmt::Display) -> Result<&'a [Scalar], Error> {
    // SAFETY: `Scalar` is transparent over blst_fr, which has the layout of c2p_scalar (asserted above) and no invalid
    // bit patterns; the rest is this function's contract.
    unsafe { pointer::slice(ptr.cast::<Scalar>(), len, name) }
}

/// A density over `variables` variables. A bit length that differs from them is an error later, so no more is looked at.
///
/// # Safety
/// If `words` is not NULL, the words of a density over the smaller number of bits lie there for `'a`.
unsafe fn density<'a>(words: *const u64, bit_len: usize, popcount: usize, variables: usize, name: String) -> Result<Density<'a>, Error> {
    // SAFETY: passed on from this function's contract.
    let words = unsafe { pointer::slice(words, Density::words_for(bit_len.min(variables)), name) }?;
    Ok(Density { words, bit_len, popcount })
}

/// One assignment of the caller's array.
///
/// # Safety
/// The pointers and sizes are as the header says.
unsafe fn assignment<'a>(i: usize, x: &c2p_assignment) -> Result<Assignment<'a>, Error> {
    let named = |field: &str| format!("assignments[{i}].{field}");
    let (inputs, aux) = (x.inp_assignment_size, x.aux_assignment_size);
    let c_size = if x.c.is_null() { 0 } else { x.abc_size };
    // SAFETY: passed on from this function's contract, field by field.
    unsafe {
        Ok(Assignment {
            a: scalars(x.a, x.abc_size, named("a"))?,
            b: scalars(x.b, x.abc_size, named("b"))?,
            c: scalars(x.c, c_size, named("c"))?,
            inputs: scalars(x.inp_assignment_data, inputs, named("inp_assignment_data"))?,
            aux: scalars(x.aux_assignment_data, aux, named("aux_assignment_data"))?,
            a_aux_density: density(x.a_aux_density, x.a_aux_bit_len, x.a_aux_popcount, aux, named("a_aux_density"))?,
            b_input_density: density(x.b_inp_density, x.b_inp_bit_len, x.b_inp_popcount, inputs, named("b_inp_density"))?,
            b_aux_density: density(x.b_aux_density, x.b_aux_bit_len, x.b_aux_popcount, aux, named("b_aux_density"))?,
        })
    }
}

/// r and s of each circuit, or fresh ones.
///
/// # Safety
/// If they are not NULL, `n` scalars lie at each.
unsafe fn blinding(r: *const c2p_scalar, s: *const c2p_scalar, n: usize) -> Result<Option<Vec<Blinding>>, Error> {
    match (r.is_null(), s.is_null()) {
        (true, true) => return Ok(None),
        (false, false) => {}
        (_, s_is_null) => {
            let (given, missing) = if s_is_null { ("r", "s") } else { ("s", "r") };
            return Err(Error::InvalidArgument(format!("{given} is given and {missing} is NULL: pass both or neither")));
        }
    }
    // SAFETY: passed on from this function's contract.
    let (r, s) = unsafe { (scalars(r, n, "r")?, scalars(s, n, "s")?) };
    for (field, values) in [("r", r), ("s", s)] {
        if let Some(i) = values.iter().position(|x| !is_canonical(x)) {
            return Err(Error::BadScalar { circuit: i, field, index: i, reason: "is not below r" });
        }
    }
    Ok(Some(r.iter().zip(s).map(|(r, s)| Blinding::given(*r, *s)).collect()))
}

/// What the caller and the environment ask for.
struct Wanted {
    threads: u32,
    prove: ProveOptions,
}

fn wanted(options: &c2p_prove_options, config: &Config) -> Result<Wanted, Error> {
    pointer::zero(options.reserved, "options.reserved")?;
    Ok(Wanted {
        threads: options.threads,
        prove: ProveOptions {
            self_verify: switch(options.self_verify, config.self_verify, "options.self_verify")?,
            check_satisfied: switch(options.check_satisfied, false, "options.check_satisfied")?,
        },
    })
}

fn prove(
    srs: &Srs,
    circuits: &[Assignment],
    blinding: Option<Vec<Blinding>>,
    wanted: &Wanted,
    config: &Config,
    scope: &Scope,
) -> Result<(Vec<u8>, String), Error> {
    let processors = threads::processors(wanted.threads, config, scope)?;
    let proofs = processors.prove(srs, circuits, blinding, wanted.prove, scope)?;
    Ok((proofs.iter().flat_map(Proof::to_bytes).collect(), processors.describe()))
}

/// A name for a job that was given none.
fn made_up() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("circuit-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Proves circuits of one shape, which the caller synthesised.
///
/// srs: the parameters of the shape. assignments, n: the circuits, at least one. r, s: n scalars each for the blinding
/// of each proof, used as given, or both NULL for fresh ones from the kernel's entropy; equal r and s give equal proofs,
/// and proofs of one witness with r or s that others can guess give it away. options: may be NULL. out: the result,
/// with 192 bytes of proof for each circuit, in order.
///
/// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_BAD_ASSIGNMENT with the field; C2P_ERR_BAD_SCALAR with field and
/// index; C2P_ERR_PARAMS_MISMATCH if the parameters are not of this shape; C2P_ERR_PROOF_INVALID if a proof does not
/// verify, as when the circuit is not satisfied; C2P_ERR_UNSATISFIED with the row; C2P_ERR_HOST_OUT_OF_MEMORY;
/// C2P_ERR_ENTROPY; C2P_ERR_UNSUPPORTED in a child of fork. All but the scalars is checked before the first proof begins.
///
/// Memory: nothing of the caller's is kept after the call. Threads: any number of calls at once.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_prove_assignments(
    srs: *const c2p_srs,
    assignments: *const c2p_assignment,
    n: usize,
    r: *const c2p_scalar,
    s: *const c2p_scalar,
    options: *const c2p_prove_options,
    out: *mut *mut c2p_result,
    err: *mut *mut c2p_error,
) -> Status {
    // The clock first, so that it shows what the caller's stopwatch does.
    let began = Began::now();
    let body = || {
        // SAFETY: the caller keeps the header's rules for options.
        let options = unsafe { pointer::versioned(options, "options") }?;
        // SAFETY: the caller keeps the header's rules for options.job.
        let job = unsafe { pointer::optional_text(options.job, "options.job") }?;
        let scope = Recorder::since(began, job.map_or_else(made_up, str::to_owned), "circuit");
        let checks = scope.work(CALLER, "parse");
        let config = Config::from_env()?;
        let wanted = wanted(&options, &config)?;
        // SAFETY: the caller keeps the header's rules for srs. A clone, so that the caller may free its handle.
        let srs = unsafe { handle::value(srs) }?.clone();
        if n == 0 {
            return Err(Error::InvalidArgument("n is 0: there is nothing to prove".to_owned()));
        }
        // SAFETY: the caller keeps the header's rules for assignments.
        let given = unsafe { pointer::slice(assignments, n, "assignments") }?;
        // SAFETY: as before; what the structs point to lives until this call returns.
        let circuits = given.iter().enumerate().map(|(i, x)| unsafe { assignment(i, x) }).collect::<Result<Vec<_>, _>>()?;
        // SAFETY: the caller keeps the header's rules for r and s.
        let blinding = unsafe { blinding(r, s, n) }?;
        drop(checks);
        let result = prove(&srs, &circuits, blinding, &wanted, &config, &scope);
        let status = result.as_ref().map_or_else(Error::status, |_| Status::Ok);
        let freeing = scope.work(CALLER, "free");
        drop((circuits, srs));
        drop(freeing);
        let mut report = scope.report(status);
        report.notes.extend(result.as_ref().map(|(_, backend)| ("backend", backend.clone())));
        config.publish(&report);
        let (proof, _) = result?;
        Ok(handle::give::<c2p_result>(Finished::new(proof, report, n, true)))
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_prove_assignments", out, err, body) }
}
