//! Jobs of an engine: order, cancellation, budgets, residency; real 2 KiB sectors.

mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine as _;
use bellpepper_core::SynthesisError;
use blstrs::Scalar;
use c2prover::circuit::{self, Synthesis};
use c2prover::engine::{Engine, EngineOptions, Event, Job, JobOptions, Priority, Request};
use c2prover::prover::{prove_batch, Blinding, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover::Status;
use c2prover_filecoin::{CircuitId, Job as FilecoinJob, Kind, PostProof, SectorSize};
use common::*;

const RANDOMNESS: [u8; 32] = [3; 32];

fn id(kind: Kind) -> CircuitId {
    CircuitId { kind, sector_size: SectorSize::KiB2 }
}

fn miner() -> [u8; 32] {
    let mut id = [0; 32];
    id[..2].copy_from_slice(&[0xe8, 0x07]);
    id
}

/// The folder of test parameters, with those of these kinds made if they are not there.
fn params(kinds: &[Kind]) -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/params");
    let folder = std::env::var_os("C2PROVER_TEST_PARAMS").map_or_else(default, PathBuf::from);
    for kind in kinds {
        c2prover_test_setup::ensure(id(*kind), &folder).unwrap();
    }
    folder
}

fn engine(options: EngineOptions) -> Engine {
    let param_cache = Some(params(&[Kind::WindowPost, Kind::WinningPost]));
    Engine::new(EngineOptions { param_cache, ..options }).unwrap()
}

fn window() -> Request<'static> {
    let vanilla = vec![std::fs::read(data("window-vanilla.bin")).unwrap().into()];
    Request::WindowPost { registered_proof: 10, prover_id: miner(), randomness: RANDOMNESS, vanilla, partition: None }
}

fn five_vanilla() -> Vec<Vec<u8>> {
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(data("window5-vanilla.json")).unwrap()).unwrap();
    texts.iter().map(|t| base64::engine::general_purpose::STANDARD.decode(t).unwrap()).collect()
}

/// Three partitions.
fn five() -> Request<'static> {
    let vanilla = five_vanilla().into_iter().map(Into::into).collect();
    Request::WindowPost { registered_proof: 10, prover_id: miner(), randomness: RANDOMNESS, vanilla, partition: None }
}

fn winning() -> Request<'static> {
    let vanilla = vec![std::fs::read(data("winning-vanilla.bin")).unwrap().into()];
    Request::WinningPost { registered_proof: 0, prover_id: miner(), randomness: RANDOMNESS, vanilla }
}

fn with(priority: Priority) -> JobOptions {
    JobOptions { priority, ..JobOptions::default() }
}

fn status_of(job: &Job) -> Status {
    match job.wait(Some(Duration::from_secs(120))).expect("it ends") {
        Ok(_) => Status::Ok,
        Err(failure) => failure.error.status(),
    }
}

/// Waits until nothing is under way, and returns what is promised of memory then.
fn idle(engine: &Engine) -> u64 {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let status = engine.status();
        let busy = ["waiting", "synthesising", "ready", "proving"].iter().map(|k| status["queue"][k].as_u64().unwrap()).sum::<u64>();
        let points: u64 = status["params"].as_array().unwrap().iter().map(|p| p["host_bytes"].as_u64().unwrap()).sum();
        let promised = status["host_memory"]["promised"].as_u64().unwrap();
        if busy == 0 && promised == points {
            return promised;
        }
        assert!(Instant::now() < end, "{status:#}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn mixed_jobs_from_eight_threads_all_verify() {
    let engine = engine(EngineOptions::default());
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let engine = &engine;
            threads.spawn(move || {
                for round in 0..3 {
                    let request = [window(), winning(), five()][(thread + round) % 3].to_owned();
                    let priority = Priority::from_number((thread * 3 + round) as i32 % 4 + 1).unwrap();
                    let outcome = engine.submit(&request, with(priority)).unwrap().wait(None).unwrap().unwrap();
                    assert!(engine.verify(&request, &outcome.proof).unwrap());
                }
            });
        }
    });
    idle(&engine);
}

