//! Finished proofs and where their time went.

use std::ffi::{c_char, CStr, CString};
use std::mem::size_of;

use once_cell::sync::OnceCell;

use super::error::{c2p_error, c_text};
use super::handle::{self, Handle};
use super::pointer::{self, Versioned};
use super::types::c2p_bytes;
use super::{call, infallible};
use crate::timing::{write_trace, Report};
use crate::{Error, Status};

/// A finished proof. Owned by the caller: free it with c2p_result_free. May be read from any thread.
pub enum c2p_result {}

/// The proof bytes, the report, and its texts once somebody asked for them.
pub struct Finished {
    proof: Vec<u8>,
    report: Report,
    partitions: usize,
    srs_was_resident: bool,
    report_json: OnceCell<CString>,
    trace_json: OnceCell<CString>,
}

impl Finished {
    /// A result of `partitions` circuits.
    pub fn new(proof: Vec<u8>, report: Report, partitions: usize, srs_was_resident: bool) -> Finished {
        Finished { proof, report, partitions, srs_was_resident, report_json: OnceCell::new(), trace_json: OnceCell::new() }
    }

    fn report_json(&self) -> &CStr {
        self.report_json.get_or_init(|| c_text(&self.report.to_json()))
    }

    fn trace_json(&self) -> Result<&CStr, Error> {
        let text = self.trace_json.get_or_try_init(|| {
            let mut bytes = Vec::new();
            write_trace(&[&self.report], &mut bytes).map_err(|e| Error::Internal(format!("the trace cannot be written: {e}")))?;
            Ok::<_, Error>(c_text(&String::from_utf8_lossy(&bytes)))
        });
        text.map(CString::as_c_str)
    }

    fn timings(&self) -> c2p_timings {
        let (r, lane) =
            (&self.report, |prefix: &str| self.report.lanes.iter().filter(|l| l.lane.starts_with(prefix)).map(|l| l.work_us).sum::<u64>());
        c2p_timings {
            struct_size: size_of::<c2p_timings>(),
            total_us: r.wall_us,
            queue_us: r.prefix_us("queue"),
            parse_us: r.phase_us("parse"),
            input_verify_us: r.phase_us("input.verify"),
            srs_load_us: r.prefix_us("srs.load"),
            synthesis_us: r.prefix_us("synthesis"),
            prep_us: r.prefix_us("prep"),
            alloc_us: r.phase_us("alloc"),
            lock_us: r.prefix_us("lock"),
            gpu_wait_us: r.prefix_us("gpu.wait"),
            gpu_us: lane("gpu"),
            cpu_us: lane("cpu.main"),
            b_g2_us: lane("cpu.b_g2"),
            finalize_us: r.phase_us("finalize"),
            verify_us: r.phase_us("verify"),
            free_us: r.phase_us("free"),
            unaccounted_us: r.unaccounted_us,
            overlap_permille: r.overlap.map_or(0, |o| (o * 1000.0) as u64),
            peak_host_bytes: peak_host_bytes(),
            peak_device_bytes: 0,
            srs_was_resident: u32::from(self.srs_was_resident),
            partitions: u32::try_from(self.partitions).unwrap_or(u32::MAX),
        }
    }
}

fn peak_host_bytes() -> u64 {
    // SAFETY: all zeros are a value of this struct of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel fills a struct of ours.
    let done = unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) } == 0;
    // Linux counts in KiB.
    if done {
        u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024
    } else {
        0
    }
}

impl Handle for c2p_result {
    type Value = Finished;
    const NAME: &'static str = "c2p_result";
    const KIND: [u8; 8] = *b"c2presul";
}

