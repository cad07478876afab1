//! The one table of errors: numbers that never change, the figures a caller can act on, and what to do.

use std::fmt;
use std::path::PathBuf;

/// Outcome of a call. The numbers are fixed for ever and never reused; a caller must accept unknown ones.
#[repr(i32)]
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Done; outputs are written.
    Ok = 0,
    /// An argument breaks the contract of the function: null, unknown number, wrong length.
    InvalidArgument = 1,
    /// Known, but not offered by this build or version.
    Unsupported = 2,
    /// A C1 output or vanilla proof cannot be read or does not verify.
    BadInput = 3,
    /// A size, popcount or density of the assignment is wrong.
    BadAssignment = 4,
    /// A scalar of the assignment is not canonical, or the first input is not one.
    BadScalar = 5,
    /// The parameter file does not exist.
    ParamsMissing = 10,
    /// The parameter file cannot be read.
    ParamsUnreadable = 11,
    /// The parameter file is empty.
    ParamsEmpty = 12,
    /// The parameter file ends before its last section does.
    ParamsTruncated = 13,
    /// The parameter file goes on after its last section.
    ParamsTrailing = 14,
    /// A point of the parameter file is not a usable group element.
    ParamsPoint = 15,
    /// The parameters belong to another circuit.
    ParamsMismatch = 16,
    /// The parameter file changed while it was read.
    ParamsChanged = 17,
    /// The parameter file is not the official one.
    ParamsDigest = 18,
    /// A GPU was demanded and there is none this build can use.
    NoDevice = 20,
    /// Device memory ran out.
    DeviceOutOfMemory = 23,
    /// The GPU or its driver failed; the process should be restarted.
    DeviceFault = 24,
    /// Host memory ran out.
    HostOutOfMemory = 30,
    /// The kernel gave no randomness.
    Entropy = 31,
    /// The proof failed its own verification: nothing is returned.
    ProofInvalid = 40,
    /// The check of a.b = c found a row that does not hold.
    Unsatisfied = 41,
    /// The job was cancelled.
    Cancelled = 50,
    /// The job's own time limit passed.
    TimedOut = 51,
    /// The engine's queue is full.
    QueueFull = 52,
    /// The engine is shut down.
    Closed = 53,
    /// The job goes on: the time to wait for it passed.
    Pending = 54,
    /// A panic was caught at the boundary: a fault of this library.
    Panic = 90,
    /// An internal contract was broken: a fault of this library.
    Internal = 99,
}

/// Name and advice of each status; the order is that of the numbers.
pub const STATUSES: &[(Status, &str, &str)] = &[
    (Status::Ok, "OK", ""),
    (Status::InvalidArgument, "INVALID_ARGUMENT", "correct the call"),
    (Status::Unsupported, "UNSUPPORTED", "use another build or proof type"),
    (Status::BadInput, "BAD_INPUT", "make the C1 output or vanilla proof again"),
    (Status::BadAssignment, "BAD_ASSIGNMENT", "correct the field named"),
    (Status::BadScalar, "BAD_SCALAR", "pass scalars in blst's Montgomery form, below r, the first input one"),
    (Status::ParamsMissing, "PARAMS_MISSING", "fetch the parameters, or point to their folder"),
    (Status::ParamsUnreadable, "PARAMS_UNREADABLE", "check permissions and the disk"),
    (Status::ParamsEmpty, "PARAMS_EMPTY", "fetch the file again"),
    (Status::ParamsTruncated, "PARAMS_TRUNCATED", "fetch the file again"),
    (Status::ParamsTrailing, "PARAMS_TRAILING", "fetch the file again"),
    (Status::ParamsPoint, "PARAMS_POINT", "fetch the file again"),
    (Status::ParamsMismatch, "PARAMS_MISMATCH", "use the parameters of this circuit"),
    (Status::ParamsChanged, "PARAMS_CHANGED", "do not write to parameter files in use; load again"),
    (Status::ParamsDigest, "PARAMS_DIGEST", "fetch the file again"),
    (Status::NoDevice, "NO_DEVICE", "use a build with CUDA on a machine with a GPU, or allow the CPU"),
    (Status::DeviceOutOfMemory, "DEVICE_OUT_OF_MEMORY", "free device memory, or use a larger card"),
    (Status::DeviceFault, "DEVICE_FAULT", "restart the process; if it comes back, check card and driver"),
    (Status::HostOutOfMemory, "HOST_OUT_OF_MEMORY", "free memory, or prove fewer circuits at once"),
    (Status::Entropy, "ENTROPY", "check that getrandom works here"),
    (Status::ProofInvalid, "PROOF_INVALID", "check that the circuit is satisfied and the parameters are its own"),
    (Status::Unsatisfied, "UNSATISFIED", "correct the witness"),
    (Status::Cancelled, "CANCELLED", "submit it again if it is wanted"),
    (Status::TimedOut, "TIMED_OUT", "give it more time, or a higher priority"),
    (Status::QueueFull, "QUEUE_FULL", "wait for a job to end, or allow more"),
    (Status::Closed, "CLOSED", "make another engine"),
    (Status::Pending, "PENDING", "wait again"),
    (Status::Panic, "PANIC", "report this with its text"),
    (Status::Internal, "INTERNAL", "report this with its text"),
];

