//! One harness for every prover: circuit shapes, SRS files with known logarithms, assignments, timing, and checks.
//!
//! A prover is a [`Prover`]; [`run`] is its main function. It prints one JSON line a figure, without the other side's
//! time: `run.sh` joins the lines of two provers into figures with a ratio.

pub mod batch;
pub mod check;
pub mod field;
pub mod memory;
pub mod shape;
pub mod srs;

use batch::Batch;
use check::Proof;
use shape::{Kind, Shape};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub trait Prover {
    const NAME: &'static str;
    type Srs;
    /// Returns once the file may be deleted and proofs start at full speed.
    fn load(path: &Path) -> Result<Self::Srs, String>;
    fn prove(srs: &Self::Srs, shape: &Shape, batch: &Batch, proofs: &mut [Proof]) -> Result<(), String>;
}

const USAGE: &str = "usage: PROVER [--kind porep|post] [--lg N] [--circuits K,K..] [--significant SHARE] [--runs N] [--dir DIR]
  --kind         shape of the circuit (porep)
  --lg           log2 of the domain (20)
  --circuits     circuits a call (1)
  --significant  share of full-size values (that of the kind)
  --runs         warm runs, of which the median counts (7)
  --dir          where the SRS file is made and kept for the next prover (/dev/shm)";

struct Options {
    kind: Kind,
    lg: u32,
    circuits: Vec<usize>,
    significant: Option<f64>,
    runs: usize,
    dir: PathBuf,
}

fn options() -> Result<Options, String> {
    let mut o = Options { kind: Kind::PoRep, lg: 20, circuits: vec![1], significant: None, runs: 7, dir: "/dev/shm".into() };
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        let value = arguments.next().ok_or(format!("{flag} needs a value"))?;
        let bad = |e: &dyn std::fmt::Display| format!("{flag} {value}: {e}");
        match flag.as_str() {
            "--kind" if value == "porep" => o.kind = Kind::PoRep,
            "--kind" if value == "post" => o.kind = Kind::PoSt,
            "--lg" => o.lg = value.parse().map_err(|e| bad(&e))?,
            "--circuits" => o.circuits = value.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|e| bad(&e))?,
            "--significant" => o.significant = Some(value.parse().map_err(|e| bad(&e))?),
            "--runs" => o.runs = value.parse::<usize>().map_err(|e| bad(&e))?.max(1),
            "--dir" => o.dir = value.into(),
            _ => return Err(format!("{flag} {value}: unknown")),
        }
    }
    Ok(o)
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// The most host memory beside the caller's data.
fn host_gib(bytes: usize) -> String {
    format!(",\"host_gib\":{:.2}", bytes as f64 / (1u64 << 30) as f64)
}

fn print(prover: &str, what: &str, lg: u32, circuits: usize, seconds: f64, more: &str) {
    println!("{{\"prover\":\"{prover}\",\"what\":\"{what}\",\"lg\":{lg},\"circuits\":{circuits},\"seconds\":{seconds:.4}{more}}}");
}

fn bench<P: Prover>(o: &Options) -> Result<(), String> {
    let shape = Shape::new(o.kind, o.lg);
    let path = o.dir.join(format!("{}-{}.params", o.kind.name(), o.lg));
    let done = path.with_extension("complete");
    if !done.exists() {
        srs::write(&path, &shape).map_err(|e| format!("{}: {e}", path.display()))?;
        std::fs::write(&done, b"").map_err(|e| format!("{}: {e}", done.display()))?;
    }
    let before = memory::resident();
    memory::forget_peak();
    let start = Instant::now();
    let srs = P::load(&path)?;
    let seconds = start.elapsed().as_secs_f64();
    let to_load = memory::peak().saturating_sub(before);
    let held = memory::resident().saturating_sub(before);
    print(P::NAME, "srs_load", o.lg, 0, seconds, &host_gib(to_load));

    for &circuits in &o.circuits {
        let significant = o.significant.unwrap_or(o.kind.significant());
        let batch = Batch::new(&shape, circuits, significant);
        let mut proofs = vec![Proof::default(); circuits];
        let (mut seconds, mut digest) = (vec![], None);
        let with_inputs = memory::resident();
        memory::forget_peak();
        for run in 0..=o.runs {
            let start = Instant::now();
            P::prove(&srs, &shape, &batch, &mut proofs)?;
            if run > 0 {
                seconds.push(start.elapsed().as_secs_f64());
            }
            let d = check::digest(&proofs);
            if digest.replace(d).is_some_and(|before| before != d) {
                return Err("two runs gave different proofs".into());
            }
        }
        if !(0..circuits).all(|k| check::a_and_b(&shape, &batch, k, &proofs[k])) {
            return Err("a proof's A or B is wrong".into());
        }
        let host = host_gib(held + memory::peak().saturating_sub(with_inputs));
        let more = format!(",\"significant\":{significant},\"digest\":\"{:016x}\"{host}", digest.unwrap_or(0));
        print(P::NAME, o.kind.name(), o.lg, circuits, median(seconds), &more);
    }
    Ok(())
}

/// The main function of a prover's binary.
pub fn run<P: Prover>() -> std::process::ExitCode {
    let options = match options() {
        Ok(o) => o,
        Err(e) => {
            eprintln!("{e}\n{USAGE}");
            return 2.into();
        }
    };
    match bench::<P>(&options) {
        Ok(()) => 0.into(),
        Err(e) => {
            eprintln!("{}: {e}", P::NAME);
            1.into()
        }
    }
}
