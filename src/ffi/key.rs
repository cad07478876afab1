//! Verifying keys, and verification at the circuit level.

use std::ffi::c_char;

use blstrs::Scalar;

use super::circuit::{c2p_scalar, scalars};
use super::error::c2p_error;
use super::handle::{self, Handle};
use super::srs::{self, c2p_srs};
use super::{call_out, infallible, pointer, threads};
use crate::circuit::is_canonical;
use crate::prover::{verify, Proof, PROOF_BYTES};
use crate::srs::VerifyingKey;

use crate::{Error, Status};

/// What a verifier needs of one circuit's parameters. Owned by the caller: free it with c2p_key_free. May be used from
/// any number of threads at once.
pub enum c2p_key {}

impl Handle for c2p_key {
    type Value = VerifyingKey;
    const NAME: &'static str = "c2p_key";
    const KIND: [u8; 8] = *b"c2p-key.";
}

/// Reads a verifying key (.vk), which is the head of a parameter file.
///
/// Returns C2P_OK; one of C2P_ERR_PARAMS_*; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_UNSUPPORTED in a child of fork.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_key_load(path: *const c_char, out: *mut *mut c2p_key, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for path.
        let path = unsafe { srs::path(path) }?;
        threads::allowed()?;
        // A pool of one: a key is small, and reading it must neither open a GPU nor start threads that stay.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.map_err(|e| Error::Internal(format!("cannot start a thread: {e}")))?;
        pool.install(|| VerifyingKey::open(path)).map(handle::give::<c2p_key>)
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_key_load", out, err, body) }
}

/// The verifying key in a parameter file. It is a copy: the file's handle may be freed.
///
/// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_srs_key(srs: *const c2p_srs, out: *mut *mut c2p_key, err: *mut *mut c2p_error) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for srs.
        let srs = unsafe { handle::value(srs) }?;
        Ok(handle::give::<c2p_key>(srs.key.clone()))
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_srs_key", out, err, body) }
}

/// Number of public inputs that c2p_key_verify takes, the leading one not counted; 0 for NULL.
#[no_mangle]
pub unsafe extern "C" fn c2p_key_inputs(key: *const c2p_key) -> usize {
    if key.is_null() {
        return 0;
    }
    // SAFETY: the caller keeps the header's rules: NULL or a live handle.
    infallible("c2p_key_inputs", 0, || Ok(unsafe { handle::value(key) }?.ic.len() - 1))
}

fn holds(key: &VerifyingKey, inputs: &[Scalar], proof: &[u8]) -> Result<bool, Error> {
    let bytes: &[u8; PROOF_BYTES] =
        proof.try_into().map_err(|_| Error::InvalidArgument(format!("the proof has {} bytes, expected {PROOF_BYTES}", proof.len())))?;
    if let Some(index) = inputs.iter().position(|s| !is_canonical(s)) {
        return Err(Error::BadScalar { circuit: 0, field: "inputs", index, reason: "is not below r" });
    }
    // The number of inputs is judged before the proof: a wrong call is no wrong proof.
    match Proof::from_bytes(bytes) {
        Some(proof) => verify(key, inputs, &proof),
        None if inputs.len() + 1 == key.ic.len() => Ok(false),
        None => Err(Error::InvalidArgument(format!("{} public inputs given, the key has {}", inputs.len(), key.ic.len() - 1))),
    }
}

/// Verifies one circuit's proof.
///
/// inputs: the public inputs without the leading one, as many as c2p_key_inputs says, in blst's Montgomery form.
/// proof, len: 192 bytes. out: whether the proof holds; bytes that are no proof do not hold.
///
/// Returns C2P_OK, whatever *out says; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_BAD_SCALAR with an index.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_key_verify(
    key: *const c2p_key,
    inputs: *const c2p_scalar,
    inputs_len: usize,
    proof: *const u8,
    len: usize,
    out: *mut bool,
    err: *mut *mut c2p_error,
) -> Status {
    let body = || {
        // SAFETY: the caller keeps the header's rules for key.
        let key = unsafe { handle::value(key) }?;
        // SAFETY: the caller keeps the header's rules for inputs and proof.
        let (inputs, proof) = unsafe { (scalars(inputs, inputs_len, "inputs")?, pointer::slice(proof, len, "proof")?) };
        holds(key, inputs, proof)
    };
    // SAFETY: the caller keeps the header's rules for out and err.
    unsafe { call_out("c2p_key_verify", out, err, body) }
}

/// Frees a verifying key. NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn c2p_key_free(key: *mut c2p_key) {
    // SAFETY: the caller keeps the header's rules: NULL or a live handle.
    unsafe { handle::free("c2p_key_free", key) }
}
