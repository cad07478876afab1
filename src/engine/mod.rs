//! Proofs by kind: from a C1 output or vanilla proofs to verified proof bytes. The only caller of Filecoin's circuits.
//!
//! ```text
//! Engine::submit ── Job ── board ──► makers: read, check, synthesise ──► board ──► provers ──► Job::wait
//!                                    (params: opened once, resident)     (memory: a budget for all of it)
//! ```

mod board;
mod circuits;
mod job;
mod memory;
mod params;
mod pipeline;
mod request;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use c2prover_filecoin::CircuitId;

use self::board::{Board, Limits};
pub use self::circuits::{Assigned, Circuits};
pub use self::job::{Event, Job, JobOptions, Priority};
use self::job::{Input, Task};
use self::params::Params;
use self::pipeline::{Core, Threads};
pub use self::request::Request;
use crate::config::Config;
use crate::processors::Processors;
use crate::prover::{self, Proof, PROOF_BYTES};
use crate::timing::{Began, Recorder, Report, Scope, CALLER};
use crate::{Cancel, Error};

/// Bytes of input that one job may have: C1 outputs have 50 MB, those of non-interactive proofs twelve times that.
const MOST_INPUT: usize = 1 << 30;

/// How an engine is set up; what is `None` comes from the environment, then from the defaults.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// Folder of the parameter files.
    pub param_cache: Option<PathBuf>,
    /// Threads in all.
    pub cpu_threads: Option<usize>,
    /// Verify each proof before it is returned.
    pub self_verify: Option<bool>,
    /// Bytes of host memory for inputs, circuits, their proofs, and points that are not on a device.
    pub host_memory: Option<usize>,
    /// Jobs that may wait; one more is refused.
    pub max_queue: Option<usize>,
    /// Circuits in one call of the prover, of one or several jobs.
    pub batch: Option<usize>,
    /// How long a circuit waits for others of its batch.
    pub batch_wait: Option<Duration>,
    /// Circuits that are synthesised at once.
    pub synthesis_threads: Option<usize>,
}

/// A finished proof.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// 192 bytes for each partition, in order.
    pub proof: Vec<u8>,
    /// Where the time went.
    pub report: Report,
    /// Whether the parameters were in memory already.
    pub srs_was_resident: bool,
    /// Number of circuits proved.
    pub partitions: usize,
}

/// A failed proof: why, and where the time went until then.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Failure {
    pub error: Error,
    pub report: Report,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Proves jobs from any number of threads; parameters stay in memory between them. Dropping it cancels what is under way.
pub struct Engine {
    // First, so that the threads end before what they use does.
    _threads: Threads,
    core: Arc<Core>,
    config: Config,
    self_verify: bool,
    next: AtomicU64,
}

impl Engine {
    /// Reads the environment and starts threads.
    ///
    /// # Errors
    /// `InvalidArgument` for a variable or option with a value that is none of its own; `NoDevice` if CUDA is demanded.
    pub fn new(options: EngineOptions) -> Result<Engine, Error> {
        let mut config = Config::from_env()?;
        config.cpu_threads = options.cpu_threads.or(config.cpu_threads);
        config.param_cache = options.param_cache.unwrap_or(config.param_cache);
        config.host_memory = options.host_memory.or(config.host_memory);
        config.max_queue = options.max_queue.unwrap_or(config.max_queue);
        config.batch = options.batch.unwrap_or(config.batch);
        config.batch_wait = options.batch_wait.unwrap_or(config.batch_wait);
        config.synthesis_threads = options.synthesis_threads.or(config.synthesis_threads);
        for (name, value) in
            [("max_queue", config.max_queue), ("batch", config.batch), ("synthesis_threads", config.synthesis_threads.unwrap_or(1))]
        {
            if value == 0 {
                return Err(Error::InvalidArgument(format!("{name} must be at least 1")));
            }
        }
        config.log();
        let processors = Arc::new(Processors::open(&config)?);
        let makers = config.synthesis_threads.unwrap_or_else(|| (processors.cores().threads() / 2).max(1));
        let budget = config.host_memory.unwrap_or_else(memory::free);
        let limits = Limits {
            queue: config.max_queue,
            ahead: makers + processors.depth() * config.batch,
            batch: config.batch,
            batch_wait: config.batch_wait,
        };
        let publish = {
            let (processors, config) = (processors.clone(), config.clone());
            move |report: &mut Report| {
                report.notes.insert("backend", processors.describe());
                config.publish(report);
            }
        };
        let board = Arc::new(Board::new(limits, budget, Box::new(publish)));
        log::info!(target: "c2prover::engine", "host_memory={budget} makers={makers} provers={} {limits:?}", processors.depth());
        let params = Params::new(config.param_cache.clone(), config.param_check, board.clone());
        let core = Arc::new(Core { processors, params, board });
        let threads = Threads::start(&core, makers)?;
        let self_verify = options.self_verify.unwrap_or(config.self_verify);
        Ok(Engine { _threads: threads, core, config, self_verify, next: AtomicU64::new(1) })
    }

