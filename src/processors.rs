//! The processors that prove: the cores always, a GPU where there is one and it is wanted.

use std::path::Path;
use std::sync::Arc;

use crate::backend::cpu::{CpuBackend, CpuOptions};
#[cfg(feature = "cuda")]
use crate::backend::cuda::{CudaBackend, CudaOptions};
use crate::backend::Backend;
use crate::circuit::Assignment;
use crate::config::{BackendChoice, Config};
use crate::prover::{prove_batch, prove_each, Blinding, Part, Proof, ProveOptions};
use crate::srs::{OpenOptions, Srs};
use crate::timing::Scope;
use crate::Error;

/// See the module's head. May be used from any number of threads at once.
pub struct Processors {
    cores: Arc<CpuBackend>,
    #[cfg(feature = "cuda")]
    gpu: Option<CudaBackend>,
}

impl Processors {
    /// Opens what the configuration wants. `auto` goes without a GPU only where there is none, and says so.
    ///
    /// # Errors
    /// `NoDevice` if CUDA is demanded and there is none; `Internal` if the system refuses threads.
    pub fn open(config: &Config) -> Result<Processors, Error> {
        let cores = Arc::new(CpuBackend::new(CpuOptions { threads: config.cpu_threads, b_g2_threads: config.b_g2_threads })?);
        #[cfg(feature = "cuda")]
        {
            let options = || CudaOptions {
                memory: config.device_memory,
                b_g2: config.b_g2,
                streams: config.streams,
                kernels: config.timing >= crate::timing::Level::Kernels,
            };
            let gpu = match config.backend {
                BackendChoice::Cpu => None,
                BackendChoice::Cuda => Some(CudaBackend::new(cores.clone(), options())?),
                BackendChoice::Auto => match CudaBackend::new(cores.clone(), options()) {
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

    /// The cores, for parsing, synthesis and checks.
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

    /// Opens parameters for the processor that proves; also tells whether the points were resident already.
    ///
    /// # Errors
    /// Those of [`Srs::open_on`].
    pub fn open_srs(&self, path: &Path, options: OpenOptions, scope: &Scope) -> Result<(Srs, bool), Error> {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return Srs::open_on(gpu, path, options, scope);
        }
        Srs::open_on(&*self.cores, path, options, scope)
    }

    /// Makes the points of open parameters resident, if they are not; tells whether they were.
    ///
    /// # Errors
    /// Those of [`Backend::load`].
    pub fn load(&self, srs: &Srs, scope: &Scope) -> Result<bool, Error> {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return gpu.load(srs, false, scope);
        }
        self.cores.load(srs, false, scope)
    }

    /// How many calls that prove are worth having at once.
    pub fn depth(&self) -> usize {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return gpu.depth();
        }
        self.cores.depth()
    }

    /// Bytes of device memory in use, and those that may be, if there is a device.
    pub fn device_memory(&self) -> Option<[usize; 2]> {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return Some([gpu.memory_in_use(), gpu.memory_budget()]);
        }
        None
    }

    /// Bytes of host memory that the points of an SRS take while they are resident.
    pub fn host_bytes_of(&self, srs: &Srs) -> usize {
        #[cfg(feature = "cuda")]
        if self.gpu.is_some() {
            return 0;
        }
        srs.bytes()
    }

    /// Bytes of host memory that a circuit's proof takes beside its assignment.
    pub fn host_bytes_to_prove(&self, srs: &Srs) -> usize {
        #[cfg(feature = "cuda")]
        if self.gpu.is_some() {
            // The assignment packed: two bits a variable and the scalars of the tail.
            return srs.l.len() * 4;
        }
        // a, b and c on the domain, then the scalars and references of the MSM of h.
        srs.domain() * (3 * 32 + 48) + srs.l.len() * 16
    }

    /// Proves circuits of one shape that may belong to several jobs.
    ///
    /// # Errors
    /// Those of [`prove_each`].
    pub fn prove_each(&self, srs: &Srs, parts: Vec<Part>, options: ProveOptions) -> Result<Vec<Proof>, Error> {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return prove_each(gpu, srs, parts, options);
        }
        prove_each(&*self.cores, srs, parts, options)
    }

    /// Proves circuits of one shape.
    ///
    /// # Errors
    /// Those of [`prove_batch`].
    pub fn prove(
        &self,
        srs: &Srs,
        circuits: &[Assignment],
        blinding: Option<Vec<Blinding>>,
        options: ProveOptions,
        scope: &Scope,
    ) -> Result<Vec<Proof>, Error> {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return prove_batch(gpu, srs, circuits, blinding, options, scope);
        }
        prove_batch(&*self.cores, srs, circuits, blinding, options, scope)
    }
}
