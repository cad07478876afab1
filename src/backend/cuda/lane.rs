//! A lane of the device: a stream, and the thread that feeds it and collects what it has computed.
//!
//! The thread enqueues an operation while the one before it runs, so that the device never waits for the host, and hands
//! out results as their last event comes. What an operation uses is kept until then.

use std::any::Any;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use super::device::{Device, Event, Stream};
use super::marks::Marker;
use super::memory::{Memory, Pool};
use super::raw;
use super::staging::{Copied, Pinned};
use crate::backend::worker::Pending;
use crate::timing::{interned, Scope};
use crate::{fault, Error};

/// Operations on the stream at once: one runs, the next waits behind it.
const DEPTH: usize = 2;

/// What the second half of an operation is: called when all it has enqueued is done.
pub type Finish<T> = Box<dyn FnOnce(&mut Desk) -> Result<T, Error> + Send>;

/// The lane's thread at work: its stream, workspace and clock. Operations get it.
pub struct Desk {
    pub stream: Stream,
    name: &'static str,
    pool: Arc<Pool>,
    workspace: Option<Memory>,
    pinned: Vec<Pinned>,
    buffers: Option<Buffers>,
    /// Where the phases inside operations are wanted.
    marker: Option<Box<Marker>>,
    /// An event with its time on the host's clock: what later events are measured from.
    anchor: Option<(Arc<Event>, Instant)>,
}

/// Two buffers for chunks, and the events after which they may be written again.
pub type Buffers = [(Memory, Option<Event>); 2];

/// An operation whose kernels are enqueued.
struct Flying {
    ended: Arc<Event>,
    finish: Ending,
}

/// Hands out the value, or why there is none.
type Ending = Box<dyn FnOnce(&mut Desk, Result<(), Error>) + Send>;
type Task = Box<dyn FnOnce(&mut Desk) -> Option<Flying> + Send>;

/// See the module's head.
pub struct Lane {
    queue: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
}

/// A stretch of a stream's time.
pub struct Stretch {
    began: Event,
    /// Phases inside it, each with its end.
    marks: Vec<(&'static str, Event)>,
    ended: Event,
}

impl Stretch {
    /// Its length, once it has ended.
    pub fn duration(&self) -> std::time::Duration {
        std::time::Duration::from_nanos(self.began.nanoseconds_to(&self.ended).unsigned_abs())
    }
}

impl Desk {
    /// Workspace of at least `bytes` bytes, shared by all operations of the lane.
    pub fn workspace(&mut self, bytes: usize) -> Result<&Memory, Error> {
        if self.workspace.as_ref().is_none_or(|w| w.bytes() < bytes) {
            if self.workspace.is_some() {
                // What is enqueued may still use the smaller one.
                self.stream.synchronize("making room for a workspace")?;
                self.workspace = None;
            }
            self.workspace = Some(self.pool.allocate("a workspace", bytes)?);
        }
        self.workspace.as_ref().ok_or_else(|| Error::Internal("no workspace".to_owned()))
    }

    /// The most workspace that can be had now.
    pub fn workspace_within(&self, cap: usize) -> usize {
        let have = self.workspace.as_ref().map_or(0, Memory::bytes);
        // Blocks are a little larger than what is asked for.
        cap.min(have.max((have + self.pool.available()) / 64 * 63))
    }

    /// Memory that outlives the operation.
    pub fn allocate(&self, what: &'static str, bytes: usize) -> Result<Memory, Error> {
        self.pool.allocate(what, bytes)
    }

    /// Gives the workspace back.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.stream.synchronize("giving back a workspace")?;
        (self.workspace, self.buffers) = (None, None);
        Ok(())
    }