    /// Puts a request into the queue, with a copy of its bytes, and returns at once.
    ///
    /// # Errors
    /// `QueueFull`, also if the budget of memory has no room for the input; `Closed`; `InvalidArgument` for an input beyond any size.
    pub fn submit(&self, request: &Request, options: JobOptions) -> Result<Job, Error> {
        self.submit_since(Began::now(), request, options)
    }

    /// As [`Engine::submit`], for a caller whose own call began earlier: the report's clock begins there.
    ///
    /// # Errors
    /// As for [`Engine::submit`].
    pub fn submit_since(&self, began: Began, request: &Request, options: JobOptions) -> Result<Job, Error> {
        let bytes = request.bytes();
        if bytes > MOST_INPUT {
            return Err(Error::InvalidArgument(format!("the input has {bytes} bytes, more than {MOST_INPUT}")));
        }
        self.enqueue(began, options, bytes, request.kind(), |scope| {
            let _span = scope.work(CALLER, "copy").attr("bytes", bytes);
            Input::Request(request.to_owned())
        })
    }

    /// As [`Engine::submit`], for circuits of the caller's own.
    ///
    /// # Errors
    /// As for [`Engine::submit`].
    pub fn submit_circuits(&self, circuits: Arc<dyn Circuits>, options: JobOptions) -> Result<Job, Error> {
        let kind = circuits.kind();
        self.enqueue(Began::now(), options, 0, kind, |_| Input::Circuits(circuits))
    }

