//! c2prover, through the interface that Rust callers use; the environment says which processors.

use std::path::Path;
use std::sync::OnceLock;

use bench_c2prover::{assignment, scalars};
use bench_common::batch::Batch;
use bench_common::check::Proof;
use bench_common::shape::Shape;
use bench_common::{run, Prover};
use c2prover::config::Config;
use c2prover::processors::Processors;
use c2prover::prover::{Blinding, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover::timing::Recorder;
use c2prover::Status;

struct C2prover;

static CONFIG: OnceLock<Config> = OnceLock::new();
static PROCESSORS: OnceLock<Processors> = OnceLock::new();

fn processors() -> &'static Processors {
    PROCESSORS.get_or_init(|| Processors::open(CONFIG.get_or_init(|| Config::from_env().expect("environment"))).expect("processors"))
}

impl Prover for C2prover {
    const NAME: &'static str = "c2prover";
    type Srs = Srs;

    fn load(path: &Path) -> Result<Srs, String> {
        processors();
        let scope = Recorder::start("srs", "srs");
        let srs = processors().open_srs(path, OpenOptions::default(), &scope).map_err(|e| e.to_string())?.0;
        Ok(srs)
    }

    fn prove(srs: &Srs, shape: &Shape, batch: &Batch, proofs: &mut [Proof]) -> Result<(), String> {
        let scope = Recorder::start("bench", "circuit");
        let circuits: Vec<_> = (0..batch.circuits).map(|k| assignment(shape, batch, k)).collect();
        let blinding = scalars(&batch.r).iter().zip(scalars(&batch.s)).map(|(r, s)| Blinding::given(*r, *s)).collect();
        let options = ProveOptions { self_verify: false, check_satisfied: false };
        let made = processors().prove(srs, &circuits, Some(blinding), options, &scope).map_err(|e| e.to_string())?;
        for (proof, made) in proofs.iter_mut().zip(made) {
            // SAFETY: blstrs's affine points are transparent over blst's.
            *proof = unsafe { Proof { a: std::mem::transmute(made.a), b: std::mem::transmute(made.b), c: std::mem::transmute(made.c) } };
        }
        let mut report = scope.report(Status::Ok);
        report.notes.insert("backend", processors().describe());
        CONFIG.get().into_iter().for_each(|config| config.publish(&report));
        if std::env::var_os("BENCH_REPORT").is_some() {
            eprintln!("{report}");
        }
        Ok(())
    }
}

fn main() -> std::process::ExitCode {
    env_logger::init();
    run::<C2prover>()
}
