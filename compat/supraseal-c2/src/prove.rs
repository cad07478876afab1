//! The two calls that prove.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};

use blstrs::{G1Affine, G2Affine, Scalar as Fr};
use c2prover::backend::Backend;
use c2prover::circuit::{self, first_unsatisfied};
use c2prover::prover::{Blinding, Proof};
use c2prover::timing::{Began, Recorder, Scope};
use c2prover::Error;

use crate::assignment::{Assignment, Slices};
use crate::process::{process, Process};
use crate::srs::{publish, SRS};
use crate::{call, payload};

/// A proof as bellperson lays it out: A, B, C.
#[repr(C)]
struct Layout {
    a: G1Affine,
    b: G2Affine,
    c: G1Affine,
}

/// Proves circuits of one shape, as bellperson 0.27 asks for it.
///
/// `S` is `blstrs::Scalar`, `PR` bellperson's `Proof<Bls12>`; other layouts do not compile. `r_s` and `s_s` blind the proofs as
/// they are given: the caller draws them. `proofs` is written only if all circuits were proved, and need not hold values before.
///
/// The pointers of `provers` must have the memory that their sizes claim, unchanged until this returns. What lies there, the
/// densities and the sizes among them is checked before the first proof begins, and each proof is verified before it is
/// returned, unless `C2PROVER_SELF_VERIFY=0`.
///
/// # Panics
/// If anything is wrong, with a `&'static str`: the error's name, text and advice.
pub fn generate_groth16_proofs<S, PR>(provers: &[Assignment<S>], r_s: &[S], s_s: &[S], proofs: &mut [PR], srs: &SRS) {
    // The clock first, so that it shows what the caller's stopwatch does.
    let began = Began::now();
    match prove(began, provers, [r_s, s_s], proofs.len(), srs) {
        Ok(made) => write(&made, proofs),
        Err(e) => fail(&e),
    }
}

/// Proves circuits of one shape, as bellperson 0.26 asks for it: densities and sizes once for all circuits.
///
/// The words `D` of a density have 64 bits; others do not compile. The rest is as for [`generate_groth16_proofs`].
///
/// # Panics
/// As [`generate_groth16_proofs`] does.
#[allow(clippy::too_many_arguments)] // the interface is given
pub fn generate_groth16_proof<S, D, PR>(
    ntt_a_scalars: &[*const S],
    ntt_b_scalars: &[*const S],
    ntt_c_scalars: &[*const S],
    ntt_scalars_actual_size: usize,
    input_assignments: &[*const S],
    aux_assignments: &[*const S],
    input_assignments_size: usize,
    aux_assignments_size: usize,
    a_aux_density_bv: &[D],
    b_g1_input_density_bv: &[D],
    b_g1_aux_density_bv: &[D],
    a_aux_total_density: usize,
    b_g1_input_total_density: usize,
    b_g1_aux_total_density: usize,
    num_circuits: usize,
    r_s: &[S],
    s_s: &[S],
    proofs: &mut [PR],
    srs: &SRS,
) {
    const { assert!(size_of::<D>() == size_of::<usize>() && align_of::<D>() == align_of::<usize>()) };
    let of_circuits = [
        ("ntt_a_scalars", ntt_a_scalars),
        ("ntt_b_scalars", ntt_b_scalars),
        ("ntt_c_scalars", ntt_c_scalars),
        ("input_assignments", input_assignments),
        ("aux_assignments", aux_assignments),
    ];
    let of_variables = [
        ("a_aux_density_bv", a_aux_density_bv, aux_assignments_size),
        ("b_g1_input_density_bv", b_g1_input_density_bv, input_assignments_size),
        ("b_g1_aux_density_bv", b_g1_aux_density_bv, aux_assignments_size),
    ];
    let lengths = of_circuits
        .iter()
        .try_for_each(|(name, given)| expect(name, given.len(), num_circuits))
        .and_then(|()| of_variables.iter().try_for_each(|(name, words, bits)| at_least(name, words.len(), bits.div_ceil(64))));
    if let Err(e) = lengths {
        fail(&e);
    }
    let assignment = |i: usize| Assignment {
        a_aux_density: a_aux_density_bv.as_ptr().cast(),
        a_aux_bit_len: aux_assignments_size,
        a_aux_popcount: a_aux_total_density,
        b_inp_density: b_g1_input_density_bv.as_ptr().cast(),
        b_inp_bit_len: input_assignments_size,
        b_inp_popcount: b_g1_input_total_density,
        b_aux_density: b_g1_aux_density_bv.as_ptr().cast(),
        b_aux_bit_len: aux_assignments_size,
        b_aux_popcount: b_g1_aux_total_density,
        a: ntt_a_scalars[i],
        b: ntt_b_scalars[i],
        c: ntt_c_scalars[i],
        abc_size: ntt_scalars_actual_size,
        inp_assignment_data: input_assignments[i],
        inp_assignment_size: input_assignments_size,
        aux_assignment_data: aux_assignments[i],
        aux_assignment_size: aux_assignments_size,
    };
    let provers: Vec<_> = (0..num_circuits).map(assignment).collect();
    generate_groth16_proofs(&provers, r_s, s_s, proofs, srs);
}

