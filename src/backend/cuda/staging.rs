//! The way to the device: pinned buffers that threads of our own fill while the copy engine empties others.
//!
//! A copy from ordinary memory runs at a sixth of the link's rate, and pinning the caller's pages costs about what copying
//! them does; so all that comes up goes through buffers that are pinned once.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use blstrs::Scalar;
use rayon::prelude::*;

use super::device::{check, Device, Event, Stream};
use super::memory::Memory;
use super::raw;
use super::transfer::copy_checked;
use crate::error::try_vec;
use crate::Error;

/// Bytes of a buffer, at most.
const BUFFER: usize = 2 << 20;
/// Buffers for each thread: one is filled, the other waits for the link. More of them do not stay in the caches.
const BUFFERS: usize = 2;
/// Threads that fill, at most: 16 read and write memory faster than the link takes it.
const THREADS: usize = 16;

/// See the module's head.
pub struct Staging {
    threads: rayon::ThreadPool,
    stream: Stream,
    buffers: Mutex<VecDeque<Buffer>>,
    returned: Condvar,
}

/// Pinned host memory, and the moment when the copy out of it is done.
struct Buffer {
    pinned: Pinned,
    copied: Event,
}

/// Pinned host memory.
pub struct Pinned {
    ptr: *mut c_void,
    bytes: usize,
}

// SAFETY: it is plain memory with one owner.
unsafe impl Send for Pinned {}

impl Pinned {
    /// Pinned memory of `bytes` bytes, zeroed by the system.
    pub fn new(bytes: usize) -> Result<Pinned, Error> {
        let mut ptr = ptr::null_mut();
        // SAFETY: the pointer is to a local.
        match unsafe { raw::cudaHostAlloc(&mut ptr, bytes.max(1), 0) } {
            raw::OUT_OF_MEMORY => Err(Error::HostOutOfMemory { what: "pinned memory", bytes }),
            code => check("pinning memory", code).map(|()| Pinned { ptr, bytes }),
        }
    }

    /// Its address.
    pub fn ptr(&self) -> *mut c_void {
        self.ptr
    }

    /// Its size.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn slice(&mut self, bytes: usize) -> &mut [u8] {
        assert!(bytes <= self.bytes);
        // SAFETY: the memory is ours alone, and any bytes are u8.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.cast(), bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: the memory is from cudaHostAlloc and freed once.
        unsafe { raw::cudaFreeHost(self.ptr) };
    }
}

/// A copy under way: the moments around it on the copying stream.
pub struct Copied {
    pub began: Event,
    pub ended: Event,
}