impl Status {
    /// The fixed number.
    pub fn code(self) -> i32 {
        self as i32
    }
    /// The name without prefix, e.g. `PARAMS_MISSING`.
    pub fn name(self) -> &'static str {
        self.row().1
    }
    /// What a caller can do about it; empty for `Ok`.
    pub fn advice(self) -> &'static str {
        self.row().2
    }
    fn row(self) -> &'static (Status, &'static str, &'static str) {
        // Every variant is in the table: `table_is_complete` walks it.
        STATUSES.iter().find(|row| row.0 == self).unwrap_or(&STATUSES[STATUSES.len() - 1])
    }
}

/// A part of a parameter file, by the names of its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names are those of the file layout
pub enum Section {
    AlphaG1,
    BetaG1,
    BetaG2,
    GammaG2,
    DeltaG1,
    DeltaG2,
    Ic,
    H,
    L,
    A,
    BG1,
    BG2,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Section::AlphaG1 => "alpha_g1",
            Section::BetaG1 => "beta_g1",
            Section::BetaG2 => "beta_g2",
            Section::GammaG2 => "gamma_g2",
            Section::DeltaG1 => "delta_g1",
            Section::DeltaG2 => "delta_g2",
            Section::Ic => "ic",
            Section::H => "h",
            Section::L => "l",
            Section::A => "a",
            Section::BG1 => "b_g1",
            Section::BG2 => "b_g2",
        })
    }
}