#[track_caller]
fn fail(e: &Error) -> ! {
    log::error!(target: "c2prover::error", "call=generate_groth16_proofs status={} {e}", e.status().name());
    payload::panic(e)
}

fn expect(name: &str, got: usize, expected: usize) -> Result<(), Error> {
    if got == expected {
        return Ok(());
    }
    Err(Error::InvalidArgument(format!("{name} has {got} elements, expected {expected}")))
}

fn at_least(name: &str, got: usize, expected: usize) -> Result<(), Error> {
    expect(name, got.min(expected), expected)
}

fn prove<S>(began: Began, provers: &[Assignment<S>], blinding: [&[S]; 2], proofs: usize, srs: &SRS) -> Result<Vec<Proof>, Error> {
    const { assert!(size_of::<S>() == size_of::<Fr>() && align_of::<S>() == align_of::<Fr>()) };
    let n = provers.len();
    for (name, len) in [("r_s", blinding[0].len()), ("s_s", blinding[1].len()), ("proofs", proofs)] {
        expect(name, len, n)?;
    }
    // SAFETY: the caller keeps the rules of `generate_groth16_proofs` for the pointers until it returns, and the slices end
    // before.
    let slices = provers.iter().enumerate().map(|(i, x)| unsafe { x.slices(i) }).collect::<Result<Vec<Slices>, Error>>()?;
    // SAFETY: `S` has the layout of a scalar (asserted above) and is one by the rules of `generate_groth16_proofs`; any bits are
    // a value of that type.
    let [r, s] = blinding.map(|values| unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<Fr>(), n) });
    canonical("r_s", r)?;
    canonical("s_s", s)?;
    let srs = srs.points()?;
    call::run(|| {
        let process = process()?;
        static CALLS: AtomicU64 = AtomicU64::new(1);
        let job = format!("supraseal-c2-{}", CALLS.fetch_add(1, Ordering::Relaxed));
        log::info!(target: "c2prover::supraseal", "job={job} c2prover proves in place of supraseal-c2: circuits={n}");
        let scope = Recorder::since(began, job, "circuit");
        let circuits: Vec<_> = slices.iter().map(Slices::assignment).collect();
        let blinding = r.iter().zip(s).map(|(r, s)| Blinding::given(*r, *s)).collect();
        let result = prove_on(process, srs, &circuits, blinding, &scope);
        publish(process, &scope, &result);
        result
    })
}

fn prove_on(
    process: &Process,
    srs: &c2prover::srs::Srs,
    circuits: &[circuit::Assignment],
    blinding: Vec<Blinding>,
    scope: &Scope,
) -> Result<Vec<Proof>, Error> {
    process.prove(srs, circuits, blinding, scope).map_err(|e| match e {
        // Mostly the witness is to blame. Then the row says more than that the proof does not verify.
        Error::ProofInvalid { circuit } => {
            let row = process.processors.cores().on_cores(|| first_unsatisfied(&circuits[circuit]));
            row.map_or(e, |row| Error::Unsatisfied { circuit, row })
        }
        e => e,
    })
}

/// Refuses blinding that is not below the modulus: its memory form does not come back from its number.
fn canonical(field: &'static str, values: &[Fr]) -> Result<(), Error> {
    let below = |x: &Fr| Option::from(Fr::from_bytes_le(&x.to_bytes_le())) == Some(*x);
    match values.iter().position(|x| !below(x)) {
        Some(index) => Err(Error::BadScalar { circuit: index, field, index, reason: "is not below r" }),
        None => Ok(()),
    }
}

fn write<PR>(made: &[Proof], proofs: &mut [PR]) {
    const { assert!(size_of::<PR>() == size_of::<Layout>() && align_of::<PR>() == align_of::<Layout>()) };
    for (proof, to) in made.iter().zip(proofs) {
        let to = std::ptr::from_mut(to).cast::<Layout>();
        // SAFETY: `PR` has this size and alignment (asserted above) and this layout by the rules of `generate_groth16_proofs`;
        // what was there before is not dropped, as it may never have been a value.
        unsafe { to.write(Layout { a: proof.a, b: proof.b, c: proof.c }) };
    }
}
