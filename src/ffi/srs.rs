//! Parameter files.

use std::ffi::{c_char, OsStr};
use std::mem::size_of;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::error::c2p_error;
use super::handle::{self, Handle};
use super::pointer::{self, Versioned};
use super::types::{c2p_switch, switch};
use super::{call, call_out, threads};
use crate::config::Config;
use crate::srs::{OpenOptions, Srs};
use crate::timing::{Recorder, Scope};
use crate::{Error, Status};

/// The checked points of one circuit, shared in memory by all handles of the same file. Owned by the caller: free it
/// with c2p_srs_free. May be used from any number of threads at once.
pub enum c2p_srs {}

impl Handle for c2p_srs {
    type Value = Srs;
    const NAME: &'static str = "c2p_srs";
    const KIND: [u8; 8] = *b"c2p-srs.";
}

/// How to load a parameter file. Set struct_size, zero the rest.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct c2p_srs_options {
    /// sizeof(c2p_srs_options).
    pub struct_size: usize,
    /// Check that each point lies in the subgroup of order r; on the curve it must lie in any case. Default: off.
    pub subgroup_check: c2p_switch,
    /// Keep the points in memory after the last handle is freed, until c2p_srs_evict. Default: off.
    pub keep: c2p_switch,
    /// Threads that read; 0: as many as a proof has by default.
    pub threads: u32,
    /// Zero.
    pub reserved: u32,
}

// SAFETY: integers only, the size first; zeros are the defaults.
unsafe impl Versioned for c2p_srs_options {}

/// What a parameter file holds. Set struct_size before the call that fills it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct c2p_srs_shape {
    /// sizeof(c2p_srs_shape).
    pub struct_size: usize,
    /// Inputs of the circuit, the constant one among them: points of ic.
    pub inputs: usize,
    /// Auxiliary variables of the circuit: points of l.
    pub aux: usize,
    /// Size of the evaluation domain, a power of two.
    pub domain: usize,
    /// Points of h.
    pub h: usize,
    /// Points of a: inputs and the auxiliary variables that occur in A.
    pub a: usize,
    /// Points of b_g1, and of b_g2: the inputs and auxiliary variables that occur in B.
    pub b: usize,
    /// Bytes of memory the points take.
    pub bytes: usize,
}

// SAFETY: integers only, the size first.
unsafe impl Versioned for c2p_srs_shape {}

/// A path as C gives it: any bytes but NUL.
///
/// # Safety
/// As for [`pointer::string`].
pub unsafe fn path<'a>(path: *const c_char) -> Result<&'a Path, Error> {
    // SAFETY: passed on from this function's contract.
    let path = unsafe { pointer::string(path, "path") }?;
    Ok(Path::new(OsStr::from_bytes(path.to_bytes())))
}

fn load(path: &Path, options: &c2p_srs_options, config: &Config, scope: &Scope) -> Result<Srs, Error> {
    let subgroup_check = switch(options.subgroup_check, false, "options.subgroup_check")?;
    let keep = switch(options.keep, false, "options.keep")?;
    pointer::zero(options.reserved, "options.reserved")?;
    let processors = threads::processors(options.threads, config, scope)?;
    processors.open_srs(path, OpenOptions { subgroup_check, keep }, scope).map(|(srs, _)| srs)
}

/// Loads a parameter file (.params), or shares the points already in memory if the same file (by device, inode, size
/// and time of modification) is loaded. The file is read, not mapped: afterwards it may change.
///
/// path: of the file. options: may be NULL. out: the handle.
///
/// Returns C2P_OK; one of C2P_ERR_PARAMS_*, with section, index and offset where the file is damaged;
/// C2P_ERR_INVALID_ARGUMENT; C2P_ERR_HOST_OUT_OF_MEMORY; C2P_ERR_UNSUPPORTED in a child of fork.
///
/// Threads: any. Callers that ask for the same file at once wait for one read.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_srs_load(
    path: *const c_char,
    options: *const c2p_srs_options,
    out: *mut *mut c2p_srs,
    err: *mut *mut c2p_error,
) -> Status {
    // The clock first, so that it shows what the caller's stopwatch does.
    let scope = Recorder::start("srs", "srs");
    let body = || {
        // SAFETY: the caller keeps the header's rules for path.
        let path = unsafe { self::path(path) }?;
        // SAFETY: the caller keeps the header's rules for options.
        let options = unsafe { pointer::versioned(options, "options") }?;
        let config = Config::from_env()?;
        let result = load(path, &options, &config, &scope);
        let status = result.as_ref().map_or_else(Error::status, |_| Status::Ok);
        config.publish(&scope.report(status));
        result.map(handle::give::<c2p_srs>)
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_srs_load", out, err, body) }
}

/// Fills *out with the numbers of points.
///
/// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_srs_info(srs: *const c2p_srs, out: *mut c2p_srs_shape, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for srs.
        let srs = unsafe { handle::value(srs) }?;
        let shape = c2p_srs_shape {
            struct_size: size_of::<c2p_srs_shape>(),
            inputs: srs.key.ic.len(),
            aux: srs.l.len(),
            domain: srs.domain(),
            h: srs.h.len(),
            a: srs.a.len(),
            b: srs.b_g1.len(),
            bytes: srs.bytes(),
        };
        // SAFETY: the caller keeps the header's rules for out.
        unsafe { pointer::write_versioned(out, "out", &shape) }
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_srs_info", err, body) }
}

/// Forgets the file, so that the next load reads it again. Handles stay valid, and with them their memory.
///
/// Returns C2P_OK, also if the file was forgotten before; C2P_ERR_INVALID_ARGUMENT.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_srs_evict(srs: *const c2p_srs, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for srs.
        unsafe { handle::value(srs) }?.evict();
        Ok(())
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_srs_evict", err, body) }
}

/// Frees a handle; the last one of a file frees its points, unless they are kept. NULL is fine. Proofs under way are
/// not disturbed.
#[no_mangle]
pub unsafe extern "C" fn c2p_srs_free(srs: *mut c2p_srs) {
    // SAFETY: the caller keeps the header's rules: NULL or a live handle.
    unsafe { handle::free("c2p_srs_free", srs) }
}