/// Why a call failed, with the figures that let the caller act.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the texts say what the fields are
pub enum Error {
    #[error("{0}")]
    InvalidArgument(String),
    #[error("{0}")]
    Unsupported(String),
    #[error("{0}")]
    BadInput(String),
    #[error("{text}")]
    FaultySectors { sectors: Vec<u64>, text: String },
    #[error("circuit {circuit}: {field} is {got}, expected {expected}")]
    BadAssignment { circuit: usize, field: &'static str, got: usize, expected: usize },
    #[error("circuit {circuit}: {field}[{index}] {reason}")]
    BadScalar { circuit: usize, field: &'static str, index: usize, reason: &'static str },
    #[error("{}: no such parameter file", path.display())]
    ParamsMissing { path: PathBuf },
    #[error("{}: {reason}", path.display())]
    ParamsUnreadable { path: PathBuf, reason: String },
    #[error("{}: the file is empty", path.display())]
    ParamsEmpty { path: PathBuf },
    #[error("{}: section {section} at offset {offset} needs {need} bytes, the file has {have} left", path.display())]
    ParamsTruncated { path: PathBuf, section: Section, offset: u64, need: u64, have: u64 },
    #[error("{}: {extra} bytes after the last section, which ends at offset {offset}", path.display())]
    ParamsTrailing { path: PathBuf, offset: u64, extra: u64 },
    #[error("{}: section {section}, point {index} at offset {offset}: {reason}", path.display())]
    ParamsPoint { path: PathBuf, section: Section, index: usize, offset: u64, reason: &'static str },
    #[error("circuit {circuit}: {field} needs {expected} points in section {section}, the parameters hold {got}")]
    ParamsMismatch { circuit: usize, section: Section, field: &'static str, got: usize, expected: usize },
    #[error("{}: the file changed while it was read", path.display())]
    ParamsChanged { path: PathBuf },
    #[error("{}: the digest is {found}, that of the official file is {expected}", path.display())]
    ParamsDigest { path: PathBuf, expected: String, found: String },
    #[error("{0}")]
    NoDevice(String),
    #[error("{what} needs {need} bytes of device memory, {free} are free")]
    DeviceOutOfMemory { what: &'static str, need: usize, free: usize },
    #[error("{what}: {text} (CUDA {code})")]
    Device { what: &'static str, code: i32, text: String },
    #[error("{what} needs {bytes} bytes of host memory, which could not be had")]
    HostOutOfMemory { what: &'static str, bytes: usize },
    #[error("{what} needs {need} bytes of host memory, the budget is {budget}")]
    HostBudget { what: &'static str, need: usize, budget: usize },
    #[error("no randomness from the kernel: {0}")]
    Entropy(String),
    #[error("circuit {circuit}: the proof does not verify")]
    ProofInvalid { circuit: usize },
    #[error("circuit {circuit}: constraint {row} is not satisfied (a.b differs from c)")]
    Unsatisfied { circuit: usize, row: usize },
    #[error("the job was cancelled")]
    Cancelled,
    #[error("the job's time limit passed")]
    TimedOut,
    #[error("{queued} jobs are queued, as many as may be")]
    QueueFull { queued: usize },
    #[error("the engine is shut down")]
    Closed,
    #[error("the job goes on")]
    Pending,
    #[error("panic: {0}")]
    Panic(String),
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// The status whose number crosses the C boundary.
    pub fn status(&self) -> Status {
        match self {
            Error::InvalidArgument(_) => Status::InvalidArgument,
            Error::Unsupported(_) => Status::Unsupported,
            Error::BadInput(_) | Error::FaultySectors { .. } => Status::BadInput,
            Error::BadAssignment { .. } => Status::BadAssignment,
            Error::BadScalar { .. } => Status::BadScalar,
            Error::ParamsMissing { .. } => Status::ParamsMissing,
            Error::ParamsUnreadable { .. } => Status::ParamsUnreadable,
            Error::ParamsEmpty { .. } => Status::ParamsEmpty,
            Error::ParamsTruncated { .. } => Status::ParamsTruncated,
            Error::ParamsTrailing { .. } => Status::ParamsTrailing,
            Error::ParamsPoint { .. } => Status::ParamsPoint,
            Error::ParamsMismatch { .. } => Status::ParamsMismatch,
            Error::ParamsChanged { .. } => Status::ParamsChanged,
            Error::ParamsDigest { .. } => Status::ParamsDigest,
            Error::NoDevice(_) => Status::NoDevice,
            Error::DeviceOutOfMemory { .. } => Status::DeviceOutOfMemory,
            Error::Device { .. } => Status::DeviceFault,
            Error::HostOutOfMemory { .. } | Error::HostBudget { .. } => Status::HostOutOfMemory,
            Error::Entropy(_) => Status::Entropy,
            Error::ProofInvalid { .. } => Status::ProofInvalid,
            Error::Unsatisfied { .. } => Status::Unsatisfied,
            Error::Cancelled => Status::Cancelled,
            Error::TimedOut => Status::TimedOut,
            Error::QueueFull { .. } => Status::QueueFull,
            Error::Closed => Status::Closed,
            Error::Pending => Status::Pending,
            Error::Panic(_) => Status::Panic,
            Error::Internal(_) => Status::Internal,
        }
    }

    /// The section of the parameter file the error is about, if any.
    pub fn section(&self) -> Option<Section> {
        match self {
            Error::ParamsTruncated { section, .. } | Error::ParamsPoint { section, .. } | Error::ParamsMismatch { section, .. } => {
                Some(*section)
            }
            _ => None,
        }
    }

    /// The field of the assignment the error is about, if any.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Error::BadAssignment { field, .. } | Error::BadScalar { field, .. } | Error::ParamsMismatch { field, .. } => Some(field),
            _ => None,
        }
    }

    /// The index of the point, scalar or constraint the error is about, if any.
    pub fn index(&self) -> Option<usize> {
        match self {
            Error::BadScalar { index, .. } | Error::ParamsPoint { index, .. } => Some(*index),
            Error::Unsatisfied { row, .. } => Some(*row),
            _ => None,
        }
    }

    /// The circuit of the batch the error is about, if any.
    pub fn circuit(&self) -> Option<usize> {
        match self {
            Error::BadAssignment { circuit, .. }
            | Error::BadScalar { circuit, .. }
            | Error::ParamsMismatch { circuit, .. }
            | Error::ProofInvalid { circuit }
            | Error::Unsatisfied { circuit, .. } => Some(*circuit),
            _ => None,
        }
    }

    /// The byte offset in the parameter file the error is about, if any.
    pub fn offset(&self) -> Option<u64> {
        match self {
            Error::ParamsTruncated { offset, .. } | Error::ParamsTrailing { offset, .. } | Error::ParamsPoint { offset, .. } => {
                Some(*offset)
            }
            _ => None,
        }
    }

    /// The numbers of the sectors whose vanilla proofs are bad, if that is the error.
    pub fn sectors(&self) -> &[u64] {
        match self {
            Error::FaultySectors { sectors, .. } => sectors,
            _ => &[],
        }
    }

    /// Status name, text and figures as one JSON object.
    pub fn to_json(&self) -> String {
        serde_json::json!({
            "status": self.status().code(), "name": self.status().name(), "message": self.to_string(),
            "advice": self.status().advice(), "section": self.section(), "field": self.field(),
            "index": self.index(), "circuit": self.circuit(), "offset": self.offset(), "sectors": self.sectors(),
        })
        .to_string()
    }

    /// Text of a caught panic, whether its payload is a literal or formatted.
    pub fn from_panic(payload: Box<dyn std::any::Any + Send>) -> Error {
        let text = payload
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()))
            .unwrap_or_else(|| "payload of unknown type".to_owned());
        Error::Panic(text)
    }
}

/// Allocates for `len` elements, or says how much memory was missing: growth with the input never aborts.
pub(crate) fn try_vec<T>(what: &'static str, len: usize) -> Result<Vec<T>, Error> {
    let mut v = Vec::new();
    v.try_reserve_exact(len).map_err(|_| Error::HostOutOfMemory { what, bytes: len.saturating_mul(std::mem::size_of::<T>()) })?;
    Ok(v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_complete_and_unique() {
        let mut codes: Vec<i32> = STATUSES.iter().map(|row| row.0.code()).collect();
        let mut names: Vec<&str> = STATUSES.iter().map(|row| row.1).collect();
        let n = STATUSES.len();
        assert!(codes.windows(2).all(|w| w[0] < w[1]), "in the order of the numbers");
        codes.dedup();
        names.sort_unstable();
        names.dedup();
        assert_eq!((codes.len(), names.len()), (n, n));
        for (status, name, advice) in STATUSES {
            assert_eq!(status.name(), *name);
            assert_eq!(advice.is_empty(), *status == Status::Ok);
        }
    }

    #[test]
    fn panic_text_survives_literal_and_formatted() {
        for payload in [Box::new("plain") as Box<dyn std::any::Any + Send>, Box::new(String::from("plain"))] {
            assert_eq!(Error::from_panic(payload).to_string(), "panic: plain");
        }
    }
}
