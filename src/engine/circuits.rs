//! What the pipeline proves: circuits of one shape, however they come about.

use std::path::{Path, PathBuf};

use bellpepper_core::SynthesisError;
use c2prover_filecoin::{Job as FilecoinJob, Kind};

use super::bad_input;
use crate::backend::Backend;
use crate::circuit::{synthesize_in, Assignment, Synthesis};
use crate::processors::Processors;
use crate::srs::Srs;
use crate::{Cancel, Error};

/// A circuit that was made, and holds its scalars.
pub trait Assigned: Send + Sync {
    /// For the prover.
    fn assignment(&self) -> Assignment<'_>;
}

impl Assigned for Synthesis {
    fn assignment(&self) -> Assignment<'_> {
        Synthesis::assignment(self)
    }
}

/// Circuits of one shape, which are made when there is room for them. The engine makes those of Filecoin's proofs out of requests;
/// callers in Rust may bring their own.
pub trait Circuits: Send + Sync + 'static {
    /// Name of the kind, for logs and reports.
    fn kind(&self) -> &'static str;
    /// The parameter file of their shape.
    fn params(&self) -> &Path;
    /// How many circuits, at least one.
    fn partitions(&self) -> usize;
    /// Bytes of host memory that making one takes, and that it takes until it is proved.
    fn bytes(&self, srs: &Srs) -> usize;
    /// Makes one; to be given up when it is cancelled.
    ///
    /// # Errors
    /// Whatever makes it impossible.
    fn make(&self, partition: usize, srs: &Srs, processors: &Processors, cancel: &Cancel) -> Result<Box<dyn Assigned>, Error>;
}

/// The circuits of a request.
pub(super) struct OfRequest {
    job: FilecoinJob,
    params: PathBuf,
}

impl OfRequest {
    /// Those of a request that was read, with parameters from a folder.
    pub fn new(job: FilecoinJob, folder: &Path) -> OfRequest {
        OfRequest { params: folder.join(job.circuit_id().params_file()), job }
    }
}

impl Circuits for OfRequest {
    fn kind(&self) -> &'static str {
        self.job.kind().prefix()
    }

    fn params(&self) -> &Path {
        &self.params
    }

    fn partitions(&self) -> usize {
        self.job.partitions()
    }

    fn bytes(&self, srs: &Srs) -> usize {
        // The auxiliary variables, a and b, and the densities.
        let bytes = (srs.l.len() + 2 * srs.domain()) * 32 + srs.l.len() / 4;
        match self.job.kind() {
            Kind::PoRep | Kind::Update => bytes,
            // Sectors are synthesised apart, in memory that doubles as it grows, and then put together.
            Kind::WinningPost | Kind::WindowPost => 3 * bytes,
        }
    }

    fn make(&self, partition: usize, srs: &Srs, processors: &Processors, cancel: &Cancel) -> Result<Box<dyn Assigned>, Error> {
        let system = Synthesis::reserved(srs.l.len(), srs.domain(), cancel.clone())?;
        processors.cores().on_cores(|| {
            let mut failed = None;
            let circuit = synthesize_in(system, |cs| {
                self.job.synthesize(partition, cs).map_err(|e| {
                    failed = Some(e);
                    SynthesisError::Unsatisfiable
                })
            });
            cancel.check()?;
            let circuit = circuit.map_err(|e| failed.map_or_else(|| Error::BadInput(e.to_string()), bad_input))?;
            Ok(Box::new(circuit) as Box<dyn Assigned>)
        })
    }
}