    /// Two buffers of at least `bytes` bytes, shared by all operations of the lane; put them back.
    pub fn take_buffers(&mut self, bytes: usize) -> Result<Buffers, Error> {
        match self.buffers.take() {
            Some(buffers) if buffers[0].0.bytes() >= bytes => Ok(buffers),
            smaller => {
                if smaller.is_some() {
                    self.stream.synchronize("making room for chunks")?;
                }
                drop(smaller);
                let buffer = || self.pool.allocate("a chunk of points", bytes).map(|memory| (memory, None));
                Ok([buffer()?, buffer()?])
            }
        }
    }

    /// See [`Desk::take_buffers`].
    pub fn put_back_buffers(&mut self, buffers: Buffers) {
        self.buffers = Some(buffers);
    }

    /// Pinned memory for results; give it back with [`Desk::keep`].
    pub fn pinned(&mut self, bytes: usize) -> Result<Pinned, Error> {
        match self.pinned.iter().position(|p| p.bytes() >= bytes) {
            Some(i) => Ok(self.pinned.swap_remove(i)),
            None => Pinned::new(bytes.max(256 << 10)),
        }
    }

    /// Takes back pinned memory.
    pub fn keep(&mut self, pinned: Pinned) {
        self.pinned.push(pinned);
    }

    /// Enqueues work as one stretch of time.
    pub fn stretch(&mut self, work: impl FnOnce(&mut Desk) -> Result<(), Error>) -> Result<Stretch, Error> {
        let began = self.stream.event()?;
        work(self)?;
        let marks = self.marker.as_mut().map(|marker| marker.take()).unwrap_or_default();
        Ok(Stretch { began, marks, ended: self.stream.event()? })
    }

    /// What plans take that mark their phases.
    pub fn mark(&mut self) -> (raw::Mark, *mut c_void) {
        self.marker.as_mut().map_or((None, std::ptr::null_mut()), |marker| marker.face())
    }

    /// Records a stretch that has ended.
    pub fn record(&self, scope: &Scope, phase: &'static str, stretch: &Stretch, attrs: Vec<(&'static str, u64)>) {
        if stretch.marks.is_empty() {
            return self.record_between(scope, self.name, phase, [&stretch.began, &stretch.ended], attrs);
        }
        let mut from = &stretch.began;
        for (part, ended) in &stretch.marks {
            self.record_between(scope, self.name, interned(&format!("{phase}/{part}")), [from, ended], attrs.clone());
            from = ended;
        }
        self.record_between(scope, self.name, phase, [from, &stretch.ended], attrs);
    }

    /// Records a copy that has ended.
    pub fn record_copy(&self, scope: &Scope, phase: &'static str, copied: &Copied, bytes: usize) {
        self.record_between(scope, super::COPY_LANE, phase, [&copied.began, &copied.ended], vec![("bytes", bytes as u64)]);
    }

    fn record_between(
        &self,
        scope: &Scope,
        lane: &'static str,
        phase: &'static str,
        [began, ended]: [&Event; 2],
        attrs: Vec<(&'static str, u64)>,
    ) {
        if let Some((anchor, at)) = &self.anchor {
            scope.record(lane, phase, later(*at, anchor.nanoseconds_to(began)), later(*at, anchor.nanoseconds_to(ended)), attrs);
        }
    }

    /// Reads the host's clock at an event of the idle stream, within some microseconds.
    fn set_clock(&mut self) -> Result<(), Error> {
        let event = self.stream.event()?;
        // Not by the event, whose waiter sleeps and is late.
        self.stream.synchronize("setting the clock")?;
        self.anchor = Some((Arc::new(event), Instant::now()));
        Ok(())
    }

    fn finish(&mut self, flying: Flying) {
        let result = flying.ended.synchronize("the GPU's work");
        if let (Some((anchor, at)), Ok(())) = (&self.anchor, &result) {
            // Differences stay short, so that their rounding does.
            let ended = later(*at, anchor.nanoseconds_to(&flying.ended));
            (flying.finish)(self, result);
            self.anchor = Some((flying.ended, ended));
        } else {
            (flying.finish)(self, result);
        }
    }
}

