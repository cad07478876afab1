//! What all calls of the process share: the environment as it was at the first of them, and the processors: the cores always,
//! a GPU where there is one and it is wanted.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

use c2prover::circuit::Assignment;
use c2prover::config::Config;
use c2prover::processors::Processors;
use c2prover::prover::{Blinding, Proof, ProveOptions};
use c2prover::srs::Srs;
use c2prover::timing::Scope;
use c2prover::Error;

/// See the module's head.
pub struct Process {
    pub config: Config,
    pub processors: Processors,
}

/// The process whose threads they are; 0 before the first call.
static OWNER: AtomicU32 = AtomicU32::new(0);
static PROCESS: OnceLock<Process> = OnceLock::new();

/// Refuses to wait in a child of `fork` for threads that only its parent has.
fn owned() -> Result<(), Error> {
    let pid = std::process::id();
    match OWNER.compare_exchange(0, pid, Ordering::Relaxed, Ordering::Relaxed) {
        Err(owner) if owner != pid => Err(Error::Unsupported(format!(
            "process {pid} was forked from {owner}, in which the library was in use: fork before the first call, or exec"
        ))),
        _ => Ok(()),
    }
}

impl Process {
    fn start() -> Result<Process, Error> {
        let config = Config::from_env()?;
        let process = Process { processors: Processors::open(&config)?, config };
        process.config.log();
        log::info!(target: "c2prover::supraseal", "c2prover is used in place of supraseal-c2: {}", process.processors.describe());
        Ok(process)
    }

    /// Proves circuits of one shape.
    pub fn prove(&self, srs: &Srs, circuits: &[Assignment], blinding: Vec<Blinding>, scope: &Scope) -> Result<Vec<Proof>, Error> {
        let options = ProveOptions { self_verify: self.config.self_verify, check_satisfied: false };
        self.processors.prove(srs, circuits, Some(blinding), options, scope)
    }
}

/// Starts it with the first call. An environment that is refused is read again by the next one.
pub fn process() -> Result<&'static Process, Error> {
    owned()?;
    if let Some(process) = PROCESS.get() {
        return Ok(process);
    }
    // Of callers that come here at once one is kept, and the threads of the others end again.
    let started = Process::start()?;
    Ok(PROCESS.get_or_init(|| started))
}
