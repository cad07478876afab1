//! One proof to make, as C callers say it.

use std::borrow::Cow;
use std::ffi::c_char;
use std::time::Duration;

use super::pointer::{self, Versioned};
use super::types::{c2p_bytes, c2p_switch, choice, switch};
use crate::engine::{JobOptions, Priority, Request};
use crate::Error;

/// Proof of replication from the JSON of Commit Phase 1, or from Curio's wrapper around it.
pub const C2P_KIND_POREP: i32 = 1;
/// Sector update (SnapDeals) from one vanilla proof a partition.
pub const C2P_KIND_SNAP: i32 = 2;
/// WindowPoSt from one vanilla proof a sector, of one partition or of all.
pub const C2P_KIND_WINDOW_POST: i32 = 3;
/// WinningPoSt from the one vanilla proof of the challenged sector.
pub const C2P_KIND_WINNING_POST: i32 = 4;

/// A timeout: for ever.
pub const C2P_FOREVER: u64 = u64::MAX;

/// Before all else: WinningPoSt.
pub const C2P_PRIORITY_CRITICAL: i32 = 4;
/// Before the ordinary: WindowPoSt.
pub const C2P_PRIORITY_HIGH: i32 = 3;
/// The default.
pub const C2P_PRIORITY_NORMAL: i32 = 2;
/// After all else.
pub const C2P_PRIORITY_LOW: i32 = 1;

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

/// As the header has it: 0 is the default.
pub fn priority(number: i32) -> Result<Priority, Error> {
    match number {
        C2P_PRIORITY_LOW => Ok(Priority::Low),
        0 | C2P_PRIORITY_NORMAL => Ok(Priority::Normal),
        C2P_PRIORITY_HIGH => Ok(Priority::High),
        C2P_PRIORITY_CRITICAL => Ok(Priority::Critical),
        n => Err(Error::InvalidArgument(format!("request.priority is {n}: expected 1 (low) to 4 (critical)"))),
    }
}

/// As the header has it: UINT64_MAX is for ever.
pub fn timeout(ms: u64) -> Option<Duration> {
    (ms != C2P_FOREVER).then(|| Duration::from_millis(ms))
}
