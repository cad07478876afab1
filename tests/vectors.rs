//! Assignments and proofs captured from filecoin-proofs: its vanilla proofs, synthesised here, give the same assignment,
//! evaluations and densities, and with the same (r, s) the same A, B and C.

mod common;

use base64::Engine as _;
use bellpepper_core::SynthesisError;
use blstrs::Scalar;
use c2prover::circuit;
use c2prover::prover::{prove_batch, Blinding, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover_filecoin::{Job, PostProof};
use common::*;
use sha2::{Digest, Sha256};

/// What was captured of one circuit; see tests/data/README.md.
#[derive(serde::Deserialize)]
struct Captured {
    case: String,
    abc_size: usize,
    inputs: usize,
    aux: usize,
    a_aux: usize,
    b_input: usize,
    b_aux: usize,
    /// Canonical, little-endian, in hex.
    r: String,
    s: String,
    /// SHA-256 of inputs and aux, canonical, 32 bytes each.
    assignment_sha256: String,
    /// SHA-256 of a and b likewise.
    ab_sha256: String,
    /// A, B, C, uncompressed.
    proof: String,
}

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|b| format!("{b:02x}")).collect()
}

fn scalar(text: &str) -> Scalar {
    let bytes: [u8; 32] = std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap());
    Scalar::from_bytes_le(&bytes).unwrap()
}

fn digest(parts: [&[Scalar]; 2]) -> String {
    let mut sha = Sha256::new();
    parts.into_iter().flatten().for_each(|x| sha.update(x.to_bytes_le()));
    hex(sha.finalize())
}

#[test]
fn captured_circuits_are_synthesised_and_proved_to_the_byte() {
    let mut miner = [0; 32];
    miner[..2].copy_from_slice(&[0xe8, 0x07]);
    let read = |name: &str| std::fs::read(data(name)).unwrap();
    let post = |number| PostProof::from_number(number).unwrap();
    let texts: Vec<String> = serde_json::from_slice(&read("window5-vanilla.json")).unwrap();
    let five: Vec<Vec<u8>> = texts.iter().map(|t| base64::engine::general_purpose::STANDARD.decode(t).unwrap()).collect();
    let winning = Job::winning_post(post(0), &miner, &[3; 32], &[read("winning-vanilla.bin")]).unwrap();
    let window = Job::window_post(post(10), &miner, &[3; 32], &[read("window-vanilla.bin")], None).unwrap();
    let window5 = Job::window_post(post(10), &miner, &[3; 32], &five, None).unwrap();

    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/params");
    let captured: Vec<Captured> = serde_json::from_slice(&read("vectors.json")).unwrap();
    assert_eq!(captured.len(), 5);
    for x in captured {
        let (job, partition) = match x.case.as_str() {
            "winning" => (&winning, 0),
            "window" => (&window, 0),
            other => (&window5, other.strip_prefix("window5-").unwrap().parse().unwrap()),
        };
        let cs = circuit::synthesize(|cs| job.synthesize(partition, cs).map_err(|_| SynthesisError::Unsatisfiable)).unwrap();
        let a = cs.assignment();
        let shape = (a.a.len(), a.inputs.len(), a.aux.len());
        assert_eq!(shape, (x.abc_size, x.inputs, x.aux), "{}", x.case);
        let popcounts = (a.a_aux_density.popcount, a.b_input_density.popcount, a.b_aux_density.popcount);
        assert_eq!(popcounts, (x.a_aux, x.b_input, x.b_aux), "{}", x.case);
        assert_eq!(digest([a.inputs, a.aux]), x.assignment_sha256, "{}", x.case);
        assert_eq!(digest([a.a, a.b]), x.ab_sha256, "{}", x.case);

        let files = c2prover_test_setup::ensure(job.circuit_id(), &folder).unwrap();
        let srs = Srs::open(&files.params, OpenOptions::default(), &scope()).unwrap();
        let given = vec![Blinding::given(scalar(&x.r), scalar(&x.s))];
        let proof = prove_batch(&backend(2), &srs, &[a], Some(given), ProveOptions::default(), &scope()).unwrap()[0];
        let bytes = [&proof.a.to_uncompressed()[..], &proof.b.to_uncompressed()[..], &proof.c.to_uncompressed()[..]].concat();
        assert_eq!(hex(bytes), x.proof, "{}", x.case);
    }
}
