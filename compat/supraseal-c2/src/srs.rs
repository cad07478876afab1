//! Parameters in memory.

use std::path::PathBuf;

use c2prover::srs::{OpenOptions, Srs};
use c2prover::timing::{Recorder, Scope};
use c2prover::{Error, Status};

use crate::process::{process, Process};
use crate::{call, cuda};

/// The checked points of a parameter file. Cheap to clone: clones share the memory, and the last of them to be dropped
/// gives it back. The default is empty, and proves nothing.
#[derive(Clone, Debug, Default)]
pub struct SRS(Option<Srs>);

impl SRS {
    /// Reads a parameter file (`.params`) and checks it, or shares the points that are in memory, if the same file is. With `cache`
    /// they stay there until [`SRS::evict`], also when nobody uses them.
    ///
    /// # Errors
    /// What is wrong with the file, with section, index and offset; a variable of the environment with a value that is none of its own.
    pub fn try_new(srs_path: PathBuf, cache: bool) -> Result<Self, cuda::Error> {
        let scope = Recorder::start("srs", "srs");
        let open = |process: &Process| {
            let options = OpenOptions { keep: cache, subgroup_check: false };
            let result = process.processors.open_srs(&srs_path, options, &scope).map(|(srs, _)| srs);
            publish(process, &scope, &result);
            result
        };
        match call::run(|| process().and_then(open)) {
            Ok(srs) => Ok(SRS(Some(srs))),
            Err(e) => {
                log::error!(target: "c2prover::error", "call=SRS::try_new status={} {e}", e.status().name());
                Err(e.into())
            }
        }
    }

    /// Forgets the file: the next [`SRS::try_new`] reads it again. Handles in use stay valid.
    pub fn evict(&self) {
        if let Some(srs) = &self.0 {
            srs.evict();
        }
    }

    pub(crate) fn points(&self) -> Result<&Srs, Error> {
        self.0.as_ref().ok_or_else(|| Error::InvalidArgument("the SRS is empty: SRS::try_new makes one".to_owned()))
    }
}

/// Reports where the time of a call went, wherever the environment wants it.
pub(crate) fn publish<T>(process: &Process, scope: &Scope, result: &Result<T, Error>) {
    let mut report = scope.report(result.as_ref().map_or_else(Error::status, |_| Status::Ok));
    report.notes.insert("backend", process.processors.describe());
    process.config.publish(&report);
}
