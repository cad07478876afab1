//! Our CPU prover beside bellperson's, on the same assignments, in one run: `make bench`, or
//! `cargo bench --bench cpu -- [case ...]` with cases porep, snap, winning-post, window-post, mixed-18.
//!
//! Both sides start from a circuit and end with a proof: synthesis is in both figures. Prints one JSON line a case; append
//! what is worth keeping to docs/benchmarks/cpu.jsonl. The machine should be idle.

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bellperson::groth16::{create_proof, Parameters};
use bellperson::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::{Bls12, Scalar};
use c2prover::circuit;
use c2prover::prover::{prove_batch, Blinding, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover_filecoin::{CircuitId, Job, Kind, PostProof, SectorSize, UpdateProof};
use c2prover_test_setup::circuits::Chain;
use common::{data, scope, TestSrs};
use cpu_time::ProcessTime;

/// Runs of each side after a first one; the median counts.
const RUNS: usize = 3;

#[derive(Clone, Copy)]
struct Seconds {
    wall: f64,
    cpu: f64,
}

fn timed(mut run: impl FnMut() -> Vec<u8>, runs: usize) -> (Seconds, Vec<u8>) {
    let mut times = Vec::new();
    let mut bytes = Vec::new();
    for _ in 0..=runs {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        bytes = run();
        times.push((wall.elapsed(), cpu.elapsed()));
    }
    let median = |of: fn(&(Duration, Duration)) -> Duration| {
        let mut v: Vec<f64> = times[1..].iter().map(|t| of(t).as_secs_f64()).collect();
        v.sort_by(f64::total_cmp);
        v[v.len() / 2]
    };
    (Seconds { wall: median(|t| t.0), cpu: median(|t| t.1) }, bytes)
}

/// A circuit that can be synthesised any number of times.
#[derive(Clone, Copy)]
enum Subject<'a> {
    Job(&'a Job),
    Chain(&'a Chain),
}

impl Circuit<Scalar> for Subject<'_> {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        match self {
            Subject::Job(job) => job.synthesize(0, cs).map_err(|_| SynthesisError::Unsatisfiable),
            Subject::Chain(chain) => chain.clone().synthesize(cs),
        }
    }
}

fn compare(case: &str, subject: Subject, params: &Path, runs: usize) {
    let (r, s) = common::blinding(1);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let backend = common::backend(threads);
    let srs = Srs::open(params, OpenOptions::default(), &scope()).unwrap();
    let mut rows = 0;
    let (ours, our_bytes) = timed(
        || {
            let scope = scope();
            let cs = circuit::synthesize(|cs| subject.synthesize(cs)).unwrap();
            rows = cs.rows();
            let options = ProveOptions { self_verify: false, ..ProveOptions::default() };
            prove_batch(&backend, &srs, &[cs.assignment()], Some(vec![Blinding::given(r, s)]), options, &scope).unwrap()[0]
                .to_bytes()
                .to_vec()
        },
        runs,
    );
    drop(srs);
    let file = std::io::BufReader::with_capacity(1 << 20, std::fs::File::open(params).unwrap());
    let params = Parameters::<Bls12>::read(file, false).unwrap();
    let (theirs, their_bytes) = timed(
        || {
            let mut bytes = Vec::new();
            create_proof(subject, &params, r, s).unwrap().write(&mut bytes).unwrap();
            bytes
        },
        runs,
    );
    assert_eq!(our_bytes, their_bytes, "{case}: the proofs differ");
    println!(
        "{{\"what\":\"prove_cpu\",\"case\":\"{case}\",\"rows\":{rows},\"threads\":{threads},\"ours_wall_s\":{:.3},\"ours_cpu_s\":{:.3},\"peer_wall_s\":{:.3},\"peer_cpu_s\":{:.3},\"ratio_wall\":{:.2},\"ratio_cpu\":{:.2},\"peer\":\"bellperson 0.27\",\"runs\":{runs},\"machine\":\"{}\",\"date\":{}}}",
        ours.wall, ours.cpu, theirs.wall, theirs.cpu, theirs.wall / ours.wall, theirs.cpu / ours.cpu, machine(), unix_time(),
    );
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines().find_map(|l| l.strip_prefix("model name")).map_or("unknown", |l| l.trim_start_matches([' ', '\t', ':'])).to_owned()
}

fn unix_time() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.as_secs())
}

fn filecoin(case: &str, kind: Kind, job: Job, runs: usize) {
    let folder = std::env::var_os("C2PROVER_TEST_PARAMS")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/params"), PathBuf::from);
    let files = c2prover_test_setup::ensure(CircuitId { kind, sector_size: SectorSize::KiB2 }, &folder).unwrap();
    compare(case, Subject::Job(&job), &files.params, runs);
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |case: &str| args.is_empty() || args.iter().any(|a| a == case);
    let read = |name: &str| std::fs::read(data(name)).unwrap();
    let mut miner = [0; 32];
    miner[..2].copy_from_slice(&[0xe8, 0x07]);
    let post = |number| PostProof::from_number(number).unwrap();
    if wanted("window-post") {
        let job = Job::window_post(post(10), &miner, &[3; 32], &[read("window-vanilla.bin")], None).unwrap();
        filecoin("window-post", Kind::WindowPost, job, RUNS);
    }
    if wanted("winning-post") {
        let job = Job::winning_post(post(0), &miner, &[3; 32], &[read("winning-vanilla.bin")]).unwrap();
        filecoin("winning-post", Kind::WinningPost, job, RUNS);
    }
    if wanted("mixed-18") {
        // Every second variable is full-size: 2^18 less the rows of the inputs.
        let chain = Chain::new((1 << 18) - 8, 2, 1);
        let params = TestSrs::of(|| chain.blank(), 4);
        compare("mixed-18", Subject::Chain(&chain), &params.path(), RUNS);
    }
    if wanted("porep") {
        filecoin("porep", Kind::PoRep, Job::porep(&read("c1-raw.json"), 1, &miner).unwrap(), 1);
    }
    if args.iter().any(|a| a == "snap") {
        let update: serde_json::Value = serde_json::from_slice(&read("update-vanilla.json")).unwrap();
        let hex = |name: &str| -> [u8; 32] {
            let text = update[name].as_str().unwrap();
            std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
        };
        use base64::Engine as _;
        let decode = |v: &serde_json::Value| base64::engine::general_purpose::STANDARD.decode(v.as_str().unwrap()).unwrap();
        let vanilla: Vec<Vec<u8>> = update["vanilla"].as_array().unwrap().iter().map(decode).collect();
        let job = Job::update(UpdateProof::from_number(0).unwrap(), &hex("comm_r_old"), &hex("comm_r_new"), &hex("comm_d_new"), &vanilla)
            .unwrap();
        filecoin("snap", Kind::Update, job, 1);
    }
}
