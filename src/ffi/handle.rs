//! Handles: values of ours behind opaque pointers. Each begins with a word that tells its kind, so that a handle of
//! another kind, or one that was freed and whose memory was not used again, is refused.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{infallible, pointer, threads};
use crate::Error;

/// An opaque C type and what stands behind it.
pub trait Handle {
    /// What stands behind it.
    type Value: Send + Sync + 'static;
    /// The name of the C type.
    const NAME: &'static str;
    /// Eight letters that no other type has.
    const KIND: [u8; 8];
}

const FREED: u64 = 0;

#[repr(C)]
struct Held<T> {
    kind: AtomicU64,
    value: T,
}

/// Gives a value to the caller.
pub fn give<H: Handle>(value: H::Value) -> *mut H {
    Box::into_raw(Box::new(Held { kind: AtomicU64::new(u64::from_le_bytes(H::KIND)), value })).cast()
}

/// The value behind a handle.
///
/// # Safety
/// `handle` is NULL or points to eight bytes at least; if they are those of `H`, it came from [`give`] and is not freed
/// during `'a`.
pub unsafe fn value<'a, H: Handle>(handle: *const H) -> Result<&'a H::Value, Error> {
    // SAFETY: passed on from this function's contract.
    let kind = unsafe { pointer::one(handle.cast::<AtomicU64>(), H::NAME) }?;
    if kind.load(Ordering::Acquire) != u64::from_le_bytes(H::KIND) {
        return Err(Error::InvalidArgument(format!("the handle is no {}, or it was freed", H::NAME)));
    }
    // SAFETY: the word is that of `H`, so the handle came from `give` and is alive by contract.
    Ok(unsafe { &(*handle.cast::<Held<H::Value>>()).value })
}

/// Takes a handle back. NULL is fine; what is no handle of this kind is left alone.
///
/// # Safety
/// As for [`value`], and nobody uses the handle any more.
pub unsafe fn free<H: Handle>(name: &'static str, handle: *mut H) {
    if handle.is_null() {
        return;
    }
    infallible(name, (), || {
        // SAFETY: passed on from this function's contract.
        unsafe { value(handle) }?;
        let held = handle.cast::<Held<H::Value>>();
        // SAFETY: alive, as just checked. Of two threads that free the same handle only one gets past the exchange.
        let kind = unsafe { &(*held).kind };
        if kind.compare_exchange(u64::from_le_bytes(H::KIND), FREED, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return Ok(());
        }
        // SAFETY: it came from `Box::into_raw` in `give`, and is freed once.
        let held = unsafe { Box::from_raw(held) };
        if threads::forked() {
            // Threads that the value would wait for stayed in the parent.
            std::mem::forget(held);
        }
        Ok(())
    });
}