impl Staging {
    /// Starts the threads and pins two buffers for each.
    pub fn new(device: Device, threads: usize) -> Result<Staging, Error> {
        let threads = threads.clamp(1, THREADS);
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("c2p-copy-{i}"));
        // A failure shows in the first call of the thread that needs the device.
        let builder = builder.start_handler(move |_| drop(device.activate()));
        let pool = builder.build().map_err(|e| Error::Internal(format!("cannot start {threads} threads: {e}")))?;
        let _current = device.current()?;
        let stream = Stream::new(true)?;
        // Pinning is slow, and less so from several threads.
        let buffer = |_| Ok(Buffer { pinned: Pinned::new(BUFFER)?, copied: stream.short_event()? });
        let buffers = pool.install(|| (0..BUFFERS * threads).into_par_iter().map(buffer).collect::<Result<Vec<_>, Error>>())?;
        Ok(Staging { threads: pool, stream, buffers: Mutex::new(buffers.into()), returned: Condvar::new() })
    }

    fn buffers(&self) -> MutexGuard<'_, VecDeque<Buffer>> {
        // Nothing is left half done under this lock.
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The copying stream.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Fills `range` of the memory with what `read` puts into buffers, which it is told the place of. It has been called for
    /// all of them when this returns; the copies end with the event.
    pub fn fill(
        &self,
        to: &Memory,
        range: Range<usize>,
        read: impl Fn(&mut [u8], usize) -> Result<(), Error> + Sync,
    ) -> Result<Copied, Error> {
        assert!(range.end <= to.bytes());
        let bytes = range.len();
        // Small ones are spread as well.
        let piece = (bytes / self.threads.current_num_threads()).next_multiple_of(4096).clamp(64 << 10, BUFFER);
        let pieces = bytes.div_ceil(piece);
        let sent = self.threads.install(|| -> Result<Event, Error> {
            let began = self.stream.event()?;
            (0..pieces).into_par_iter().with_max_len(1).try_for_each(|i| {
                let at = i * piece;
                let len = piece.min(bytes - at);
                let mut buffer = self.take()?;
                let result = read(buffer.pinned.slice(len), at).and_then(|()| {
                    // SAFETY: the buffer stays as it is until its event has come, which `take` waits for; the range is inside.
                    unsafe { self.stream.copy(to.at(range.start + at), buffer.pinned.ptr(), len)? };
                    self.stream.record(&buffer.copied)
                });
                self.give_back(buffer);
                result
            })?;
            Ok(began)
        });
        match sent {
            Ok(began) => Ok(Copied { began, ended: self.threads.install(|| self.stream.event())? }),
            Err(e) => {
                // Nobody may give the memory back while copies to it are under way.
                let _ = self.stream.synchronize("ending copies");
                Err(e)
            }
        }
    }

    /// Copies scalars of a field, and checks that each is below r. They have been read when this returns.
    pub fn upload_scalars(
        &self,
        to: &Memory,
        at: usize,
        (circuit, field): (usize, &'static str),
        values: &[Scalar],
    ) -> Result<Copied, Error> {
        let size = std::mem::size_of::<Scalar>();
        self.fill(to, at..at + std::mem::size_of_val(values), |buffer, place| {
            let run = &values[place / size..(place + buffer.len()) / size];
            match copy_checked(buffer, run) {
                None => Ok(()),
                Some(i) => Err(Error::BadScalar { circuit, field, index: place / size + i, reason: "is not below r" }),
            }
        })
    }

    /// Copies a slice. It has been read when this returns.
    pub fn upload<T: Copy + Sync>(&self, to: &Memory, at: usize, values: &[T]) -> Result<Copied, Error> {
        // SAFETY: any initialised memory is bytes; scalars and words have no padding.
        let bytes = unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), std::mem::size_of_val(values)) };
        self.fill(to, at..at + bytes.len(), |buffer, place| {
            buffer.copy_from_slice(&bytes[place..place + buffer.len()]);
            Ok(())
        })
    }

    /// Enqueues zeros from `at` to the memory's end, on the copying stream.
    pub fn zero_from(&self, to: &Memory, at: usize) -> Result<(), Error> {
        let bytes = to.bytes() - at;
        // SAFETY: the range exists.
        self.threads.install(|| check("clearing device memory", unsafe { raw::cudaMemsetAsync(to.at(at), 0, bytes, self.stream.raw()) }))
    }

    /// Copies one value from the device, after all that was sent. Waits for it.
    pub fn download(&self, from: &Memory, value: &mut u64) -> Result<(), Error> {
        assert!(from.bytes() >= std::mem::size_of::<u64>());
        let to: *mut u64 = value;
        let to = to as usize;
        self.install(|| {
            // SAFETY: the memory has the value's size, and the value lives until the stream has come there.
            let code = unsafe { raw::cudaMemcpyAsync(to as *mut c_void, from.ptr(), 8, raw::DEVICE_TO_HOST, self.stream.raw()) };
            check("copying from the GPU", code).and_then(|()| self.stream.synchronize("copying from the GPU"))
        })
    }

    /// Copies all of the memory, after all that was sent.
    pub fn download_scalars(&self, what: &'static str, from: &Memory) -> Result<Vec<Scalar>, Error> {
        let n = from.bytes() / std::mem::size_of::<Scalar>();
        let mut scalars = try_vec(what, n)?;
        let piece = BUFFER / std::mem::size_of::<Scalar>();
        // Fresh pages are touched by all threads, not by one beforehand.
        let fresh: &mut [MaybeUninit<Scalar>] = &mut scalars.spare_capacity_mut()[..n];
        self.install(|| fresh.par_chunks_mut(piece).enumerate().with_max_len(1).try_for_each(|(i, to)| self.download_piece(from, i, to)))?;
        // SAFETY: every piece has been written.
        unsafe { scalars.set_len(n) };
        Ok(scalars)
    }

    fn download_piece(&self, from: &Memory, i: usize, to: &mut [MaybeUninit<Scalar>]) -> Result<(), Error> {
        let bytes = std::mem::size_of_val(to);
        let buffer = self.take()?;
        // SAFETY: the range is inside the memory, the buffer is ours until it is given back, after the copy.
        let code = unsafe { raw::cudaMemcpyAsync(buffer.pinned.ptr(), from.at(i * BUFFER), bytes, raw::DEVICE_TO_HOST, self.stream.raw()) };
        let copied = check("copying from the GPU", code).and_then(|()| self.stream.record(&buffer.copied));
        let copied = copied.and_then(|()| buffer.copied.synchronize("copying from the GPU"));
        if copied.is_ok() {
            // SAFETY: whole scalars lie in the buffer, as the device had them; the two do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(buffer.pinned.ptr().cast::<u8>(), to.as_mut_ptr().cast::<u8>(), bytes) };
        }
        self.give_back(buffer);
        copied
    }

    /// Drops a value on a thread of ours.
    pub fn discard<T: Send + 'static>(&self, value: T) {
        self.threads.spawn(move || drop(value));
    }

    /// Runs work on a thread whose device is this one.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.threads.install(work)
    }

    /// The buffer that was sent first, once its copy is done.
    fn take(&self) -> Result<Buffer, Error> {
        let waiting = self.returned.wait_while(self.buffers(), |buffers| buffers.is_empty());
        let buffer = waiting.unwrap_or_else(PoisonError::into_inner).pop_front();
        let buffer = buffer.ok_or_else(|| Error::Internal("no buffer after waiting for one".to_owned()))?;
        if let Err(e) = buffer.copied.synchronize("a copy to the GPU") {
            self.give_back(buffer);
            return Err(e);
        }
        Ok(buffer)
    }

    fn give_back(&self, buffer: Buffer) {
        self.buffers().push_back(buffer);
        self.returned.notify_one();
    }
}
