//! The processors of an engine: the cores always, a GPU where there is one and it is wanted.

use std::sync::Arc;

use crate::backend::cpu::{CpuBackend, CpuOptions};
#[cfg(feature = "cuda")]
use crate::backend::cuda::CudaBackend;
use crate::backend::Backend;
use crate::circuit::Assignment;
use crate::config::{BackendChoice, Config};
use crate::prover::{prove_batch, Proof, ProveOptions};
use crate::srs::Srs;
use crate::timing::Scope;
use crate::Error;

/// See the module's head.
pub struct Processors {
    cores: Arc<CpuBackend>,
    #[cfg(feature = "cuda")]
    gpu: Option<CudaBackend>,
}

impl Processors {
    /// Opens what the configuration wants. `auto` goes without a GPU only where there is none, and says so.
    pub fn open(config: &Config) -> Result<Processors, Error> {
        let cores = Arc::new(CpuBackend::new(CpuOptions { threads: config.cpu_threads, b_g2_threads: config.b_g2_threads })?);
        #[cfg(feature = "cuda")]
        {
            let gpu = match config.backend {
                BackendChoice::Cpu => None,
                BackendChoice::Cuda => Some(CudaBackend::new(cores.clone())?),
                BackendChoice::Auto => match CudaBackend::new(cores.clone()) {
                    Err(Error::NoDevice(why)) => {
                        log::warn!(target: "c2prover::device", "proving on the CPU: {why}");
                        None
                    }
                    gpu => Some(gpu?),
                },
            };
            Ok(Processors { cores, gpu })
        }
        #[cfg(not(feature = "cuda"))]
        match config.backend {
            BackendChoice::Cuda => Err(Error::NoDevice("C2PROVER_BACKEND=cuda, but this library was built without CUDA".to_owned())),
            BackendChoice::Auto | BackendChoice::Cpu => Ok(Processors { cores }),
        }
    }

    /// The cores, for parsing, synthesis and reading.
    pub fn cores(&self) -> &CpuBackend {
        &self.cores
    }

    /// What proves, for reports.
    pub fn describe(&self) -> String {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return gpu.describe();
        }
        self.cores.describe()
    }

    /// Proves one circuit with fresh blinding.
    pub fn prove(&self, srs: &Srs, circuit: &Assignment, options: ProveOptions, scope: &Scope) -> Result<Vec<Proof>, Error> {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return prove_batch(gpu, srs, std::slice::from_ref(circuit), None, options, scope);
        }
        prove_batch(&*self.cores, srs, std::slice::from_ref(circuit), None, options, scope)
    }
}