#[test]
fn an_urgent_job_goes_before_all_that_wait() {
    let engine = engine(EngineOptions { synthesis_threads: Some(1), ..EngineOptions::default() });
    let normal: Vec<Job> = (0..8).map(|_| engine.submit(&five(), with(Priority::Normal)).unwrap()).collect();
    let urgent = engine.submit(&winning(), with(Priority::Critical)).unwrap();
    assert_eq!(status_of(&urgent), Status::Ok);
    // Two circuits at most were with a prover or made when it came; each job has three.
    let done = normal.iter().filter(|job| job.is_done()).count();
    assert!(done <= 1, "{done} of 8 jobs were done before it");
    assert!(normal.iter().all(|job| status_of(job) == Status::Ok));
}

#[test]
fn events_tell_each_partition_in_order() {
    let engine = engine(EngineOptions::default());
    let job = engine.submit(&five(), JobOptions { id: Some("told".to_owned()), ..JobOptions::default() }).unwrap();
    assert_eq!(job.id(), "told");
    let events: Vec<Event> = std::iter::from_fn(|| job.next_event(None).unwrap()).collect();
    assert_eq!(events[..2], [Event::Queued, Event::Parsed { partitions: 3 }]);
    assert_eq!(events.last(), Some(&Event::Done { status: 0 }));
    for partition in 0..3 {
        let at = |event| events.iter().position(|e| *e == event).unwrap();
        let (made, proven) = (at(Event::Synthesised { partition, partitions: 3 }), at(Event::Proven { partition, partitions: 3 }));
        assert!(made < proven && proven < at(Event::Verified { partition, partitions: 3 }));
    }
    assert_eq!((events.len(), job.next_event(Some(Duration::ZERO)).unwrap()), (12, None));
    let outcome = job.wait(None).unwrap().unwrap();
    assert_eq!(outcome.proof.len(), 3 * 192);
    assert!(job.wait(Some(Duration::ZERO)).is_some(), "the result is there for whoever asks again");
    assert!(outcome.report.unaccounted_us <= outcome.report.wall_us / 20, "{}", outcome.report);
}

#[test]
fn jobs_cancelled_at_any_moment_end_at_once_and_leave_nothing() {
    let engine = engine(EngineOptions::default());
    let request = window();
    let one = Instant::now();
    engine.prove(&request, "warm").unwrap();
    let span = one.elapsed().as_micros() as u64 * 5 / 4;
    let mut taken = Vec::new();
    let mut ended = [0; 2];
    for k in 0..200u64 {
        let job = engine.submit(&request, JobOptions::default()).unwrap();
        std::thread::sleep(Duration::from_micros(k.wrapping_mul(0x9e37_79b9_7f4a_7c15) % span));
        let began = Instant::now();
        job.cancel();
        match status_of(&job) {
            Status::Cancelled => ended[0] += 1,
            Status::Ok => ended[1] += 1,
            other => panic!("{other:?}"),
        }
        taken.push(began.elapsed());
    }
    taken.sort();
    assert!(taken[190] < Duration::from_secs(1), "{:?}", taken[190]);
    assert!(ended[0] > 20 && ended[1] > 0, "{ended:?}: the moments missed the job");
    idle(&engine);
    assert!(engine.verify(&request, &engine.prove(&request, "after").unwrap().proof).unwrap());
}

