//! The engine under load, with circuits by shape: one JSON line a figure.
//!
//!   engine_flow pace LG DIR      ten circuits from a producer that takes 0.5, 1 and 2 times what proving one takes
//!   engine_flow urgent LG DIR    proofs of WinningPoSt's size, critical, behind a queue of partitions of 2^LG
//!   engine_flow cancel LG DIR    jobs of three circuits, cancelled at 200 moments
//!
//! A producer hands out the same scalars again and again: memory for one circuit does for a queue of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bench_c2prover::assignment;
use bench_common::batch::Batch;
use bench_common::shape::{Kind, Shape};
use c2prover::circuit::Assignment;
use c2prover::engine::{Assigned, Circuits, Engine, EngineOptions, Job, JobOptions, Priority};
use c2prover::processors::Processors;
use c2prover::srs::Srs;
use c2prover::{Cancel, Error, Status};

/// One circuit's scalars, and the parameters of its shape.
struct Data {
    shape: Shape,
    batch: Batch,
    params: PathBuf,
}

/// Circuits that all have these scalars, and take so long to make.
struct Same {
    data: Arc<Data>,
    partitions: usize,
    pace: Duration,
}

struct One(Arc<Data>);

impl Assigned for One {
    fn assignment(&self) -> Assignment<'_> {
        assignment(&self.0.shape, &self.0.batch, 0)
    }
}

impl Circuits for Same {
    fn kind(&self) -> &'static str {
        "shape"
    }
    fn params(&self) -> &Path {
        &self.data.params
    }
    fn partitions(&self) -> usize {
        self.partitions
    }
    fn bytes(&self, _: &Srs) -> usize {
        1 << 20
    }
    fn make(&self, _: usize, _: &Srs, _: &Processors, cancel: &Cancel) -> Result<Box<dyn Assigned>, Error> {
        let until = Instant::now() + self.pace;
        while Instant::now() < until {
            cancel.check()?;
            std::thread::sleep(Duration::from_millis(2).min(until - Instant::now().min(until)));
        }
        Ok(Box::new(One(self.data.clone())))
    }
}

impl Data {
    fn new(kind: Kind, lg: u32, dir: &Path) -> Arc<Data> {
        let shape = Shape::new(kind, lg);
        let params = dir.join(format!("{}-{lg}.params", kind.name()));
        let done = params.with_extension("complete");
        if !done.exists() {
            bench_common::srs::write(&params, &shape).expect("parameters");
            std::fs::write(&done, b"").expect("parameters");
        }
        let batch = Batch::new(&shape, 1, kind.significant());
        Arc::new(Data { shape, batch, params })
    }

    fn circuits(self: &Arc<Data>, partitions: usize, pace: Duration) -> Arc<Same> {
        Arc::new(Same { data: self.clone(), partitions, pace })
    }
}

fn engine(synthesis_threads: usize) -> Engine {
    let options = EngineOptions { synthesis_threads: Some(synthesis_threads), self_verify: Some(false), ..EngineOptions::default() };
    Engine::new(options).expect("an engine")
}

fn submit(engine: &Engine, circuits: &Arc<Same>, priority: Priority) -> Job {
    engine.submit_circuits(circuits.clone(), JobOptions { priority, ..JobOptions::default() }).expect("room in the queue")
}

fn status(job: &Job) -> Status {
    job.wait(None).expect("no time limit").map_or_else(|failure| failure.error.status(), |_| Status::Ok)
}

/// Seconds from submission to the end.
fn timed(engine: &Engine, circuits: &Arc<Same>, priority: Priority) -> f64 {
    let began = Instant::now();
    assert_eq!(status(&submit(engine, circuits, priority)), Status::Ok);
    began.elapsed().as_secs_f64()
}

