//! The setup against bellperson's: same generator, same bytes; and proofs with what it makes.

use std::fs::{self, File};
use std::io::BufReader;

use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use bellperson::groth16::{create_proof, generate_random_parameters, prepare_verifying_key, verify_proof, Parameters};
use blstrs::{Bls12, Scalar as Fr};
use c2prover_test_setup::circuits::{Chain, Class, Classes};
use c2prover_test_setup::{generate, Error};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

/// Makes parameters both ways and compares.
fn compare<C: Circuit<Fr> + Clone + Send>(circuit: &C, seed: u8) {
    let dir = tempfile::tempdir().unwrap();
    let (params, vk) = (dir.path().join("x.params"), dir.path().join("x.vk"));
    let made = generate(|| circuit.clone(), &mut rng(seed), &params, &vk).unwrap();

    let expected = generate_random_parameters::<Bls12, _, _>(circuit.clone(), &mut rng(seed)).unwrap();
    let mut bytes = Vec::new();
    expected.write(&mut bytes).unwrap();
    assert!(fs::read(&params).unwrap() == bytes, "parameter files differ");
    assert_eq!(made.params.bytes, bytes.len() as u64);
    assert_eq!(made.inputs, expected.vk.ic.len());
    assert_eq!(made.aux, expected.l.len());
    assert_eq!(made.domain, expected.h.len() + 1);

    let mut bytes = Vec::new();
    expected.vk.write(&mut bytes).unwrap();
    assert!(fs::read(&vk).unwrap() == bytes, "verifying keys differ");
}

#[test]
fn bytes_are_those_of_bellperson() {
    // on both sides of a full domain: 61 steps, one constraint more and three input rows make 65 rows
    for steps in [1, 2, 7, 60, 61, 500] {
        compare(&Chain::bits(steps, 1).blank(), 1);
        compare(&Chain::products(steps, 1).blank(), 2);
        compare(&Chain::new(steps, 3, 1).blank(), 3);
        compare(&Classes::new(steps, Class::Bits, 1).blank(), 4);
    }
}

/// Proves with bellperson from the files made here.
#[test]
fn proofs_verify() {
    let dir = tempfile::tempdir().unwrap();
    let (params, vk) = (dir.path().join("x.params"), dir.path().join("x.vk"));
    let shape = Classes::new(200, Class::Bits, 0);
    generate(|| shape.blank(), &mut rng(5), &params, &vk).unwrap();
    let params = Parameters::<Bls12>::read(BufReader::new(File::open(&params).unwrap()), true).unwrap();
    let key = prepare_verifying_key(&params.vk);
    for (seed, class) in Class::ALL.into_iter().enumerate() {
        let circuit = Classes::new(200, class, seed as u64);
        let inputs = circuit.public_inputs();
        let proof = create_proof(circuit, &params, Fr::from(3), Fr::from(4)).unwrap();
        assert!(verify_proof(&key, &proof, &inputs).unwrap(), "{class:?}");
        assert!(!verify_proof(&key, &proof, &[inputs[0] + Fr::from(1)]).unwrap());
    }
}

/// A variable that no row mentions.
#[derive(Clone)]
struct Loose;

impl Circuit<Fr> for Loose {
    fn synthesize<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let bound = cs.alloc(|| "bound", || Err(SynthesisError::AssignmentMissing))?;
        cs.alloc(|| "loose", || Err(SynthesisError::AssignmentMissing))?;
        cs.enforce(|| "row", |lc| lc + bound, |lc| lc + CS::one(), |lc| lc);
        Ok(())
    }
}

#[test]
fn unconstrained_variables_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (params, vk) = (dir.path().join("x.params"), dir.path().join("x.vk"));
    let error = generate(|| Loose, &mut rng(1), &params, &vk).unwrap_err();
    assert!(matches!(error, Error::Unconstrained(1)), "{error}");
    assert!(!params.exists() && !vk.exists());
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (params, vk) = (dir.path().join("no-such-folder/x.params"), dir.path().join("x.vk"));
    let error = generate(|| Chain::bits(3, 1).blank(), &mut rng(1), &params, &vk).unwrap_err();
    assert!(matches!(&error, Error::Io { path, .. } if *path == params), "{error}");
}
