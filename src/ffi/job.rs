//! Jobs: requests that are proved while the caller does something else.

use std::sync::Arc;

use super::engine::c2p_engine;
use super::error::c2p_error;
use super::handle::{self, Handle};
use super::pointer::{self, Versioned};
use super::request::{c2p_request, given, timeout};
use super::result::{c2p_result, Finished};
use super::{call, call_out, infallible, threads};
use crate::engine::{Engine, Event, Job};
use crate::timing::Began;
use crate::{Error, Status};

/// No event any more: the job has ended, and all its events were told.
pub const C2P_EVENT_NONE: i32 = 0;
/// The job waits.
pub const C2P_EVENT_QUEUED: i32 = 1;
/// Its input was read and is right; partitions says how many circuits it has.
pub const C2P_EVENT_PARSED: i32 = 2;
/// The circuit of a partition was synthesised.
pub const C2P_EVENT_SYNTHESISED: i32 = 3;
/// A partition was proved.
pub const C2P_EVENT_PROVEN: i32 = 4;
/// Its proof was verified.
pub const C2P_EVENT_VERIFIED: i32 = 5;
/// The last event: the job ended with the status.
pub const C2P_EVENT_DONE: i32 = 6;

/// A request on its way to a proof. Owned by the caller: free it with c2p_job_free. May be used from any number of threads at
/// once. It keeps its engine alive.
pub enum c2p_job {}

/// A job, and the engine that does it.
pub struct Submitted {
    // Dropped first.
    job: Job,
    _engine: Arc<Engine>,
}

impl Handle for c2p_job {
    type Value = Submitted;
    const NAME: &'static str = "c2p_job";
    const KIND: [u8; 8] = *b"c2pajob\0";
}

/// Something that happened to a job. Set struct_size before the call that fills it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct c2p_event {
    /// sizeof(c2p_event).
    pub struct_size: usize,
    /// One of C2P_EVENT_*; a caller must accept unknown ones.
    pub kind: i32,
    /// Of C2P_EVENT_DONE: the job's status.
    pub status: i32,
    /// Which partition, from 0.
    pub partition: u32,
    /// Of how many.
    pub partitions: u32,
}

// SAFETY: integers; the size first; zeros are a value.
unsafe impl Versioned for c2p_event {}

fn event(event: Option<Event>) -> c2p_event {
    let partition = |kind, partition: usize, partitions: usize| c2p_event {
        kind,
        partition: u32::try_from(partition).unwrap_or(u32::MAX),
        partitions: u32::try_from(partitions).unwrap_or(u32::MAX),
        ..c2p_event::default()
    };
    match event {
        None => partition(C2P_EVENT_NONE, 0, 0),
        Some(Event::Queued) => partition(C2P_EVENT_QUEUED, 0, 0),
        Some(Event::Parsed { partitions }) => partition(C2P_EVENT_PARSED, 0, partitions),
        Some(Event::Synthesised { partition: k, partitions }) => partition(C2P_EVENT_SYNTHESISED, k, partitions),
        Some(Event::Proven { partition: k, partitions }) => partition(C2P_EVENT_PROVEN, k, partitions),
        Some(Event::Verified { partition: k, partitions }) => partition(C2P_EVENT_VERIFIED, k, partitions),
        Some(Event::Done { status }) => c2p_event { kind: C2P_EVENT_DONE, status, ..c2p_event::default() },
    }
}

/// Puts a request into the engine's queue, with a copy of its bytes, and returns at once.
///
/// out: the job.
///
/// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_QUEUE_FULL if as many jobs wait as may, or the budget of host memory
/// has no room for the input; C2P_ERR_CLOSED after c2p_engine_shutdown; C2P_ERR_UNSUPPORTED in a child of fork. What is
/// wrong with the input c2p_job_wait returns.
///
/// Memory: nothing of the caller's is kept after the call. Threads: any.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_submit(
    engine: *const c2p_engine,
    request: *const c2p_request,
    out: *mut *mut c2p_job,
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
        let job = engine.submit_since(began, &request, options)?;
        Ok(handle::give::<c2p_job>(Submitted { job, _engine: engine }))
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_submit", out, err, body) }
}

/// Waits for a job's proof.
///
/// timeout_ms: how long; 0 looks once, C2P_FOREVER waits without end. out: the result, with 192 bytes of proof for each
/// partition, in order.
///
/// Returns C2P_OK; C2P_ERR_PENDING if the time passed, and the job goes on; else what c2p_prove returns;
/// C2P_ERR_CANCELLED; C2P_ERR_TIMED_OUT if its own time limit passed. May be called again: each call gives a result.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_job_wait(job: *const c2p_job, timeout_ms: u64, out: *mut *mut c2p_result, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for job.
        let submitted = unsafe { handle::value(job) }?;
        let result = submitted.job.wait(timeout(timeout_ms)).ok_or(Error::Pending)?;
        let outcome = result.map_err(|failure| failure.error)?;
        let finished = Finished::new(outcome.proof, outcome.report, outcome.partitions, outcome.srs_was_resident);
        Ok(handle::give::<c2p_result>(finished))
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_job_wait", out, err, body) }
}

/// The next event of a job, to show its progress. Waits up to timeout_ms (C2P_FOREVER: without end). Each is given once,
/// the last one is C2P_EVENT_DONE; after it C2P_EVENT_NONE comes at once.
///
/// Returns C2P_OK; C2P_ERR_PENDING if none came in time; C2P_ERR_INVALID_ARGUMENT.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_job_next_event(job: *const c2p_job, timeout_ms: u64, out: *mut c2p_event, err: *mut *mut c2p_error) -> Status {
    let body = || {
        pointer::writable(out, "out")?;
        // SAFETY: the caller keeps the header's rules for job.
        let next = unsafe { handle::value(job) }?.job.next_event(timeout(timeout_ms))?;
        // SAFETY: the caller keeps the header's rules for out.
        unsafe { pointer::write_versioned(out, "out", &event(next)) }
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_job_next_event", err, body) }
}

/// Ends a job, if it has not ended: whoever waits for it gets C2P_ERR_CANCELLED at once, and what is under way for it stops
/// at its next step. NULL is fine. Any thread, any number of times.
#[no_mangle]
pub unsafe extern "C" fn c2p_job_cancel(job: *const c2p_job) {
    infallible("c2p_job_cancel", (), || {
        if !job.is_null() {
            // SAFETY: the caller keeps the header's rules for job.
            unsafe { handle::value(job) }?.job.cancel();
        }
        Ok(())
    });
}

/// Frees a job; one that has not ended is cancelled. NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn c2p_job_free(job: *mut c2p_job) {
    // SAFETY: the caller keeps the header's rules: NULL or a live handle.
    unsafe { handle::free("c2p_job_free", job) }
}