#[test]
fn time_limits_dropped_jobs_and_full_queues_have_their_answers() {
    let engine = engine(EngineOptions { max_queue: Some(2), synthesis_threads: Some(1), ..EngineOptions::default() });
    let late = JobOptions { timeout: Some(Duration::from_millis(1)), ..JobOptions::default() };
    assert_eq!(status_of(&engine.submit(&five(), late).unwrap()), Status::TimedOut);
    idle(&engine);

    let mut jobs = Vec::new();
    let refused = loop {
        match engine.submit(&five(), JobOptions::default()) {
            Ok(job) => jobs.push(job),
            Err(e) => break e,
        }
        assert!(jobs.len() < 20);
    };
    assert_eq!(refused.status(), Status::QueueFull);
    assert!(jobs[0].wait(Some(Duration::ZERO)).is_none());
    drop(jobs);
    idle(&engine);
    assert!(engine.prove(&window(), "after").is_ok());

    let last = engine.submit(&window(), JobOptions::default()).unwrap();
    assert!(engine.shutdown(None), "what was there ended by itself");
    assert_eq!(status_of(&last), Status::Ok);
    assert_eq!(engine.submit(&window(), JobOptions::default()).unwrap_err().status(), Status::Closed);
}

#[test]
fn an_impatient_shutdown_cancels() {
    let engine = engine(EngineOptions::default());
    let jobs: Vec<Job> = (0..4).map(|_| engine.submit(&five(), JobOptions::default()).unwrap()).collect();
    assert!(!engine.shutdown(Some(Duration::from_millis(1))));
    assert!(jobs.iter().all(|job| job.is_done()));
    drop(engine);
    assert_eq!(status_of(&jobs[3]), Status::Cancelled);
}

/// Three partitions of one job, of several jobs in batches, and one after another by the circuit level: the same bytes.
#[test]
fn equal_randomness_gives_the_proofs_of_one_at_a_time() {
    let job = FilecoinJob::window_post(PostProof::from_number(10).unwrap(), &miner(), &RANDOMNESS, &five_vanilla(), None).unwrap();
    let given: Vec<[Scalar; 2]> = (0..3).map(blinding).map(|(r, s)| [r, s]).collect();
    let srs = Srs::open(&params(&[Kind::WindowPost]).join(id(Kind::WindowPost).params_file()), OpenOptions::default(), &scope()).unwrap();
    let backend = backend(2);
    let one_at_a_time: Vec<u8> = (0..3)
        .flat_map(|k| {
            let synthesise = |cs: &mut Synthesis| job.synthesize(k, cs).map_err(|_| SynthesisError::Unsatisfiable);
            let circuit = circuit::synthesize(synthesise).unwrap();
            let blinding = Blinding::given(given[k][0], given[k][1]);
            let options = ProveOptions::default();
            prove_batch(&backend, &srs, &[circuit.assignment()], Some(vec![blinding]), options, &scope()).unwrap()[0].to_bytes()
        })
        .collect();
    for batch in [1, 2, 4] {
        let options = EngineOptions { batch: Some(batch), batch_wait: Some(Duration::from_millis(50)), ..EngineOptions::default() };
        let engine = engine(options);
        let jobs: Vec<Job> = (0..2)
            .map(|_| engine.submit(&five(), JobOptions { blinding: Some(given.clone()), ..JobOptions::default() }).unwrap())
            .collect();
        for job in jobs {
            assert!(job.wait(None).unwrap().unwrap().proof == one_at_a_time, "batch {batch}");
        }
    }
}

#[test]
fn memory_stays_within_the_budget_and_too_small_a_one_is_an_error() {
    let least = {
        let engine = engine(EngineOptions::default());
        engine.prove(&window(), "one").unwrap();
        engine.status()["host_memory"]["most_promised"].as_u64().unwrap() as usize
    };
    let engine_of = |host_memory| engine(EngineOptions { host_memory: Some(host_memory), ..EngineOptions::default() });
    let small = engine_of(least + (1 << 20));
    let jobs: Vec<Job> = (0..3).map(|_| small.submit(&window(), JobOptions::default()).unwrap()).collect();
    assert!(jobs.iter().all(|job| status_of(job) == Status::Ok));
    assert!(small.status()["host_memory"]["most_promised"].as_u64().unwrap() as usize <= least + (1 << 20));

    let failure = engine_of(least / 2).prove(&window(), "too small").unwrap_err();
    assert_eq!(failure.error.status(), Status::HostOutOfMemory);
    assert!(failure.to_string().contains(&(least / 2).to_string()), "{failure}");
}

