//! An engine's parameters, by circuit.

use std::ffi::c_char;

use c2prover_filecoin::CircuitId;

use super::engine::c2p_engine;
use super::error::c2p_error;
use super::{call, handle, pointer, threads};
use crate::{Error, Status};

/// # Safety
/// As for [`pointer::string`].
unsafe fn circuit_id(text: *const c_char) -> Result<CircuitId, Error> {
    // SAFETY: passed on from this function's contract.
    let text = unsafe { pointer::string(text, "circuit") }?.to_string_lossy();
    text.parse().map_err(|e: c2prover_filecoin::Error| Error::InvalidArgument(e.to_string()))
}

/// Makes the parameters of a circuit resident, so that its first proof does not wait for them.
///
/// circuit: such as "porep-32g", "winning-32g", "wpost-32g", "snap-32g"; the sizes are 2k, 8m, 512m, 32g, 64g.
/// was_resident: whether they were; may be NULL.
///
/// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT for a circuit that is none; one of C2P_ERR_PARAMS_*;
/// C2P_ERR_HOST_OUT_OF_MEMORY; C2P_ERR_DEVICE_OUT_OF_MEMORY; C2P_ERR_UNSUPPORTED in a child of fork.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_engine_preload(
    engine: *const c2p_engine,
    circuit: *const c_char,
    was_resident: *mut bool,
    err: *mut *mut c2p_error,
) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for engine.
        let engine = unsafe { handle::value(engine) }?.clone();
        // SAFETY: the caller keeps the header's rules for circuit.
        let id = unsafe { circuit_id(circuit) }?;
        threads::allowed()?;
        let resident = engine.preload(id)?;
        if !was_resident.is_null() {
            // SAFETY: the caller keeps the header's rules for was_resident; a bool is always aligned.
            unsafe { was_resident.write(resident) };
        }
        Ok(())
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_engine_preload", err, body) }
}

/// Compares the digest of a circuit's parameter file with that of the official one. Reads all of the file: a minute for
/// 44 GiB. With C2PROVER_PARAM_CHECK=full an engine does so before it uses a file.
///
/// Returns C2P_OK; C2P_ERR_PARAMS_DIGEST if they differ; C2P_ERR_INVALID_ARGUMENT for a circuit that is none; one of
/// C2P_ERR_PARAMS_*.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_engine_check_params(engine: *const c2p_engine, circuit: *const c_char, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for engine.
        let engine = unsafe { handle::value(engine) }?.clone();
        // SAFETY: the caller keeps the header's rules for circuit.
        engine.check_params(unsafe { circuit_id(circuit) }?)
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_engine_check_params", err, body) }
}

/// Gives up the parameters of a circuit; proofs under way keep them until they end.
///
/// freed: bytes of the points that were resident, 0 if none were; may be NULL.
///
/// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT for a circuit that is none.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_engine_evict(
    engine: *const c2p_engine,
    circuit: *const c_char,
    freed: *mut u64,
    err: *mut *mut c2p_error,
) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for engine.
        let engine = unsafe { handle::value(engine) }?.clone();
        // SAFETY: the caller keeps the header's rules for circuit.
        let bytes = engine.evict(unsafe { circuit_id(circuit) }?).unwrap_or(0);
        if !freed.is_null() {
            pointer::writable(freed, "freed")?;
            // SAFETY: the caller keeps the header's rules for freed.
            unsafe { freed.write(bytes as u64) };
        }
        Ok(())
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_engine_evict", err, body) }
}