fn later(at: Instant, nanoseconds: i64) -> Instant {
    let by = std::time::Duration::from_nanos(nanoseconds.unsigned_abs());
    if nanoseconds >= 0 {
        at + by
    } else {
        at.checked_sub(by).unwrap_or(at)
    }
}

impl Lane {
    /// Starts the lane; with `kernels` it records the phases inside operations.
    pub fn start(name: &'static str, device: Device, pool: Arc<Pool>, urgent: bool, kernels: bool) -> Result<Lane, Error> {
        let (queue, tasks) = mpsc::channel::<Task>();
        let (opened, open) = mpsc::sync_channel(1);
        let run = move || {
            let desk = device.activate().and_then(|()| Stream::new(urgent)).map(|stream| Desk {
                stream,
                name,
                pool,
                workspace: None,
                pinned: Vec::new(),
                buffers: None,
                marker: kernels.then(Box::default),
                anchor: None,
            });
            match desk {
                Ok(desk) => {
                    let _ = opened.send(Ok(()));
                    serve(desk, &tasks);
                }
                Err(e) => drop(opened.send(Err(e))),
            }
        };
        let thread = std::thread::Builder::new().name(format!("c2p-{name}")).spawn(run);
        let thread = thread.map_err(|e| Error::Internal(format!("cannot start a thread: {e}")))?;
        open.recv().unwrap_or_else(|_| Err(gone()))?;
        Ok(Lane { queue: Some(queue), thread: Some(thread) })
    }

    /// Enqueues an operation: `start` puts its kernels on the stream, what that returns makes the value once they are done.
    /// `keep` lives until then, also if `start` fails half way.
    pub fn enqueue<K: Any + Send, T: Send + 'static>(
        &self,
        keep: K,
        start: impl FnOnce(&mut Desk, &K) -> Result<Finish<T>, Error> + Send + 'static,
    ) -> Pending<T> {
        let (deliver, receiver) = mpsc::sync_channel(1);
        self.send(Box::new(move |desk| {
            fault::point("lane");
            let started = caught(|| start(desk, &keep));
            match started.and_then(|finish| Ok((finish, Arc::new(desk.stream.event()?)))) {
                Ok((finish, ended)) => {
                    let finish = move |desk: &mut Desk, result: Result<(), Error>| {
                        let value = result.and_then(|()| caught(|| finish(desk)));
                        drop(keep);
                        // Nobody waits any more if the proof was dropped: that is no fault.
                        let _ = deliver.send(value);
                    };
                    Some(Flying { ended, finish: Box::new(finish) })
                }
                Err(e) => {
                    // Part of it may be on the stream.
                    let _ = desk.stream.synchronize("ending what an operation began");
                    drop(keep);
                    let _ = deliver.send(Err(e));
                    None
                }
            }
        }));
        Pending::Task(receiver)
    }

    fn send(&self, task: Task) {
        if let Some(queue) = &self.queue {
            // A lane's thread ends only when its queue is dropped.
            let _ = queue.send(task);
        }
    }
}

fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(Error::from_panic(payload)))
}

fn gone() -> Error {
    Error::Internal("a lane of the device is gone".to_owned())
}

fn serve(mut desk: Desk, tasks: &Receiver<Task>) {
    let mut flying: VecDeque<Flying> = VecDeque::new();
    loop {
        let task = match flying.is_empty() {
            true => match tasks.recv() {
                Ok(task) => task,
                Err(_) => return,
            },
            false => match tasks.try_recv() {
                Ok(task) => task,
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => {
                    flying.pop_front().into_iter().for_each(|first| desk.finish(first));
                    continue;
                }
            },
        };
        if flying.is_empty() {
            // A failure shows in the operation itself.
            let _ = desk.set_clock();
        }
        while flying.len() >= DEPTH {
            flying.pop_front().into_iter().for_each(|first| desk.finish(first));
        }
        flying.extend(task(&mut desk));
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
