//! Writes the assignment of a real 2 KiB WindowPoSt as a flat file, for programs in C and Go that prove at the circuit level.
//!
//! `cargo run --release --example dump_assignment -- OUTPUT`. The file, in the machine's byte order:
//!
//! - `C2PASGN1`;
//! - 64-bit numbers: rows, inputs, aux, popcounts of the densities a_aux, b_input, b_aux;
//! - scalars in Montgomery form: inputs, aux, a, b, c, then an r and an s;
//! - 64-bit words of the densities a_aux, b_input, b_aux;
//! - the 192 bytes that bellperson proves with that r and s.

use std::error::Error;
use std::path::{Path, PathBuf};

use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use bellperson::groth16::{create_proof, Parameters};
use blstrs::{Bls12, Scalar};
use c2prover::circuit;
use c2prover_filecoin::{Job, PostProof};

struct WindowPost<'a>(&'a Job);

impl Circuit<Scalar> for WindowPost<'_> {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        self.0.synthesize(0, cs).map_err(|_| SynthesisError::Unsatisfiable)
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn main() -> Result<(), Box<dyn Error>> {
    let output = std::env::args().nth(1).ok_or("usage: dump_assignment OUTPUT")?;
    let mut prover_id = [0; 32];
    prover_id[..2].copy_from_slice(&[0xe8, 0x07]);
    let job = Job::window_post(PostProof::from_number(10)?, &prover_id, &[3; 32], &[std::fs::read(data("window-vanilla.bin"))?], Some(0))?;
    let circuit = circuit::synthesize(|cs| WindowPost(&job).synthesize(cs))?;
    let x = circuit.assignment();
    // On a satisfied circuit.
    let c: Vec<Scalar> = x.a.iter().zip(x.b).map(|(a, b)| a * b).collect();
    let (r, s) = (Scalar::from(12345u64), Scalar::from(67890u64));

    let params = std::fs::read(data("params").join(job.circuit_id().params_file()))?;
    let proof = create_proof(WindowPost(&job), &Parameters::<Bls12>::read(params.as_slice(), false)?, r, s)?;

    let mut out = b"C2PASGN1".to_vec();
    let densities = [x.a_aux_density, x.b_input_density, x.b_aux_density];
    let sizes = [x.a.len(), x.inputs.len(), x.aux.len()];
    out.extend(sizes.into_iter().chain(densities.map(|d| d.popcount)).flat_map(|n| (n as u64).to_ne_bytes()));
    let scalars = [x.inputs, x.aux, x.a, x.b, &c, &[r, s]];
    out.extend(scalars.into_iter().flatten().flat_map(|v| blst::blst_fr::from(*v).l).flat_map(u64::to_ne_bytes));
    out.extend(densities.into_iter().flat_map(|d| d.words).flat_map(|w| w.to_ne_bytes()));
    proof.write(&mut out)?;
    std::fs::write(&output, out)?;
    println!("{output}: {} rows, {} inputs, {} aux", sizes[0], sizes[1], sizes[2]);
    Ok(())
}
