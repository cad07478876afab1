//! supraseal-c2 0.1.2 as published.

use bench_common::batch::Batch;
use bench_common::check::Proof;
use bench_common::field::Fr;
use bench_common::shape::Shape;
use bench_common::{run, Prover};
use std::path::Path;
use std::time::Duration;

struct Supraseal;

/// Its reader goes on in the background after the constructor returns; the mapping of the file ends with it.
fn still_mapped(path: &Path) -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    path.to_str().is_some_and(|p| maps.contains(p))
}

impl Prover for Supraseal {
    const NAME: &'static str = "supraseal-c2 0.1.2";
    type Srs = supraseal_c2::SRS;

    fn load(path: &Path) -> Result<Self::Srs, String> {
        let srs = supraseal_c2::SRS::try_new(path.into(), false).map_err(String::from)?;
        while still_mapped(path) {
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(srs)
    }

    fn prove(srs: &Self::Srs, shape: &Shape, batch: &Batch, proofs: &mut [Proof]) -> Result<(), String> {
        let same = |v: &Vec<Fr>| vec![v.as_ptr(); batch.circuits];
        let each = |v: &Vec<Vec<Fr>>| v.iter().map(|x| x.as_ptr()).collect::<Vec<_>>();
        supraseal_c2::generate_groth16_proof(
            &same(&batch.a),
            &same(&batch.b),
            &same(&batch.c),
            shape.rows,
            &each(&batch.inputs),
            &each(&batch.aux),
            shape.inputs,
            shape.aux,
            &shape.a_aux.words,
            &shape.b_inputs.words,
            &shape.b_aux.words,
            shape.a_aux.ones,
            shape.b_inputs.ones,
            shape.b_aux.ones,
            batch.circuits,
            &batch.r,
            &batch.s,
            proofs,
            srs,
        );
        Ok(())
    }
}

fn main() -> std::process::ExitCode {
    run::<Supraseal>()
}