/// A folder with parameters of its own: the engines of a process share those of one file.
fn own_params(kinds: &[Kind]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = params(kinds);
    for kind in kinds {
        std::fs::copy(from.join(id(*kind).params_file()), folder.path().join(id(*kind).params_file())).unwrap();
    }
    folder
}

#[test]
fn parameters_are_read_once_and_kept_until_they_are_evicted() {
    let folder = own_params(&[Kind::WindowPost]);
    let engine = Engine::new(EngineOptions { param_cache: Some(folder.path().to_owned()), ..EngineOptions::default() }).unwrap();
    let jobs: Vec<Job> = (0..8).map(|_| engine.submit(&window(), JobOptions::default()).unwrap()).collect();
    let reports: Vec<_> = jobs.iter().map(|job| job.wait(None).unwrap().unwrap().report).collect();
    let loads = reports.iter().flat_map(|r| &r.phases).filter(|p| p.phase == "srs.load").map(|p| p.spans).sum::<usize>();
    assert_eq!(loads, 1, "one job reads");

    // The file is gone: nobody opens it any more.
    let (file, away) = (folder.path().join(id(Kind::WindowPost).params_file()), folder.path().join("away"));
    std::fs::rename(&file, &away).unwrap();
    assert!(engine.prove(&window(), "resident").unwrap().srs_was_resident);
    assert!(engine.preload(id(Kind::WindowPost)).unwrap());
    assert!(engine.evict(id(Kind::WindowPost)).unwrap() > 0);
    assert_eq!(engine.evict(id(Kind::WindowPost)), None);
    assert_eq!(engine.prove(&window(), "missing").unwrap_err().error.status(), Status::ParamsMissing);
    std::fs::rename(&away, &file).unwrap();
    assert!(!engine.preload(id(Kind::WindowPost)).unwrap());
    assert!(engine.prove(&window(), "again").unwrap().srs_was_resident);
}

#[test]
fn parameters_that_nobody_uses_make_room_for_a_circuit() {
    let least = {
        let engine = engine(EngineOptions::default());
        engine.prove(&winning(), "one").unwrap();
        engine.status()["host_memory"]["most_promised"].as_u64().unwrap() as usize
    };
    let folder = own_params(&[Kind::WindowPost, Kind::WinningPost]);
    let (param_cache, host_memory) = (Some(folder.path().to_owned()), Some(least + (2 << 20)));
    let engine = Engine::new(EngineOptions { param_cache, host_memory, ..EngineOptions::default() }).unwrap();
    for _ in 0..2 {
        engine.prove(&window(), "small").unwrap();
        idle(&engine);
        engine.prove(&winning(), "large").unwrap();
        idle(&engine);
        let status = engine.status();
        if !status["device_memory"].is_null() {
            // Points on a device have a budget of their own.
            continue;
        }
        let held: Vec<_> = status["params"].as_array().unwrap().iter().map(|p| p["circuit"].as_str().unwrap()).collect();
        assert_eq!(held, ["winning-2k"], "the small one's points had to go");
    }
}

#[test]
fn wrong_input_fails_its_own_job_alone() {
    let engine = engine(EngineOptions { batch: Some(4), batch_wait: Some(Duration::from_millis(20)), ..EngineOptions::default() });
    let good = engine.submit(&window(), JobOptions::default()).unwrap();
    let Request::WindowPost { vanilla, .. } = window() else { unreachable!() };
    let other = Request::WindowPost { registered_proof: 10, prover_id: miner(), randomness: [4; 32], vanilla, partition: None };
    let bad = engine.submit(&other, JobOptions::default()).unwrap();
    assert_eq!((status_of(&bad), status_of(&good)), (Status::BadInput, Status::Ok));
}