    fn enqueue(
        &self,
        began: Began,
        options: JobOptions,
        bytes: usize,
        kind: &'static str,
        input: impl FnOnce(&Scope) -> Input,
    ) -> Result<Job, Error> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = options.id.clone().unwrap_or_else(|| format!("{kind}-{number}"));
        let deadline = options.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let scope = Recorder::cancellable(began, name.clone(), kind, Cancel::by(deadline));
        let self_verify = options.self_verify.unwrap_or(self.self_verify);
        let input = input(&scope);
        let task = Arc::new(Task::new(number, input, options, name, scope, self_verify));
        self.core.board.submit(&task, bytes)?;
        Ok(Job { task, board: self.core.board.clone() })
    }

    /// Proves a request: [`Engine::submit`] and [`Job::wait`]. `id` names it in logs.
    ///
    /// # Errors
    /// `BadInput` for what cannot be read or does not verify as a vanilla proof, the `Params…` family, and those of
    /// [`crate::prover::prove_batch`] and of [`Engine::submit`]. Nothing is returned of a proof that failed.
    pub fn prove(&self, request: &Request, id: &str) -> Result<Outcome, Box<Failure>> {
        self.prove_since(Began::now(), request, JobOptions { id: Some(id.to_owned()), ..JobOptions::default() })
    }

    /// As [`Engine::prove`], for a caller whose own call began earlier.
    ///
    /// # Errors
    /// As for [`Engine::prove`].
    pub fn prove_since(&self, began: Began, request: &Request, options: JobOptions) -> Result<Outcome, Box<Failure>> {
        let job = self.submit_since(began, request, options).map_err(|error| {
            let report = Recorder::since(began, "refused", request.kind()).report(error.status());
            Box::new(Failure { error, report })
        })?;
        loop {
            if let Some(result) = job.wait(None) {
                return result;
            }
        }
    }

    /// Whether a proof holds for the public inputs that the request gives. Needs the `.vk` file, or the parameters.
    ///
    /// # Errors
    /// As for [`Engine::prove`]; `InvalidArgument` if the proof's length is not 192 bytes for each partition.
    pub fn verify(&self, request: &Request, proof: &[u8]) -> Result<bool, Error> {
        let job = request.job()?;
        if proof.len() != job.partitions() * PROOF_BYTES {
            let expected = job.partitions() * PROOF_BYTES;
            return Err(Error::InvalidArgument(format!("the proof has {} bytes, expected {expected}", proof.len())));
        }
        let key = self.core.params.key(job.circuit_id())?;
        for (k, bytes) in proof.chunks_exact(PROOF_BYTES).enumerate() {
            let bytes: &[u8; PROOF_BYTES] = bytes.try_into().map_err(|_| Error::Internal("a proof's part has 192 bytes".to_owned()))?;
            let inputs = job.public_inputs(k).map_err(bad_input)?;
            match Proof::from_bytes(bytes) {
                Some(proof) if prover::verify(&key, &inputs, &proof)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Makes the parameters of a circuit resident; tells whether they were.
    ///
    /// # Errors
    /// The `Params…` family; out of memory.
    pub fn preload(&self, circuit: CircuitId) -> Result<bool, Error> {
        let scope = Recorder::start(circuit.to_string(), "preload");
        let file = self.core.params.folder().join(circuit.params_file());
        let srs = self.core.params.open(&file, &Cancel::default())?;
        let (need, budget) = (self.core.processors.host_bytes_of(&srs), self.core.board.lock().ledger.budget);
        if need > budget {
            return Err(Error::HostBudget { what: "the parameters", need, budget });
        }
        self.core.params.load(&file, &srs, &self.core.processors, 0, &scope)
    }

    /// Compares the digest of a circuit's parameter file with that of the official one, as Filecoin's list of parameters has it. Reads
    /// all of the file: a minute for 44 GiB.
    ///
    /// # Errors
    /// `ParamsDigest` with both digests if they differ; those of a file that cannot be read.
    pub fn check_params(&self, circuit: CircuitId) -> Result<(), Error> {
        self.core.params.check_official(&self.core.params.folder().join(circuit.params_file()), &Cancel::default())
    }

    /// Gives up the parameters of a circuit, once no proof uses them; returns the bytes of their points, if they were there.
    pub fn evict(&self, circuit: CircuitId) -> Option<usize> {
        self.core.params.evict(&self.core.params.folder().join(circuit.params_file()))
    }

    /// What waits and runs, parameters, memory, processors, as one JSON object.
    pub fn status(&self) -> serde_json::Value {
        let (queue, jobs, memory, closed) = {
            let state = self.core.board.lock();
            let memory =
                serde_json::json!({ "budget": state.ledger.budget, "promised": state.ledger.used(), "most_promised": state.ledger.peak });
            (state.counts(), state.jobs(), memory, state.closed)
        };
        let device = self.core.processors.device_memory().map(|[used, budget]| serde_json::json!({ "used": used, "budget": budget }));
        serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"), "closed": closed, "queue": queue, "jobs": jobs, "params": self.core.params.list(),
            "param_cache": self.config.param_cache.display().to_string(), "host_memory": memory, "device_memory": device,
            "processors": self.core.processors.describe(),
        })
    }

    /// Refuses new jobs and waits for those there are; after `timeout` the rest is cancelled. Tells whether all ended by themselves.
    pub fn shutdown(&self, timeout: Option<Duration>) -> bool {
        let until = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let ended = self.core.board.close(until);
        self.core.board.stop();
        ended
    }
}

fn bad_input(e: c2prover_filecoin::Error) -> Error {
    match e {
        c2prover_filecoin::Error::BadSectors { ref sectors, .. } => Error::FaultySectors { sectors: sectors.clone(), text: e.to_string() },
        e @ c2prover_filecoin::Error::Unsupported { .. } => Error::Unsupported(e.to_string()),
        e => Error::BadInput(e.to_string()),
    }
}