fn pace(lg: u32, dir: &Path) {
    const CIRCUITS: usize = 10;
    let (engine, data) = (engine(1), Data::new(Kind::PoRep, lg, dir));
    timed(&engine, &data.circuits(2, Duration::ZERO), Priority::Normal);
    let proving = timed(&engine, &data.circuits(CIRCUITS, Duration::ZERO), Priority::Normal) / CIRCUITS as f64;
    for factor in [0.5, 1.0, 2.0] {
        let wall = timed(&engine, &data.circuits(CIRCUITS, Duration::from_secs_f64(proving * factor)), Priority::Normal);
        let slower = CIRCUITS as f64 * proving * f64::max(1.0, factor);
        println!(
            "{{\"what\":\"engine_pace\",\"lg\":{lg},\"circuits\":{CIRCUITS},\"pace\":{factor},\"proving_s\":{proving:.4},\"wall_s\":{wall:.4},\"over_slower\":{:.3}}}",
            wall / slower
        );
    }
}

fn urgent(lg: u32, dir: &Path) {
    let engine = engine(4);
    let (large, small) = (Data::new(Kind::PoRep, lg, dir), Data::new(Kind::PoSt, 19, dir));
    let (partitions, winning) = (large.circuits(10, Duration::ZERO), small.circuits(1, Duration::ZERO));
    timed(&engine, &large.circuits(1, Duration::ZERO), Priority::Normal);
    let alone = timed(&engine, &winning, Priority::Critical);
    let queue: Vec<Job> = (0..3).map(|_| submit(&engine, &partitions, Priority::Normal)).collect();
    let mut taken: Vec<f64> = (0..10)
        .map(|k| {
            std::thread::sleep(Duration::from_millis(200 + 137 * k % 700));
            timed(&engine, &winning, Priority::Critical)
        })
        .collect();
    assert!(!queue[2].is_done(), "the queue was empty before the end");
    taken.sort_by(f64::total_cmp);
    println!(
        "{{\"what\":\"engine_urgent\",\"lg\":{lg},\"alone_s\":{alone:.4},\"median_s\":{:.4},\"most_s\":{:.4},\"proofs\":{}}}",
        taken[taken.len() / 2],
        taken[taken.len() - 1],
        taken.len()
    );
}

fn cancel(lg: u32, dir: &Path) {
    let (engine, data) = (engine(2), Data::new(Kind::PoRep, lg, dir));
    let circuits = data.circuits(3, Duration::from_millis(5));
    timed(&engine, &circuits, Priority::Normal);
    let span = timed(&engine, &circuits, Priority::Normal) * 1.2;
    let idle = || engine.status()["queue"]["proving"] == 0 && engine.status()["host_memory"]["promised"] == 0;
    let (mut told, mut gone, mut cancelled) = (Vec::new(), Vec::new(), 0);
    for k in 0..200u64 {
        let job = submit(&engine, &circuits, Priority::Normal);
        std::thread::sleep(Duration::from_secs_f64(span * (k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64 / f64::from(1 << 24)));
        let began = Instant::now();
        job.cancel();
        cancelled += usize::from(status(&job) == Status::Cancelled);
        told.push(began.elapsed().as_secs_f64());
        while !idle() {
            std::thread::sleep(Duration::from_millis(1));
        }
        gone.push(began.elapsed().as_secs_f64());
    }
    let at_95 = |seconds: &mut Vec<f64>| {
        seconds.sort_by(f64::total_cmp);
        seconds[189]
    };
    assert_eq!(status(&submit(&engine, &circuits, Priority::Normal)), Status::Ok);
    println!(
        "{{\"what\":\"engine_cancel\",\"lg\":{lg},\"cancelled\":{cancelled},\"of\":200,\"told_s_95\":{:.4},\"memory_back_s_95\":{:.4}}}",
        at_95(&mut told),
        at_95(&mut gone)
    );
}

fn main() {
    env_logger::init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(what), lg) = (arguments.first(), arguments.get(1).map_or(24, |lg| lg.parse().expect("LG is a number"))) else {
        panic!("usage: engine_flow pace|urgent|cancel [LG] [DIR]");
    };
    let dir = PathBuf::from(arguments.get(2).map_or("/dev/shm", String::as_str));
    match what.as_str() {
        "pace" => pace(lg, &dir),
        "urgent" => urgent(lg, &dir),
        "cancel" => cancel(lg, &dir),
        other => panic!("{other}: pace, urgent or cancel"),
    }
}
