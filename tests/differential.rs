//! The same assignment and (r, s) give the same 192 bytes as bellperson's CPU prover: on any thread count, in batches of
//! any size, whatever the witness looks like.

mod common;

use bellperson::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::Scalar;
use c2prover::circuit;
use c2prover::prover::{prove_batch, Blinding, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover::{Error, Status};
use c2prover_filecoin::{Job, PostProof};
use c2prover_test_setup::circuits::{Chain, Class, Classes};
use common::*;

/// One partition of a Filecoin job as bellperson wants it.
struct Partition<'a>(&'a Job, usize);

impl Circuit<Scalar> for Partition<'_> {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        self.0.synthesize(self.1, cs).map_err(|_| SynthesisError::Unsatisfiable)
    }
}

#[test]
fn window_post_equals_bellperson() {
    let vanilla = std::fs::read(data("window-vanilla.bin")).unwrap();
    let mut miner = [0; 32];
    miner[..2].copy_from_slice(&[0xe8, 0x07]);
    let job = Job::window_post(PostProof::from_number(10).unwrap(), &miner, &[3; 32], &[vanilla], None).unwrap();
    let params = data("params").join(job.circuit_id().params_file());
    let srs = Srs::open(&params, OpenOptions::default(), &scope()).unwrap();
    let cs = circuit::synthesize(|cs| job.synthesize(0, cs).map_err(|_| SynthesisError::Unsatisfiable)).unwrap();
    assert_eq!(cs.public_inputs(), job.public_inputs(0).unwrap());
    assert_eq!(ours(&backend(2), &srs, &[cs]).unwrap(), bellperson(&params, vec![Partition(&job, 0)]));
}

/// Nearly all bits, and nearly all full-size; batches of 1, 2 and 5; 1, 2 and 8 threads.
#[test]
fn chains_equal_bellperson_in_batches_on_any_threads() {
    for every in [64, 1] {
        let circuit = |seed| Chain::new(1500, every, seed);
        let params = TestSrs::of(|| circuit(0).blank(), 11);
        let expected = bellperson(&params.path(), (0..5).map(circuit).collect());
        for threads in [1, 2, 8] {
            let backend = backend(threads);
            for batch in [1, 2, 5] {
                let circuits: Vec<_> = (0..batch as u64).map(|k| synthesize(circuit(k))).collect();
                assert_eq!(ours(&backend, &params.srs, &circuits).unwrap(), expected[..192 * batch], "every={every} {threads} {batch}");
            }
        }
    }
}

/// Numbers of variables around the words of a density, with all kinds of witness.
#[test]
fn every_class_of_witness_equals_bellperson_around_word_edges() {
    let backend = backend(2);
    for aux in [63, 64, 65, 128] {
        let params = TestSrs::of(|| Classes::new(aux, Class::Zeros, 0).blank(), aux as u64);
        for class in Class::ALL {
            let circuit = || Classes::new(aux, class, 3);
            let expected = bellperson(&params.path(), vec![circuit()]);
            assert_eq!(ours(&backend, &params.srs, &[synthesize(circuit())]).unwrap(), expected, "{aux} {class:?}");
        }
    }
}

#[test]
fn fresh_blinding_gives_other_proofs_that_verify() {
    let params = TestSrs::of(|| Chain::bits(300, 1).blank(), 5);
    let cs = synthesize(Chain::bits(300, 1));
    let prove = || prove_batch(&backend(2), &params.srs, &[cs.assignment()], None, ProveOptions::default(), &scope()).unwrap()[0];
    let (first, second) = (prove(), prove());
    assert_ne!(first.to_bytes(), second.to_bytes());
    for proof in [first, second] {
        assert!(c2prover::prover::verify(&params.srs.key, cs.public_inputs(), &proof).unwrap());
        assert!(!c2prover::prover::verify(&params.srs.key, &[Scalar::from(1), Scalar::from(2)], &proof).unwrap());
    }
}

#[test]
fn an_unsatisfied_circuit_is_refused_and_its_row_is_named_on_request() {
    let params = TestSrs::of(|| Chain::bits(300, 1).blank(), 5);
    let cs = synthesize(Chain::bits(300, 1));
    let assignment = cs.assignment();
    // A bit that is two: its own constraint fails, and whatever is made of it.
    let mut a = assignment.a.to_vec();
    a[77] += Scalar::from(1);
    let c: Vec<Scalar> = assignment.a.iter().zip(assignment.b).map(|(a, b)| *a * b).collect();
    let bad = circuit::Assignment { a: &a, c: &c, ..assignment };
    let prove =
        |x, options| prove_batch(&backend(2), &params.srs, &[x], Some(vec![Blinding::given(2.into(), 3.into())]), options, &scope());
    assert_eq!(prove(bad, ProveOptions::default()).unwrap_err().status(), Status::ProofInvalid);
    let check = ProveOptions { check_satisfied: true, ..ProveOptions::default() };
    let row = (0..a.len()).find(|i| a[*i] * assignment.b[*i] != c[*i]);
    match (prove(bad, check).unwrap_err(), row) {
        (Error::Unsatisfied { circuit: 0, row }, Some(expected)) => assert_eq!(row, expected),
        // b is zero in that row: a.b = c holds there, and the proof is still refused.
        (Error::ProofInvalid { circuit: 0 }, None) => {}
        other => panic!("{other:?}"),
    }
    assert!(prove(circuit::Assignment { c: &c, ..assignment }, check).is_ok());
}

#[test]
fn proofs_from_many_threads_equal_the_serial_ones() {
    let params = TestSrs::of(|| Chain::bits(800, 1).blank(), 6);
    let backend = backend(2);
    let circuits: Vec<_> = (0..4).map(|k| vec![synthesize(Chain::bits(800, k))]).collect();
    let serial: Vec<_> = circuits.iter().map(|c| ours(&backend, &params.srs, c).unwrap()).collect();
    std::thread::scope(|threads| {
        for (circuits, expected) in circuits.iter().zip(&serial) {
            let (backend, srs) = (&backend, &params.srs);
            threads.spawn(move || (0..3).for_each(|_| assert_eq!(&ours(backend, srs, circuits).unwrap(), expected)));
        }
    });
}