/// Where the time of a proof went, in microseconds. Phases that run beside one another overlap: they do not add up to
/// total_us. Set struct_size before the call that fills it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct c2p_timings {
    /// sizeof(c2p_timings).
    pub struct_size: usize,
    /// The whole call, as the caller's own stopwatch shows it.
    pub total_us: u64,
    /// Waiting for other proofs.
    pub queue_us: u64,
    /// Reading the C1 output, vanilla proofs or assignments.
    pub parse_us: u64,
    /// Checking them.
    pub input_verify_us: u64,
    /// Reading parameters, or waiting for another call's reading.
    pub srs_load_us: u64,
    /// Synthesis of the circuits.
    pub synthesis_us: u64,
    /// Bringing evaluations and assignment to the backend.
    pub prep_us: u64,
    /// Memory being had from the system.
    pub alloc_us: u64,
    /// Waiting for locks.
    pub lock_us: u64,
    /// Waiting for a GPU.
    pub gpu_wait_us: u64,
    /// A GPU being busy.
    pub gpu_us: u64,
    /// The CPU's main lane being busy: transforms and sums in G1.
    pub cpu_us: u64,
    /// B_G2 on the CPU, beside the above.
    pub b_g2_us: u64,
    /// Assembling the proofs from their sums.
    pub finalize_us: u64,
    /// Verifying the proofs.
    pub verify_us: u64,
    /// Memory being given back.
    pub free_us: u64,
    /// Time that belongs to none of these.
    pub unaccounted_us: u64,
    /// Wall time of the proving section over its busiest lane, in thousandths: 1000 if everything else was hidden; 0
    /// if nothing ran beside the caller.
    pub overlap_permille: u64,
    /// The most memory this process ever had, in bytes.
    pub peak_host_bytes: u64,
    /// The most memory of the GPU that was in use, in bytes.
    pub peak_device_bytes: u64,
    /// 1 if the parameters were in memory before the call.
    pub srs_was_resident: u32,
    /// Circuits proved.
    pub partitions: u32,
}

// SAFETY: integers only, the size first.
unsafe impl Versioned for c2p_timings {}

/// The proof: 192 bytes for each circuit, in order. They live as long as the result. NULL and 0 for NULL.
#[no_mangle]
pub unsafe extern "C" fn c2p_result_proof(result: *const c2p_result) -> c2p_bytes {
    let none = c2p_bytes { ptr: std::ptr::null(), len: 0 };
    if result.is_null() {
        return none;
    }
    infallible("c2p_result_proof", none, || {
        // SAFETY: the caller keeps the header's rules: a live result.
        let proof = &unsafe { handle::value(result) }?.proof;
        Ok(c2p_bytes { ptr: proof.as_ptr(), len: proof.len() })
    })
}

/// Fills *out with the time of each phase.
///
/// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_result_timings(result: *const c2p_result, out: *mut c2p_timings, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for result.
        let timings = unsafe { handle::value(result) }?.timings();
        // SAFETY: the caller keeps the header's rules for out.
        unsafe { pointer::write_versioned(out, "out", &timings) }
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_result_timings", err, body) }
}

/// The report as one JSON object: phases, lanes, unaccounted time, overlap, critical path. Lives as long as the result.
/// NULL for NULL.
#[no_mangle]
pub unsafe extern "C" fn c2p_result_report_json(result: *const c2p_result) -> *const c_char {
    if result.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the caller keeps the header's rules: a live result.
    infallible("c2p_result_report_json", std::ptr::null(), || Ok(unsafe { handle::value(result) }?.report_json().as_ptr()))
}

/// All spans as a Chrome trace, for Perfetto or chrome://tracing. Lives as long as the result. NULL for NULL.
#[no_mangle]
pub unsafe extern "C" fn c2p_result_trace_json(result: *const c2p_result) -> *const c_char {
    if result.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the caller keeps the header's rules: a live result.
    infallible("c2p_result_trace_json", std::ptr::null(), || Ok(unsafe { handle::value(result) }?.trace_json()?.as_ptr()))
}

/// Frees a result and its bytes. NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn c2p_result_free(result: *mut c2p_result) {
    // SAFETY: the caller keeps the header's rules: NULL or a live result.
    unsafe { handle::free("c2p_result_free", result) }
}
