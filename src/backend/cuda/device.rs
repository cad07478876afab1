//! The device, its streams and events, and the one place where CUDA's codes become errors.

use std::ffi::{c_int, c_uint, c_void, CStr};
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

/// A GPU.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    ordinal: c_int,
    pub multiprocessors: u32,
    pub compute_capability: (u32, u32),
    /// Device memory when it was opened: free, and in all.
    pub memory: (usize, usize),
}

/// While it lives, the device is the calling thread's current one.
pub struct Current(c_int);

impl Drop for Current {
    fn drop(&mut self) {
        // SAFETY: the ordinal was current before.
        unsafe { raw::cudaSetDevice(self.0) };
    }
}

impl Device {
    /// Opens device 0 of the visible ones.
    pub fn open() -> Result<Device, Error> {
        let mut count = 0;
        // SAFETY: the pointer is to a local.
        check("counting GPUs", unsafe { raw::cudaGetDeviceCount(&mut count) })?;
        if count == 0 {
            return Err(Error::NoDevice("no GPU is visible to this process".to_owned()));
        }
        let ask = |attribute| {
            let mut value = 0;
            // SAFETY: the pointer is to a local.
            check("asking the GPU", unsafe { raw::cudaDeviceGetAttribute(&mut value, attribute, 0) }).map(|()| value as u32)
        };
        let compute_capability = (ask(raw::COMPUTE_CAPABILITY_MAJOR)?, ask(raw::COMPUTE_CAPABILITY_MINOR)?);
        let mut device = Device { ordinal: 0, multiprocessors: ask(raw::MULTIPROCESSORS)?, compute_capability, memory: (0, 0) };
        let _current = device.current()?;
        // SAFETY: the pointers are to locals.
        check("opening the GPU", unsafe { raw::cudaMemGetInfo(&mut device.memory.0, &mut device.memory.1) })?;
        Ok(device)
    }

    /// Makes it the calling thread's device for as long as the guard lives: a caller's own choice comes back after.
    pub fn current(&self) -> Result<Current, Error> {
        let mut before = 0;
        // SAFETY: the pointer is to a local.
        check("asking for the current GPU", unsafe { raw::cudaGetDevice(&mut before) })?;
        self.activate().map(|()| Current(before))
    }

    /// Makes it the device of a thread of our own.
    pub fn activate(&self) -> Result<(), Error> {
        // SAFETY: no memory is involved.
        check("choosing the GPU", unsafe { raw::cudaSetDevice(self.ordinal) })
    }

    /// For logs.
    pub fn describe(&self) -> String {
        let (major, minor) = self.compute_capability;
        format!("cuda device={} sm_{major}{minor} multiprocessors={}", self.ordinal, self.multiprocessors)
    }
}

/// A queue of work on the device.
#[derive(Debug)]
pub struct Stream(raw::Stream);

// SAFETY: streams may be used from any thread.
unsafe impl Send for Stream {}
// SAFETY: as before; the runtime serialises calls.
unsafe impl Sync for Stream {}

impl Stream {
    /// A stream of the current device; an urgent one's kernels go before those of others that wait.
    pub fn new(urgent: bool) -> Result<Stream, Error> {
        let (mut least, mut greatest, mut stream) = (0, 0, ptr::null_mut());
        // SAFETY: the pointers are to locals.
        unsafe {
            check("asking for priorities", raw::cudaDeviceGetStreamPriorityRange(&mut least, &mut greatest))?;
            let priority = if urgent { greatest } else { least };
            check("making a stream", raw::cudaStreamCreateWithPriority(&mut stream, raw::STREAM_NON_BLOCKING, priority))?;
        }
        Ok(Stream(stream))
    }

    /// For the kernels' faces.
    pub fn raw(&self) -> raw::Stream {
        self.0
    }

    /// Waits for all work enqueued, and reports what went wrong in it.
    pub fn synchronize(&self, what: &'static str) -> Result<(), Error> {
        // SAFETY: the stream lives.
        check(what, unsafe { raw::cudaStreamSynchronize(self.0) })
    }

    /// What is enqueued from now on waits for the event.
    pub fn wait_for(&self, event: &Event) -> Result<(), Error> {
        // SAFETY: both live; the runtime keeps what it needs of the event.
        check("waiting for another stream", unsafe { raw::cudaStreamWaitEvent(self.0, event.0, 0) })
    }

    /// An event that comes when all work enqueued so far is done. Who waits for it sleeps.
    pub fn event(&self) -> Result<Event, Error> {
        self.new_event(raw::EVENT_BLOCKING_SYNC)
    }

    /// As [`Stream::event`], without a time, for waits that are too short to sleep.
    pub fn short_event(&self) -> Result<Event, Error> {
        self.new_event(raw::EVENT_DISABLE_TIMING)
    }

    fn new_event(&self, flags: c_uint) -> Result<Event, Error> {
        let event = Event::new(flags)?;
        self.record(&event).map(|()| event)
    }

    /// Moves an event to the end of the work enqueued so far.
    pub fn record(&self, event: &Event) -> Result<(), Error> {
        // SAFETY: both live.
        check("recording an event", unsafe { raw::cudaEventRecord(event.0, self.0) })
    }

    /// Enqueues a copy from host memory.
    ///
    /// # Safety
    /// `bytes` bytes lie at `from`, unchanged until the stream has come there, and as many at `to` on the device.
    pub unsafe fn copy(&self, to: *mut c_void, from: *const c_void, bytes: usize) -> Result<(), Error> {
        // SAFETY: passed on from this function's contract.
        check("copying to the GPU", unsafe { raw::cudaMemcpyAsync(to, from, bytes, raw::HOST_TO_DEVICE, self.0) })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is ours; work on it still ends. An error here has nobody to go to.
        unsafe { raw::cudaStreamDestroy(self.0) };
    }
}

/// A moment on a stream, with its time.
#[derive(Debug)]
pub struct Event(raw::Event);

// SAFETY: events may be used from any thread.
unsafe impl Send for Event {}
// SAFETY: as before.
unsafe impl Sync for Event {}

impl Event {
    fn new(flags: c_uint) -> Result<Event, Error> {
        let mut event = ptr::null_mut();
        // SAFETY: the pointer is to a local; the event is then ours.
        check("making an event", unsafe { raw::cudaEventCreateWithFlags(&mut event, flags) }).map(|()| Event(event))
    }

    /// An event on a stream that the kernels' entries were given.
    pub fn on(stream: raw::Stream) -> Result<Event, Error> {
        let event = Event::new(raw::EVENT_BLOCKING_SYNC)?;
        // SAFETY: the stream is one of ours, as the entries got it from us.
        check("recording an event", unsafe { raw::cudaEventRecord(event.0, stream) }).map(|()| event)
    }

    /// Waits until it has come, and reports what went wrong before it.
    pub fn synchronize(&self, what: &'static str) -> Result<(), Error> {
        // SAFETY: the event lives.
        check(what, unsafe { raw::cudaEventSynchronize(self.0) })
    }

    /// Nanoseconds from this event to a later one; both have come. 0 if the device does not say.
    pub fn nanoseconds_to(&self, later: &Event) -> i64 {
        let mut ms = 0f32;
        // SAFETY: both live; the pointer is to a local.
        match unsafe { raw::cudaEventElapsedTime(&mut ms, self.0, later.0) } {
            0 => (f64::from(ms) * 1e6) as i64,
            _ => 0,
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is ours and is not used any more.
        unsafe { raw::cudaEventDestroy(self.0) };
    }
}
