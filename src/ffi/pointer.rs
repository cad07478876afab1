//! What a C caller's pointers are checked for before they are used.

use std::ffi::{c_char, CStr};
use std::fmt::Display;
use std::mem::{align_of, size_of, MaybeUninit};

use crate::Error;

fn refuse<T>(text: String) -> Result<T, Error> {
    Err(Error::InvalidArgument(text))
}

fn usable<T>(ptr: *const T, name: impl Display) -> Result<(), Error> {
    match ptr {
        ptr if ptr.is_null() => refuse(format!("{name} is NULL")),
        ptr if ptr.is_aligned() => Ok(()),
        _ => refuse(format!("{name} is not aligned to {} bytes", align_of::<T>())),
    }
}

/// Refuses a reserved field that is set.
pub fn zero(reserved: u32, name: &str) -> Result<(), Error> {
    if reserved == 0 {
        Ok(())
    } else {
        refuse(format!("{name} is {reserved}: expected 0"))
    }
}

/// Refuses a pointer that no value can be written to.
pub fn writable<T>(ptr: *mut T, name: impl Display) -> Result<(), Error> {
    usable(ptr.cast_const(), name)
}

/// `len` values at `ptr`. NULL is fine for none.
///
/// # Safety
/// If `ptr` is not NULL, `len` values of `T` lie there and stay unchanged for `'a`.
pub unsafe fn slice<'a, T>(ptr: *const T, len: usize, name: impl Display) -> Result<&'a [T], Error> {
    if len == 0 {
        return Ok(&[]);
    }
    usable(ptr, &name)?;
    if len > isize::MAX as usize / size_of::<T>().max(1) {
        return refuse(format!("{name} has {len} elements: more than memory can hold"));
    }
    // SAFETY: not NULL, aligned, of a size that can exist; the rest is this function's contract.
    Ok(unsafe { std::slice::from_raw_parts(ptr, len) })
}

/// The one value at `ptr`.
///
/// # Safety
/// If `ptr` is not NULL, a value of `T` lies there and stays unchanged for `'a`.
pub unsafe fn one<'a, T>(ptr: *const T, name: impl Display) -> Result<&'a T, Error> {
    usable(ptr, name)?;
    // SAFETY: not NULL and aligned; the rest is this function's contract.
    Ok(unsafe { &*ptr })
}

/// A C string.
///
/// # Safety
/// If `ptr` is not NULL, a string ending in NUL lies there and stays unchanged for `'a`.
pub unsafe fn string<'a>(ptr: *const c_char, name: impl Display) -> Result<&'a CStr, Error> {
    usable(ptr, name)?;
    // SAFETY: not NULL; the rest is this function's contract.
    Ok(unsafe { CStr::from_ptr(ptr) })
}

/// A C string in UTF-8, or `None` for NULL.
///
/// # Safety
/// As for [`string`].
pub unsafe fn optional_text<'a>(ptr: *const c_char, name: &str) -> Result<Option<&'a str>, Error> {
    if ptr.is_null() {
        return Ok(None);
    }
    // SAFETY: passed on from this function's contract.
    match unsafe { string(ptr, name) }?.to_str() {
        Ok(text) => Ok(Some(text)),
        Err(_) => refuse(format!("{name} is not UTF-8")),
    }
}

/// A struct that begins with its own size, so that callers built against another version are understood: a missing
/// tail means defaults, an unknown tail must be zero.
///
/// # Safety
/// `repr(C)`, first field `struct_size: usize`, and any bytes are a value, all zeros being the defaults.
pub unsafe trait Versioned: Copy {}

/// Larger than any version of any struct will be: a size above it is an uninitialised field.
const MOST: usize = 1 << 14;

/// # Safety
/// If `ptr` is not NULL, a `size_t` lies there.
unsafe fn declared_size<T: Versioned>(ptr: *const T, name: &str) -> Result<usize, Error> {
    usable(ptr, name)?;
    // SAFETY: not NULL and aligned; `T` begins with its size, and the caller has that much by this function's contract.
    let size = unsafe { ptr.cast::<usize>().read() };
    if (size_of::<usize>()..=MOST).contains(&size) {
        return Ok(size);
    }
    refuse(format!("{name}.struct_size is {size}: set it to sizeof(*{name})"))
}

/// Reads a versioned struct; NULL means all defaults.
///
/// # Safety
/// If `ptr` is not NULL, as many bytes as its `struct_size` says lie there.
pub unsafe fn versioned<T: Versioned>(ptr: *const T, name: &str) -> Result<T, Error> {
    let mut value = MaybeUninit::<T>::zeroed();
    if !ptr.is_null() {
        // SAFETY: passed on from this function's contract.
        let size = unsafe { declared_size(ptr, name) }?;
        // SAFETY: by contract `size` bytes lie there.
        let given = unsafe { std::slice::from_raw_parts(ptr.cast::<u8>(), size) };
        let known = size.min(size_of::<T>());
        if given[known..].iter().any(|byte| *byte != 0) {
            return refuse(format!("{name} sets fields that this version of the library does not know"));
        }
        // SAFETY: `known` bytes at most fit into both; they do not overlap, as `value` is ours.
        unsafe { std::ptr::copy_nonoverlapping(given.as_ptr(), value.as_mut_ptr().cast::<u8>(), known) };
    }
    // SAFETY: `Versioned` promises that any bytes are a value, zeros among them.
    Ok(unsafe { value.assume_init() })
}

/// Writes as much of a versioned struct as the caller has room for; its `struct_size` stays as it was.
///
/// # Safety
/// If `out` is not NULL, as many bytes as its `struct_size` says can be written there.
pub unsafe fn write_versioned<T: Versioned>(out: *mut T, name: &str, value: &T) -> Result<(), Error> {
    // SAFETY: passed on from this function's contract.
    let room = unsafe { declared_size(out.cast_const(), name) }?;
    let head = size_of::<usize>();
    let len = room.min(size_of::<T>()) - head;
    let from = std::ptr::from_ref(value).cast::<u8>();
    // SAFETY: `head + len` is at most the size of both structs, and the caller's is not ours.
    unsafe { std::ptr::copy_nonoverlapping(from.add(head), out.cast::<u8>().add(head), len) };
    Ok(())
}
