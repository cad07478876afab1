//! Errors as owned objects.

use std::ffi::{c_char, CStr, CString};

use super::handle::{self, Handle};
use super::infallible;
use crate::{Error, Status, STATUSES};

/// Why a call failed. Owned by the caller: free it with c2p_error_free. May be read from any thread.
pub enum c2p_error {}

/// An error with its texts in C's form.
pub struct Reported {
    error: Error,
    message: CString,
    json: CString,
    section: Option<CString>,
    field: Option<CString>,
}

impl Handle for c2p_error {
    type Value = Reported;
    const NAME: &'static str = "c2p_error";
    const KIND: [u8; 8] = *b"c2perror";
}

/// Text for C. A NUL inside would cut it off, so it becomes U+FFFD.
pub fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// Hands an error to the caller, unless it passed NULL; returns its status.
///
/// # Safety
/// `err` is NULL or may be written.
pub unsafe fn report(error: Error, err: *mut *mut c2p_error) -> Status {
    let status = error.status();
    if !err.is_null() && err.is_aligned() {
        let (message, json) = (c_text(&error.to_string()), c_text(&error.to_json()));
        let section = error.section().map(|s| c_text(&s.to_string()));
        let field = error.field().map(c_text);
        let object = handle::give::<c2p_error>(Reported { error, message, json, section, field });
        // SAFETY: not NULL and aligned; writable by this function's contract.
        unsafe { err.write(object) };
    }
    status
}

/// What `of` finds in the error; NULL, and what is no error, have nothing.
///
/// # Safety
/// As for [`handle::value`].
unsafe fn find<'a, T>(error: *const c2p_error, otherwise: T, of: impl FnOnce(&'a Reported) -> Option<T>) -> T {
    if error.is_null() {
        return otherwise;
    }
    // SAFETY: passed on from this function's contract.
    let found = infallible("c2p_error", None, || unsafe { handle::value(error) }.map(of));
    found.unwrap_or(otherwise)
}

fn number(n: Option<usize>) -> Option<i64> {
    n.and_then(|n| i64::try_from(n).ok())
}

/// The status of an error: C2P_OK for NULL, C2P_ERR_INVALID_ARGUMENT for what is no error.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_status(error: *const c2p_error) -> Status {
    if error.is_null() {
        return Status::Ok;
    }
    // SAFETY: the caller keeps the header's rules: NULL or a live object.
    unsafe { find(error, Status::InvalidArgument, |e| Some(e.error.status())) }
}

/// What went wrong, as a sentence in UTF-8. Never NULL; empty for NULL. Lives as long as the error.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_message(error: *const c2p_error) -> *const c_char {
    // SAFETY: the caller keeps the header's rules: NULL or a live object.
    unsafe { find(error, c"".as_ptr(), |e| Some(e.message.as_ptr())) }
}

/// Everything known of an error as one JSON object: status, name, message, advice, section, field, index, circuit,
/// offset; null where it does not apply. Never NULL; "{}" for NULL. Lives as long as the error.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_json(error: *const c2p_error) -> *const c_char {
    // SAFETY: the caller keeps the header's rules: NULL or a live object.
    unsafe { find(error, c"{}".as_ptr(), |e| Some(e.json.as_ptr())) }
}

/// The section of the parameter file an error is about, such as "b_g2", or NULL. Lives as long as the error.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_section(error: *const c2p_error) -> *const c_char {
    // SAFETY: the caller keeps the header's rules: NULL or a live object.
    unsafe { find(error, std::ptr::null(), |e| e.section.as_deref().map(CStr::as_ptr)) }
}

/// The field of the assignment an error is about, such as "aux_assignment_size", or NULL. Lives as long as the error.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_field(error: *const c2p_error) -> *const c_char {
    // SAFETY: the caller keeps the header's rules: NULL or a live object.
    unsafe { find(error, std::ptr::null(), |e| e.field.as_deref().map(CStr::as_ptr)) }
}

/// The index of the point, scalar or constraint an error is about, or -1.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_index(error: *const c2p_error) -> i64 {
    // SAFETY: the caller keeps the header's rules: NULL or a live object.
    unsafe { find(error, -1, |e| number(e.error.index())) }
}

/// The circuit of the batch an error is about, or -1.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_circuit(error: *const c2p_error) -> i64 {
    // SAFETY: the caller keeps the header's rules: NULL or a live object.
    unsafe { find(error, -1, |e| number(e.error.circuit())) }
}

/// The offset in the parameter file, in bytes, that an error is about, or -1.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_offset(error: *const c2p_error) -> i64 {
    // SAFETY: the caller keeps the header's rules: NULL or a live object.
    unsafe { find(error, -1, |e| e.error.offset().and_then(|n| i64::try_from(n).ok())) }
}

/// Frees an error. NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn c2p_error_free(error: *mut c2p_error) {
    // SAFETY: the caller keeps the header's rules: NULL or a live object that nobody uses any more.
    unsafe { handle::free("c2p_error_free", error) }
}

type Texts = Vec<(i32, CString, CString)>;
static TEXTS: once_cell::sync::Lazy<Texts> =
    once_cell::sync::Lazy::new(|| STATUSES.iter().map(|(status, name, advice)| (status.code(), c_text(name), c_text(advice))).collect());

fn text_of(status: i32, unknown: &'static CStr, of: fn(&(i32, CString, CString)) -> &CString) -> *const c_char {
    TEXTS.iter().find(|row| row.0 == status).map_or(unknown.as_ptr(), |row| of(row).as_ptr())
}

/// The name of a status without prefix, such as "PARAMS_MISSING"; "UNKNOWN" for numbers that are none. Static.
#[no_mangle]
pub extern "C" fn c2p_status_name(status: i32) -> *const c_char {
    infallible("c2p_status_name", c"UNKNOWN".as_ptr(), || Ok(text_of(status, c"UNKNOWN", |row| &row.1)))
}

/// What a caller can do about a status, as a short sentence; may be empty. Static.
#[no_mangle]
pub extern "C" fn c2p_status_advice(status: i32) -> *const c_char {
    infallible("c2p_status_advice", c"".as_ptr(), || Ok(text_of(status, c"", |row| &row.2)))
}
