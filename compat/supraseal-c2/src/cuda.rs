//! The error of [`SRS::try_new`](crate::SRS::try_new), of the shape that sppark gives it.

use std::fmt;

/// Why parameters could not be loaded. `code` is the number of c2prover's status, never 0.
#[derive(Clone, Debug)]
pub struct Error {
    /// The number; see c2prover's `Status`.
    pub code: i32,
    text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

impl From<&Error> for String {
    fn from(e: &Error) -> String {
        e.text.clone()
    }
}

impl From<Error> for String {
    fn from(e: Error) -> String {
        e.text
    }
}

impl From<c2prover::Error> for Error {
    fn from(e: c2prover::Error) -> Error {
        Error { code: e.status().code(), text: crate::payload::text(&e) }
    }
}
