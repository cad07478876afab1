//! An engine on the CPU with real 2 KiB sectors: how busy the cores are, what batching costs, and whether memory keeps to its
//! budget. `cargo bench --bench engine`; parameters in `target/params` (`make params`).

use std::path::PathBuf;
use std::time::{Duration, Instant};

use c2prover::engine::{Engine, EngineOptions, Job, JobOptions, Request};
use cpu_time::ProcessTime;

const JOBS: usize = 4;

fn request() -> Request<'static> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let c1 = std::fs::read(root.join("tests/data/c1-raw.json")).expect("test data");
    let mut prover_id = [0; 32];
    prover_id[..2].copy_from_slice(&[0xe8, 0x07]);
    Request::PoRep { c1: c1.into(), sector_number: 1, prover_id }
}

fn engine(options: EngineOptions) -> Engine {
    let param_cache = Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/params"));
    let engine = Engine::new(EngineOptions { param_cache, ..options }).expect("an engine");
    engine.preload("porep-2k".parse().expect("a circuit")).expect("parameters: make params");
    engine
}

/// Wall and CPU seconds of some jobs at once.
fn prove(engine: &Engine, jobs: usize) -> [f64; 2] {
    let (began, cpu) = (Instant::now(), ProcessTime::now());
    let jobs: Vec<Job> = (0..jobs).map(|_| engine.submit(&request(), JobOptions::default()).expect("room")).collect();
    jobs.iter().for_each(|job| drop(job.wait(None).expect("no limit").expect("a proof")));
    [began.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64()]
}

fn resident(field: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().unwrap_or(0) * 1024
}

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let one = engine(EngineOptions::default());
    prove(&one, 1);
    let single = prove(&one, 1);
    let [wall, cpu] = prove(&one, JOBS);
    let idle = 1.0 - cpu / (wall * cores);
    println!(
        "{{\"what\":\"engine_cpu\",\"jobs\":{JOBS},\"cores\":{cores},\"single_s\":{:.3},\"wall_s\":{wall:.3},\"idle\":{idle:.3}}}",
        single[0]
    );

    let two = prove(&one, 2)[0];
    drop(one);
    let together = engine(EngineOptions { batch: Some(2), batch_wait: Some(Duration::from_secs(5)), ..EngineOptions::default() });
    let batched = prove(&together, 2)[0];
    println!("{{\"what\":\"engine_batch\",\"sectors\":2,\"in_turn_s\":{two:.3},\"batched_s\":{batched:.3}}}");
    let status = together.status();
    let promised = status["host_memory"]["most_promised"].as_u64().unwrap_or(0) as usize;
    let points = status["params"][0]["host_bytes"].as_u64().unwrap_or(0) as usize;
    drop(together);

    // Room for one circuit at a time, and the share of the urgent.
    let budget = (points + (promised - points) / 2) * 17 / 16;
    let before = resident("VmRSS:");
    let tight = engine(EngineOptions { host_memory: Some(budget), ..EngineOptions::default() });
    // The peak of what comes now.
    std::fs::write("/proc/self/clear_refs", "5").expect("the peak can be forgotten");
    prove(&tight, JOBS);
    let peak = resident("VmHWM:");
    println!(
        "{{\"what\":\"engine_memory\",\"jobs\":{JOBS},\"budget\":{budget},\"peak\":{peak},\"before\":{before},\"over\":{:.3}}}",
        peak as f64 / budget as f64
    );
}
