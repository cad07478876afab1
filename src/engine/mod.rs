//! Proofs by kind: from a C1 output or vanilla proofs to verified proof bytes. The only caller of Filecoin's circuits.

mod request;

use std::path::PathBuf;

use c2prover_filecoin::Job;

pub use self::request::Request;
use crate::backend::Backend;
use crate::circuit::{self, Synthesis};
use crate::config::Config;
use crate::processors::Processors;
use crate::prover::{self, Proof, ProveOptions, PROOF_BYTES};
use crate::srs::{OpenOptions, Srs, VerifyingKey};
use crate::timing::{Began, Recorder, Report, Scope, CALLER};
use crate::{Error, Status};

/// How an engine is set up; what is `None` comes from the environment, then from the defaults.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// Folder of the parameter files.
    pub param_cache: Option<PathBuf>,
    /// Threads in all.
    pub cpu_threads: Option<usize>,
    /// Verify each proof before it is returned.
    pub self_verify: Option<bool>,
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

/// Proves requests one after another or from several threads at once; parameters stay in memory between them.
pub struct Engine {
    processors: Processors,
    config: Config,
    self_verify: bool,
}

impl Engine {
    /// Reads the environment and starts the backend's threads.
    ///
    /// # Errors
    /// `InvalidArgument` for a variable or option with a value that is none of its own; `NoDevice` if CUDA is demanded.
    pub fn new(options: EngineOptions) -> Result<Engine, Error> {
        let mut config = Config::from_env()?;
        config.cpu_threads = options.cpu_threads.or(config.cpu_threads);
        config.param_cache = options.param_cache.unwrap_or(config.param_cache);
        config.log();
        let processors = Processors::open(&config)?;
        Ok(Engine { processors, self_verify: options.self_verify.unwrap_or(config.self_verify), config })
    }

    /// Proves a request. The report's clock begins with the call; `id` names it in logs.
    ///
    /// # Errors
    /// `BadInput` for what cannot be read or does not verify as a vanilla proof, the `Params…` family, and those of
    /// [`prove_batch`]. Nothing is returned of a proof that failed.
    pub fn prove(&self, request: &Request, id: &str) -> Result<Outcome, Box<Failure>> {
        self.prove_since(Began::now(), request, id, None)
    }

    /// As [`Engine::prove`], for a caller whose own call began earlier, and who may overrule the engine's `self_verify`.
    ///
    /// # Errors
    /// As for [`Engine::prove`].
    pub fn prove_since(&self, began: Began, request: &Request, id: &str, self_verify: Option<bool>) -> Result<Outcome, Box<Failure>> {
        let scope = Recorder::since(began, id, request.kind());
        let result = self.prove_in(request, self_verify.unwrap_or(self.self_verify), &scope);
        let status = result.as_ref().map_or_else(Error::status, |_| Status::Ok);
        let report = self.reported(scope.report(status));
        match result {
            Ok((proof, srs_was_resident)) => Ok(Outcome { partitions: proof.len() / PROOF_BYTES, proof, report, srs_was_resident }),
            Err(error) => Err(Box::new(Failure { error, report })),
        }
    }

    fn reported(&self, mut report: Report) -> Report {
        report.notes.insert("backend", self.processors.describe());
        self.config.publish(&report);
        report
    }

    fn prove_in(&self, request: &Request, self_verify: bool, scope: &Scope) -> Result<(Vec<u8>, bool), Error> {
        let job = {
            let _span = scope.work(CALLER, "parse").attr("bytes", request.bytes());
            request.job()?
        };
        {
            let _span = scope.work(CALLER, "input.verify");
            self.processors.cores().on_cores(|| job.verify_vanilla()).map_err(bad_input)?;
        }
        let (srs, srs_was_resident) = self.srs(&job, scope)?;
        let options = ProveOptions { self_verify, check_satisfied: false };
        let mut bytes = Vec::with_capacity(job.partitions() * PROOF_BYTES);
        for k in 0..job.partitions() {
            // One circuit at a time: its memory is given back before the next one is synthesised.
            let part = scope.for_part(k);
            let circuit = self.synthesize(&job, k, &part)?;
            let proofs = self.processors.prove(&srs, &[circuit.assignment()], None, options, &part)?;
            bytes.extend(proofs.iter().flat_map(Proof::to_bytes));
            let _span = part.work(CALLER, "free");
            drop(circuit);
        }
        let _span = scope.work(CALLER, "free");
        drop((job, srs));
        Ok((bytes, srs_was_resident))
    }

    fn srs(&self, job: &Job, scope: &Scope) -> Result<(Srs, bool), Error> {
        let path = self.config.param_cache.join(job.circuit_id().params_file());
        self.processors.open_srs(&path, OpenOptions { keep: true, subgroup_check: false }, scope)
    }

    fn synthesize(&self, job: &Job, partition: usize, scope: &Scope) -> Result<Synthesis, Error> {
        let _span = scope.work(CALLER, "synthesis");
        self.processors.cores().on_cores(|| {
            let mut failed = None;
            let circuit = circuit::synthesize(|cs| {
                job.synthesize(partition, cs).map_err(|e| {
                    failed = Some(e);
                    bellpepper_core::SynthesisError::Unsatisfiable
                })
            });
            circuit.map_err(|e| failed.map_or_else(|| Error::BadInput(e.to_string()), bad_input))
        })
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
        let key = match VerifyingKey::open(&self.config.param_cache.join(job.circuit_id().vk_file())) {
            Err(Error::ParamsMissing { .. }) => {
                let scope = Recorder::start("verify", request.kind());
                self.srs(&job, &scope)?.0.key.clone()
            }
            key => key?,
        };
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
}

fn bad_input(e: c2prover_filecoin::Error) -> Error {
    match e {
        e @ c2prover_filecoin::Error::Unsupported { .. } => Error::Unsupported(e.to_string()),
        e => Error::BadInput(e.to_string()),
    }
}
