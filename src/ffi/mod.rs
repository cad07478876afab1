//! The C boundary, one file a noun. Every exported function has one shape: panic boundary, checked pointers, the call,
//! status; outputs are written only on success.
//!
//! The documentation of exported items is written for readers of `include/c2prover.h`, which is generated from it.
#![allow(unsafe_code)]
#![allow(non_camel_case_types)] // the names are C's

mod circuit;
#[cfg(feature = "filecoin")]
mod engine;
mod error;
mod handle;
#[cfg(feature = "filecoin")]
mod job;
mod key;
mod log;
#[cfg(feature = "filecoin")]
mod params;
mod pointer;
mod queue;
#[cfg(feature = "filecoin")]
mod request;
mod result;
mod srs;
mod threads;
mod types;
mod version;

use std::panic::{catch_unwind, AssertUnwindSafe};

use self::error::c2p_error;
use crate::{fault, Error, Status};

/// The panic boundary. `name` is the exported function's, for the log and for fault points.
fn guard<T>(name: &'static str, call: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let caught = catch_unwind(AssertUnwindSafe(|| {
        log::install();
        fault::point(name);
        call()
    }));
    let result = caught.unwrap_or_else(|payload| Err(Error::from_panic(payload)));
    if let Err(e) = &result {
        let _ = catch_unwind(AssertUnwindSafe(|| ::log::error!(target: "c2prover::error", "call={name} status={} {e}", e.status().name())));
    }
    result
}

/// A call without output.
///
/// # Safety
/// `err` is NULL or may be written.
unsafe fn call(name: &'static str, err: *mut *mut c2p_error, body: impl FnOnce() -> Result<(), Error>) -> Status {
    match guard(name, body) {
        Ok(()) => Status::Ok,
        // SAFETY: passed on from this function's contract.
        Err(e) => unsafe { error::report(e, err) },
    }
}

/// A call whose output is written to `out` if it succeeds, and is left alone otherwise.
///
/// # Safety
/// `out` is NULL, or aligned and may be written; so is `err`.
unsafe fn call_out<T>(name: &'static str, out: *mut T, err: *mut *mut c2p_error, body: impl FnOnce() -> Result<T, Error>) -> Status {
    let checked = || {
        pointer::writable(out, "out")?;
        let value = body()?;
        // SAFETY: not NULL and aligned, as just checked; writable by this function's contract.
        unsafe { out.write(value) };
        Ok(())
    };
    // SAFETY: passed on from this function's contract.
    unsafe { call(name, err, checked) }
}

/// A call that cannot fail in a way its caller could act on: `otherwise` stands in for an error.
fn infallible<T>(name: &'static str, otherwise: T, body: impl FnOnce() -> Result<T, Error>) -> T {
    guard(name, body).unwrap_or(otherwise)
}
