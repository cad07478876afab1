//! Proofs by kind, from a C1 output or vanilla proofs.

use std::ffi::{c_char, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::error::{c2p_error, c_text};
use super::handle::{self, Handle};
use super::pointer::{self, Versioned};
use super::request::{c2p_request, given, timeout};
use super::result::{c2p_result, Finished};
use super::types::{c2p_switch, choice};
use super::{call, call_out, threads};
use crate::engine::{Engine, EngineOptions};
use crate::timing::Began;
use crate::Status;

/// A prover of requests by kind. Owned by the caller: free it with c2p_engine_free. May be used from any number of
/// threads at once. Parameters stay in memory between its proofs.
pub enum c2p_engine {}

impl Handle for c2p_engine {
    type Value = Arc<Engine>;
    const NAME: &'static str = "c2p_engine";
    const KIND: [u8; 8] = *b"c2pengin";
}

/// How to make an engine. Set struct_size, zero the rest.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct c2p_engine_options {
    /// sizeof(c2p_engine_options).
    pub struct_size: usize,
    /// Folder of the parameter files; NULL: C2PROVER_PARAM_CACHE, FIL_PROOFS_PARAMETER_CACHE, or
    /// /var/tmp/filecoin-proof-parameters.
    pub param_cache: *const c_char,
    /// Threads in all; 0: C2PROVER_CPU_THREADS, or one for each core this process may use.
    pub cpu_threads: u32,
    /// Verify each proof before it is returned. Default: C2PROVER_SELF_VERIFY, or on.
    pub self_verify: c2p_switch,
    /// Bytes of host memory for inputs, circuits, their proofs, and points that are not on a device; 0:
    /// C2PROVER_HOST_MEMORY, or what is free, less a tenth.
    pub host_memory: u64,
    /// Jobs that may wait; 0: C2PROVER_MAX_QUEUE, or 256.
    pub max_queue: u32,
    /// Circuits of one shape, of one or several jobs, in one call of the prover; 0: C2PROVER_BATCH, or 1.
    pub batch: u32,
    /// Milliseconds that a circuit waits for others of its batch; 0: C2PROVER_BATCH_WAIT_MS, or not at all.
    pub batch_wait_ms: u32,
    /// Circuits that are synthesised at once; 0: C2PROVER_SYNTHESIS_THREADS, or half the threads.
    pub synthesis_threads: u32,
}

// SAFETY: integers and a pointer, which may be NULL; the size first; zeros are the defaults.
unsafe impl Versioned for c2p_engine_options {}

/// Makes an engine: reads the environment and starts threads.
///
/// options: may be NULL. out: the handle.
///
/// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT, also for a variable with a value that is none of its own;
/// C2P_ERR_NO_DEVICE if CUDA is demanded and there is none; C2P_ERR_UNSUPPORTED in a child of fork.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_engine_new(options: *const c2p_engine_options, out: *mut *mut c2p_engine, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for options.
        let options = unsafe { pointer::versioned(options, "options") }?;
        let param_cache = if options.param_cache.is_null() {
            None
        } else {
            // SAFETY: the caller keeps the header's rules for options.param_cache.
            let path = unsafe { pointer::string(options.param_cache, "options.param_cache") }?;
            Some(PathBuf::from(OsStr::from_bytes(path.to_bytes())))
        };
        let self_verify = choice(options.self_verify, "options.self_verify")?;
        let cpu_threads = threads::count(options.cpu_threads, "options.cpu_threads")?;
        threads::allowed()?;
        let some = |n: u32| (n > 0).then_some(n as usize);
        let engine = Engine::new(EngineOptions {
            param_cache,
            cpu_threads,
            self_verify,
            host_memory: (options.host_memory > 0).then(|| usize::try_from(options.host_memory).unwrap_or(usize::MAX / 2)),
            max_queue: some(options.max_queue),
            batch: some(options.batch),
            batch_wait: (options.batch_wait_ms > 0).then(|| Duration::from_millis(options.batch_wait_ms.into())),
            synthesis_threads: some(options.synthesis_threads),
        })?;
        Ok(handle::give::<c2p_engine>(Arc::new(engine)))
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_engine_new", out, err, body) }
}

