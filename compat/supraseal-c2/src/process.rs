//! What all calls of the process share: the environment as it was at the first of them, and the processors: the cores always,
//! a GPU where there is one and it is wanted.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use c2prover::backend::cpu::{CpuBackend, CpuOptions};
#[cfg(feature = "cuda")]
use c2prover::backend::cuda::CudaBackend;
use c2prover::backend::Backend;
use c2prover::circuit::Assignment;
use c2prover::config::{BackendChoice, Config};
use c2prover::prover::{prove_batch, Blinding, Proof, ProveOptions};
use c2prover::srs::Srs;
use c2prover::timing::Scope;
use c2prover::Error;

/// See the module's head.
pub struct Process {
    pub config: Config,
    /// For reading and checks as well.
    pub cores: Arc<CpuBackend>,
    #[cfg(feature = "cuda")]
    gpu: Option<CudaBackend>,
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
        let cores = Arc::new(CpuBackend::new(CpuOptions { threads: config.cpu_threads, b_g2_threads: config.b_g2_threads })?);
        let process = Process {
            #[cfg(feature = "cuda")]
            gpu: gpu(&config, &cores)?,
            cores,
            config,
        };
        if cfg!(not(feature = "cuda")) && process.config.backend == BackendChoice::Cuda {
            return Err(Error::NoDevice("C2PROVER_BACKEND=cuda, but supraseal-c2's feature cuda is off".to_owned()));
        }
        process.config.log();
        log::info!(target: "c2prover::supraseal", "c2prover is used in place of supraseal-c2: {}", process.describe());
        Ok(process)
    }

    /// What proves, for reports.
    pub fn describe(&self) -> String {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return gpu.describe();
        }
        self.cores.describe()
    }

    /// Proves circuits of one shape.
    pub fn prove(&self, srs: &Srs, circuits: &[Assignment], blinding: Vec<Blinding>, scope: &Scope) -> Result<Vec<Proof>, Error> {
        let options = ProveOptions { self_verify: self.config.self_verify, check_satisfied: false };
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return prove_batch(gpu, srs, circuits, Some(blinding), options, scope);
        }
        prove_batch(&*self.cores, srs, circuits, Some(blinding), options, scope)
    }
}

/// The GPU that the configuration wants. `auto` goes without one only where there is none, and says so.
#[cfg(feature = "cuda")]
fn gpu(config: &Config, cores: &Arc<CpuBackend>) -> Result<Option<CudaBackend>, Error> {
    match config.backend {
        BackendChoice::Cpu => Ok(None),
        BackendChoice::Cuda => CudaBackend::new(cores.clone()).map(Some),
        BackendChoice::Auto => match CudaBackend::new(cores.clone()) {
            Err(Error::NoDevice(why)) => {
                log::warn!(target: "c2prover::device", "proving on the CPU: {why}");
                Ok(None)
            }
            gpu => gpu.map(Some),
        },
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
