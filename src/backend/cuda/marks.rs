//! The phases inside an operation of the device, for `C2PROVER_TIMING=kernels`: an event as each is enqueued.

use std::ffi::{c_char, c_void, CStr};

use super::device::Event;
use super::raw;
use crate::timing::interned;

/// Collects the marks of one stretch.
#[derive(Default)]
pub struct Marker {
    marks: Vec<(&'static str, Event)>,
}

impl Marker {
    /// What the kernels' plans take: a function and its context. The marker must stay where it is until they have run.
    pub fn face(&mut self) -> (raw::Mark, *mut c_void) {
        (Some(mark), std::ptr::from_mut(self).cast())
    }

    /// The marks so far, of which there are none afterwards.
    pub fn take(&mut self) -> Vec<(&'static str, Event)> {
        std::mem::take(&mut self.marks)
    }
}

/// Called by the kernels' entries, on the thread that enqueues.
unsafe extern "C" fn mark(context: *mut c_void, phase: *const c_char, stream: raw::Stream) {
    // SAFETY: the context is the marker that gave this function away, and nobody else uses it meanwhile; the phase is a literal
    // of the kernels.
    let (marker, phase) = unsafe { (&mut *context.cast::<Marker>(), CStr::from_ptr(phase)) };
    // A mark that cannot be made is missing in the report, nothing more.
    if let Ok(event) = Event::on(stream) {
        marker.marks.push((interned(&phase.to_string_lossy()), event));
    }
}
