//! Proofs by kind, from a C1 output or vanilla proofs.

use std::borrow::Cow;
use std::ffi::{c_char, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::error::{c2p_error, c_text};
use super::handle::{self, Handle};
use super::job::{priority, timeout};
use super::pointer::{self, Versioned};
use super::result::{c2p_result, Finished};
use super::types::{c2p_bytes, c2p_switch, switch, C2P_DEFAULT};
use super::{call, call_out, threads};
use crate::engine::{Engine, EngineOptions, JobOptions, Request};
use crate::timing::Began;
use crate::{Error, Status};

/// Proof of replication from the JSON of Commit Phase 1, or from Curio's wrapper around it.
pub const C2P_KIND_POREP: i32 = 1;
/// Sector update (SnapDeals) from one vanilla proof a partition.
pub const C2P_KIND_SNAP: i32 = 2;
/// WindowPoSt from one vanilla proof a sector, of one partition or of all.
pub const C2P_KIND_WINDOW_POST: i32 = 3;
/// WinningPoSt from the one vanilla proof of the challenged sector.
pub const C2P_KIND_WINNING_POST: i32 = 4;

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

/// One proof to make. Set struct_size, zero the rest, then set what the kind needs. Everything is borrowed for the time
/// of the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct c2p_request {
    /// sizeof(c2p_request).
    pub struct_size: usize,
    /// One of C2P_KIND_*.
    pub kind: i32,
    /// WindowPoSt: C2P_ON proves all partitions of the deadline, cut from vanilla in order. Default: off; vanilla holds
    /// the sectors of the one partition.
    pub all_partitions: c2p_switch,
    /// PoSt, snap: the number of the proof in go-state-types. PoRep: not looked at, the C1 output names it.
    pub registered_proof: i64,
    /// PoRep: the output of Commit Phase 1.
    pub c1_json: c2p_bytes,
    /// PoSt, snap: the vanilla proofs.
    pub vanilla: *const c2p_bytes,
    /// Number of vanilla proofs.
    pub vanilla_len: usize,
    /// PoRep: the sector's number.
    pub sector_number: u64,
    /// PoRep, PoSt: the payload of the miner's id address, zero-padded.
    pub prover_id: [u8; 32],
    /// PoSt: the chain's randomness.
    pub randomness: [u8; 32],
    /// Snap: commitment of the old replica.
    pub comm_r_old: [u8; 32],
    /// Snap: commitment of the new replica.
    pub comm_r_new: [u8; 32],
    /// Snap: commitment of the new data.
    pub comm_d_new: [u8; 32],
    /// WindowPoSt: which partition of the deadline.
    pub partition_index: u32,
    /// Verify the proof before it is returned. Default: as the engine does.
    pub self_verify: c2p_switch,
    /// Name for log lines and the report, in UTF-8; NULL: one is made up.
    pub request_id: *const c_char,
    /// The proof ends with C2P_ERR_TIMED_OUT when so many milliseconds have passed; 0: no limit.
    pub timeout_ms: u64,
    /// One of C2P_PRIORITY_*, taken between partitions; 0: normal.
    pub priority: i32,
    /// Zero.
    pub reserved: u32,
}

// SAFETY: integers, bytes and pointers, which may be NULL; the size first; zeros are the defaults.
unsafe impl Versioned for c2p_request {}

/// # Safety
/// The struct and what it points to are as the header says, for `'a`.
unsafe fn vanilla<'a>(x: &c2p_request) -> Result<Vec<Cow<'a, [u8]>>, Error> {
    // SAFETY: passed on from this function's contract.
    let items = unsafe { pointer::slice(x.vanilla, x.vanilla_len, "request.vanilla") }?;
    let item = |(i, bytes): (usize, &c2p_bytes)| {
        // SAFETY: as before, for each item.
        unsafe { pointer::slice(bytes.ptr, bytes.len, format_args!("request.vanilla[{i}].ptr")) }.map(Cow::Borrowed)
    };
    items.iter().enumerate().map(item).collect()
}

/// # Safety
/// As for [`vanilla`].
unsafe fn request<'a>(x: &c2p_request) -> Result<Request<'a>, Error> {
    let (registered_proof, prover_id, randomness) = (x.registered_proof, x.prover_id, x.randomness);
    // SAFETY: passed on from this function's contract.
    let vanilla = unsafe { vanilla(x) }?;
    match x.kind {
        C2P_KIND_POREP => {
            // SAFETY: passed on from this function's contract.
            let c1 = unsafe { pointer::slice(x.c1_json.ptr, x.c1_json.len, "request.c1_json.ptr") }?.into();
            Ok(Request::PoRep { c1, sector_number: x.sector_number, prover_id })
        }
        C2P_KIND_SNAP => {
            let (comm_r_old, comm_r_new, comm_d_new) = (x.comm_r_old, x.comm_r_new, x.comm_d_new);
            Ok(Request::Update { registered_proof, comm_r_old, comm_r_new, comm_d_new, vanilla })
        }
        C2P_KIND_WINDOW_POST => {
            let all = switch(x.all_partitions, false, "request.all_partitions")?;
            let partition = (!all).then_some(x.partition_index as usize);
            Ok(Request::WindowPost { registered_proof, prover_id, randomness, vanilla, partition })
        }
        C2P_KIND_WINNING_POST => Ok(Request::WinningPost { registered_proof, prover_id, randomness, vanilla }),
        other => Err(Error::InvalidArgument(format!(
            "request.kind is {other}: expected 1 (porep), 2 (snap), 3 (window-post) or 4 (winning-post)"
        ))),
    }
}

/// A request and how it is to be done.
///
/// # Safety
/// As the header says of a request, for `'a`.
pub unsafe fn given<'a>(request: *const c2p_request) -> Result<(Request<'a>, JobOptions), Error> {
    pointer::writable(request.cast_mut(), "request")?;
    // SAFETY: passed on from this function's contract.
    let given = unsafe { pointer::versioned(request, "request") }?;
    // SAFETY: as before.
    let id = unsafe { pointer::optional_text(given.request_id, "request.request_id") }?;
    pointer::zero(given.reserved, "request.reserved")?;
    let options = JobOptions {
        id: id.map(str::to_owned),
        priority: priority(given.priority)?,
        timeout: (given.timeout_ms > 0).then(|| Duration::from_millis(given.timeout_ms)),
        self_verify: choice(given.self_verify, "request.self_verify")?,
        blinding: None,
    };
    // SAFETY: as before.
    Ok((unsafe { self::request(&given) }?, options))
}

/// A switch whose default somebody else knows.
fn choice(value: c2p_switch, name: &str) -> Result<Option<bool>, Error> {
    (value != C2P_DEFAULT).then(|| switch(value, true, name)).transpose()
}

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
        pointer::writable(request.cast_mut(), "request")?;
        // SAFETY: the caller keeps the header's rules for request.
        let request = unsafe { self::request(&pointer::versioned(request, "request")?) }?;
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
