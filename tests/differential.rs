//! The same assignment and (r, s) give the same 192 bytes as bellperson's CPU prover.

use std::path::Path;

use bellperson::groth16::{create_proof, Parameters};
use bellperson::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::{Bls12, Scalar};
use c2prover::backend::cpu::{CpuBackend, CpuOptions};
use c2prover::circuit;
use c2prover::prover::{prove_batch, Blinding, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover::timing::Recorder;
use c2prover_filecoin::{Job, PostProof};

struct Partition<'a>(&'a Job, usize);

impl Circuit<Scalar> for Partition<'_> {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        self.0.synthesize(self.1, cs).map_err(|_| SynthesisError::Unsatisfiable)
    }
}

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

#[test]
fn window_post_equals_bellperson() {
    let vanilla = std::fs::read(data("window-vanilla.bin")).unwrap();
    let proof = PostProof::from_number(5).unwrap();
    let job = Job::window_post(proof, &miner(), &[3; 32], &[vanilla], None).unwrap();
    let params = data("params").join(job.circuit_id().params_file());
    let scope = Recorder::start("window", "circuit");
    let srs = Srs::open(&params, OpenOptions::default(), &scope).unwrap();
    let cs = circuit::synthesize(|cs| job.synthesize(0, cs).map_err(|_| SynthesisError::Unsatisfiable)).unwrap();
    let backend = CpuBackend::new(CpuOptions::default()).unwrap();
    let (r, s) = (Scalar::from(12345u64), Scalar::from(67890u64));
    let ours = prove_batch(&backend, &srs, &[cs.assignment()], Some(vec![Blinding::given(r, s)]), ProveOptions::default(), &scope).unwrap();
    let theirs = Parameters::<Bls12>::read(std::io::BufReader::new(std::fs::File::open(&params).unwrap()), false).unwrap();
    let theirs = create_proof(Partition(&job, 0), &theirs, r, s).unwrap();
    let mut bytes = Vec::new();
    theirs.write(&mut bytes).unwrap();
    assert_eq!(ours[0].to_bytes()[..], bytes[..]);
    println!("{:#?}", scope.report(c2prover::Status::Ok));
}

fn miner() -> [u8; 32] {
    let mut id = [0; 32];
    id[..2].copy_from_slice(&[0xe8, 0x07]);
    id
}