/// Proves a request, from the C1 output or vanilla proofs to proof bytes: parameters are found in the engine's folder,
/// loaded and kept.
///
/// out: the result, with 192 bytes of proof for each partition, in order.
///
/// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_BAD_INPUT if the input cannot be read, names a proof type that is
/// not known, or does not verify as a vanilla proof; C2P_ERR_UNSUPPORTED for a proof type that is known and not offered,
/// and in a child of fork; one of C2P_ERR_PARAMS_*; C2P_ERR_QUEUE_FULL; C2P_ERR_CLOSED; C2P_ERR_TIMED_OUT;
/// C2P_ERR_PROOF_INVALID; C2P_ERR_HOST_OUT_OF_MEMORY; C2P_ERR_ENTROPY.
///
/// Memory: nothing of the caller's is kept after the call. Threads: any number of calls at once.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_prove(
    engine: *const c2p_engine,
    request: *const c2p_request,
    out: *mut *mut c2p_result,
    err: *mut *mut c2p_error,
) -> Status {
    // The clock first, so that it shows what the caller's stopwatch does.
    let began = Began::now();
    let body = || {
        // SAFETY: the caller keeps the header's rules for engine. A clone, so that the caller may free its handle.
        let engine = unsafe { handle::value(engine) }?.clone();
        // SAFETY: the caller keeps the header's rules for request.
        let (request, options) = unsafe { given(request) }?;
        threads::allowed()?;
        let outcome = engine.prove_since(began, &request, options).map_err(|failure| failure.error)?;
        let finished = Finished::new(outcome.proof, outcome.report, outcome.partitions, outcome.srs_was_resident);
        Ok(handle::give::<c2p_result>(finished))
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_prove", out, err, body) }
}

/// Verifies a proof against the public inputs that a request gives. Needs the verifying key (.vk), or the parameters, in
/// the engine's folder.
///
/// proof, len: 192 bytes for each partition. out: whether the proof holds.
///
/// Returns C2P_OK, whatever *out says; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_BAD_INPUT; C2P_ERR_UNSUPPORTED; one of
/// C2P_ERR_PARAMS_*.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_verify(
    engine: *const c2p_engine,
    request: *const c2p_request,
    proof: *const u8,
    len: usize,
    out: *mut bool,
    err: *mut *mut c2p_error,
) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for engine.
        let engine = unsafe { handle::value(engine) }?.clone();
        // SAFETY: the caller keeps the header's rules for request.
        let (request, _) = unsafe { given(request) }?;
        // SAFETY: the caller keeps the header's rules for proof.
        let proof = unsafe { pointer::slice(proof, len, "proof") }?;
        threads::allowed()?;
        engine.verify(&request, proof)
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_verify", out, err, body) }
}

/// What an engine does and holds, as one JSON object: queue, jobs, parameters, memory of the host and of the device.
///
/// out: the text; free it with c2p_string_free.
///
/// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_engine_status(engine: *const c2p_engine, out: *mut *mut c_char, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for engine.
        let status = unsafe { handle::value(engine) }?.status();
        Ok(c_text(&status.to_string()).into_raw())
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_engine_status", out, err, body) }
}

/// Refuses new jobs and waits for those there are; what has not ended after timeout_ms is cancelled. The engine must be
/// freed all the same.
///
/// ended: whether all ended by themselves; may be NULL.
///
/// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_engine_shutdown(
    engine: *const c2p_engine,
    timeout_ms: u64,
    ended: *mut bool,
    err: *mut *mut c2p_error,
) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for engine.
        let engine = unsafe { handle::value(engine) }?.clone();
        let all = engine.shutdown(timeout(timeout_ms));
        if !ended.is_null() {
            // SAFETY: the caller keeps the header's rules for ended; a bool is always aligned.
            unsafe { ended.write(all) };
        }
        Ok(())
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_engine_shutdown", err, body) }
}

/// Frees an engine. NULL is fine. Proofs under way are not disturbed: the last of them, or of the jobs that were submitted
/// and not freed, ends its threads.
#[no_mangle]
pub unsafe extern "C" fn c2p_engine_free(engine: *mut c2p_engine) {
    // SAFETY: the caller keeps the header's rules: NULL or a live handle.
    unsafe { handle::free("c2p_engine_free", engine) }
}
