//! The device: its stream, memory that frees itself, and the one place where CUDA's codes become errors.
//!
//! All of it is used on the backend's own thread alone, so a caller's current device is never changed.

use std::ffi::{c_void, CStr};
use std::ptr;

use super::raw;
use crate::Error;

/// Turns a code into an error that says what was done.
pub fn check(what: &'static str, code: raw::Code) -> Result<(), Error> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: the runtime returns a string of its own for any code.
    let text = unsafe { CStr::from_ptr(raw::cudaGetErrorString(code)) }.to_string_lossy().into_owned();
    if raw::NO_DEVICE.contains(&code) {
        return Err(Error::NoDevice(format!("{what}: {text} (CUDA {code})")));
    }
    Err(Error::Device { what, code, text })
}

/// A GPU that was opened on this thread.
pub struct Device {
    ordinal: i32,
    stream: raw::Stream,
    compute_capability: (i32, i32),
}

// SAFETY: streams may be used from any thread; the backend uses them from one.
unsafe impl Send for Device {}

impl Device {
    /// Opens device 0 of the visible ones, on the calling thread.
    pub fn open() -> Result<Device, Error> {
        let mut count = 0;
        // SAFETY: all pointers are to locals.
        unsafe {
            check("counting GPUs", raw::cudaGetDeviceCount(&mut count))?;
            if count == 0 {
                return Err(Error::NoDevice("no GPU is visible to this process".to_owned()));
            }
            check("opening the GPU", raw::cudaSetDevice(0))?;
            let (mut major, mut minor, mut stream) = (0, 0, ptr::null_mut());
            check("asking the GPU", raw::cudaDeviceGetAttribute(&mut major, raw::COMPUTE_CAPABILITY_MAJOR, 0))?;
            check("asking the GPU", raw::cudaDeviceGetAttribute(&mut minor, raw::COMPUTE_CAPABILITY_MINOR, 0))?;
            check("making a stream", raw::cudaStreamCreateWithFlags(&mut stream, raw::STREAM_NON_BLOCKING))?;
            Ok(Device { ordinal: 0, stream, compute_capability: (major, minor) })
        }
    }

    /// For logs.
    pub fn describe(&self) -> String {
        let (major, minor) = self.compute_capability;
        format!("cuda device={} sm_{major}{minor}", self.ordinal)
    }

    /// The stream that all work goes to.
    pub fn stream(&self) -> raw::Stream {
        self.stream
    }

    /// Waits for all work enqueued, and reports what went wrong in it.
    pub fn synchronize(&self, what: &'static str) -> Result<(), Error> {
        // SAFETY: the stream lives as long as the device.
        check(what, unsafe { raw::cudaStreamSynchronize(self.stream) })
    }

    /// Memory of `bytes` bytes, with any content.
    pub fn allocate(&self, what: &'static str, bytes: usize) -> Result<Memory, Error> {
        let mut ptr = ptr::null_mut();
        // SAFETY: the pointer is to a local. Zero bytes are asked for as some, so that the pointer is never null.
        match unsafe { raw::cudaMalloc(&mut ptr, bytes.max(256)) } {
            raw::OUT_OF_MEMORY => {
                let (mut free, mut total) = (0, 0);
                // SAFETY: the pointers are to locals.
                unsafe { raw::cudaMemGetInfo(&mut free, &mut total) };
                Err(Error::DeviceOutOfMemory { what, need: bytes, free })
            }
            code => check(what, code).map(|()| Memory { ptr, bytes }),
        }
    }

    /// Copies a slice to memory of its own on the device. The slice has been read when this returns.
    pub fn upload<T: Copy>(&self, what: &'static str, values: &[T]) -> Result<Memory, Error> {
        let memory = self.allocate(what, std::mem::size_of_val(values))?;
        self.copy_to(&memory, 0, values)?;
        self.synchronize(what)?;
        Ok(memory)
    }

    /// Enqueues a copy of a slice to `at` bytes into the memory. The slice must live until the stream has come there.
    pub fn copy_to<T: Copy>(&self, memory: &Memory, at: usize, values: &[T]) -> Result<(), Error> {
        let bytes = std::mem::size_of_val(values);
        assert!(at + bytes <= memory.bytes);
        // SAFETY: both ranges exist, as just checked.
        let code = unsafe {
            raw::cudaMemcpyAsync(memory.ptr.cast::<u8>().add(at).cast(), values.as_ptr().cast(), bytes, raw::HOST_TO_DEVICE, self.stream)
        };
        check("copying to the GPU", code)
    }

    /// Enqueues zeros from `at` bytes into the memory to its end.
    pub fn zero_from(&self, memory: &Memory, at: usize) -> Result<(), Error> {
        assert!(at <= memory.bytes);
        // SAFETY: the range exists, as just checked.
        check("clearing GPU memory", unsafe {
            raw::cudaMemsetAsync(memory.ptr.cast::<u8>().add(at).cast(), 0, memory.bytes - at, self.stream)
        })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: the stream is ours and not used any more. An error here has nobody to go to.
        unsafe { raw::cudaStreamDestroy(self.stream) };
    }
}

/// Memory on the device.
#[derive(Debug)]
pub struct Memory {
    ptr: *mut c_void,
    bytes: usize,
}

// SAFETY: a device pointer means the same on every thread of the process.
unsafe impl Send for Memory {}
// SAFETY: shared memory is only read, by kernels in the order of one stream.
unsafe impl Sync for Memory {}

impl Memory {
    /// The device pointer.
    pub fn ptr(&self) -> *mut c_void {
        self.ptr
    }
    /// Its size.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the pointer is from cudaMalloc and freed once. cudaFree waits for kernels that use it.
        unsafe { raw::cudaFree(self.ptr) };
    }
}
