//! The phantom overhead, made visible: one circuit proved from the library's public stages, well composed by
//! `prover::start`, then badly on purpose. The bad one splits on one thread, copies its inputs where nobody has a span, waits
//! after each stage, and begins B_G2 when the rest is done. The kernels are the same; the report says where the time went.
//!
//!   badly_composed [LG = 24] [DIR = /dev/shm]

use std::path::PathBuf;
use std::sync::Arc;

use bench_c2prover::assignment;
use bench_common::batch::Batch;
use bench_common::shape::{Kind, Shape};
use c2prover::backend::cpu::{CpuBackend, CpuOptions};
use c2prover::backend::cuda::{CudaBackend, CudaOptions};
use c2prover::backend::{Backend, Pending, Query};
use c2prover::circuit::Assignment;
use c2prover::prover::{self, Blinding};
use c2prover::srs::{OpenOptions, Srs};
use c2prover::timing::{Recorder, Report, Scope};
use c2prover::Status;
use ff::Field;

fn well(gpu: &CudaBackend, srs: &Srs, x: &Assignment, scope: &Scope) {
    let blinding = Blinding::given(x.inputs[1], x.inputs[2]);
    prover::start(gpu, srs, x, blinding, scope).and_then(prover::Pending::finish).expect("a proof");
}

fn badly(gpu: &CudaBackend, srs: &Srs, x: &Assignment, scope: &Scope) {
    let witness = gpu.upload_witness(scope, x, srs).expect("witness");
    // A split on one thread, whose result is not even used: what a bridge that "prepares" its inputs does.
    let tail: Vec<_> = x.aux.iter().filter(|v| !v.is_zero_vartime() && **v != blstrs::Scalar::ONE).collect();
    // Copies into fresh memory: each page is touched for the first time.
    let (a, b) = (x.a.to_vec(), x.b.to_vec());
    let copied = Assignment { a: &a, b: &b, ..*x };
    for query in [Query::L, Query::A, Query::BG1] {
        gpu.sum(scope, query, &witness, srs).wait().expect("a sum");
    }
    let evaluations = gpu.upload_evaluations(scope, &copied, witness.clone()).expect("evaluations");
    let h = gpu.quotient(scope, evaluations);
    gpu.msm_h(scope, h, srs).wait().expect("h");
    gpu.sum_b_g2(scope, &witness, srs).wait().expect("b_g2");
    drop((tail, a, b));
}

fn timed(name: &str, prove: impl Fn(&Scope)) -> Report {
    // Warm: what is allocated once does not count.
    prove(&Recorder::start(name, "warm"));
    let scope = Recorder::start(name, "circuit");
    prove(&scope);
    scope.report(Status::Ok)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let lg = arguments.next().map_or(24, |text| text.parse().expect("LG is a number"));
    let dir: PathBuf = arguments.next().unwrap_or_else(|| "/dev/shm".to_owned()).into();
    let shape = Shape::new(Kind::PoRep, lg);
    let path = dir.join(format!("badly-composed-{lg}.params"));
    bench_common::srs::write(&path, &shape).expect("parameters");
    let cores = Arc::new(CpuBackend::new(CpuOptions::default()).expect("threads"));
    let gpu = CudaBackend::new(cores, CudaOptions::default()).expect("a GPU");
    let srs = Srs::open_on(&gpu, &path, OpenOptions::default(), &Recorder::start("srs", "srs")).expect("parameters").0;
    let batch = Batch::new(&shape, 1, Kind::PoRep.significant());
    let x = assignment(&shape, &batch, 0);
    let reports =
        [timed("well-composed", |scope| well(&gpu, &srs, &x, scope)), timed("badly-composed", |scope| badly(&gpu, &srs, &x, scope))];
    for report in &reports {
        println!("{report}\n");
    }
    for report in &reports {
        println!(
            "{{\"what\":\"compose\",\"how\":\"{}\",\"lg\":{lg},\"wall_us\":{},\"unaccounted_us\":{},\"overlap\":{:.3}}}",
            report.job,
            report.wall_us,
            report.unaccounted_us,
            report.overlap.unwrap_or(0.0)
        );
    }
    let _ = std::fs::remove_file(&path);
}
