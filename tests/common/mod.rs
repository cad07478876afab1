//! What several test programs share: parameters of test circuits, bellperson's proof, ours.
#![allow(dead_code)] // each test program uses its part

use std::path::{Path, PathBuf};

use bellpepper_core::Circuit;
use bellperson::groth16::{create_proof_batch, Parameters};
use blstrs::{Bls12, Scalar};
use c2prover::backend::cpu::{CpuBackend, CpuOptions};
use c2prover::backend::Backend;
use c2prover::circuit::{self, Synthesis};
use c2prover::prover::{prove_batch, Blinding, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover::timing::{Recorder, Scope};
use c2prover::Error;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// A file of tests/data; on a machine without the sources `C2PROVER_TEST_DATA` says where they are.
pub fn data(name: &str) -> PathBuf {
    let sources = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    std::env::var_os("C2PROVER_TEST_DATA").map_or_else(sources, PathBuf::from).join(name)
}

pub fn scope() -> Scope {
    Recorder::start("test", "circuit")
}

pub fn backend(threads: usize) -> CpuBackend {
    CpuBackend::new(CpuOptions { threads: Some(threads), b_g2_threads: None }).unwrap()
}

/// A circuit's parameters in a folder that goes with this.
pub struct TestSrs {
    folder: tempfile::TempDir,
    pub srs: Srs,
}

impl TestSrs {
    pub fn of<C: Circuit<Scalar>>(blank: impl Fn() -> C, seed: u64) -> TestSrs {
        let folder = tempfile::tempdir().unwrap();
        let (params, vk) = (folder.path().join("p.params"), folder.path().join("p.vk"));
        c2prover_test_setup::generate(blank, &mut ChaCha20Rng::seed_from_u64(seed), &params, &vk).unwrap();
        let srs = Srs::open(&params, OpenOptions { subgroup_check: true, keep: false }, &scope()).unwrap();
        TestSrs { folder, srs }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("p.params")
    }
}

pub fn synthesize<C: Circuit<Scalar>>(circuit: C) -> Synthesis {
    circuit::synthesize(|cs| circuit.synthesize(cs)).unwrap()
}

/// r and s for the k-th circuit of a test.
pub fn blinding(k: usize) -> (Scalar, Scalar) {
    (Scalar::from(1000 + k as u64), Scalar::from(77 * k as u64 + 5))
}

/// Our proofs' bytes, one after another.
pub fn ours<B: Backend>(backend: &B, srs: &Srs, circuits: &[Synthesis]) -> Result<Vec<u8>, Error> {
    let assignments: Vec<_> = circuits.iter().map(Synthesis::assignment).collect();
    let given = (0..circuits.len()).map(blinding).map(|(r, s)| Blinding::given(r, s)).collect();
    let proofs = prove_batch(backend, srs, &assignments, Some(given), ProveOptions::default(), &scope())?;
    Ok(proofs.iter().flat_map(|p| p.to_bytes()).collect())
}

/// bellperson's proofs' bytes for the same circuits, r and s.
pub fn bellperson<C: Circuit<Scalar> + Send>(params: &Path, circuits: Vec<C>) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(params).unwrap());
    let params = Parameters::<Bls12>::read(file, false).unwrap();
    let (r, s) = (0..circuits.len()).map(blinding).unzip();
    let proofs = create_proof_batch(circuits, &params, r, s).unwrap();
    let mut bytes = Vec::new();
    proofs.iter().for_each(|p| p.write(&mut bytes).unwrap());
    bytes
}
