//! A lane's thread, and the values it delivers.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use crate::Error;

/// A value that a lane will deliver.
#[derive(Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
pub enum Pending<T> {
    /// It is there.
    Ready(T),
    /// It cannot be made.
    Failed(Error),
    /// Two make it.
    Both(Box<(Pending<T>, Pending<T>)>, fn(T, T) -> T),
    /// A lane makes it.
    Task(Receiver<Result<T, Error>>),
}

impl<T: Send> super::Pending<T> for Pending<T> {
    fn wait(self) -> Result<T, Error> {
        match self {
            Pending::Ready(value) => Ok(value),
            Pending::Failed(e) => Err(e),
            Pending::Both(both, join) => {
                let (first, second) = (both.0.wait(), both.1.wait());
                Ok(join(first?, second?))
            }
            Pending::Task(receiver) => receiver.recv().unwrap_or_else(|_| Err(gone())),
        }
    }
}

fn gone() -> Error {
    Error::Internal("a lane of the backend is gone".to_owned())
}

/// A thread that runs operations in order.
pub struct Worker {
    queue: Option<Sender<Box<dyn FnOnce() + Send>>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the lane's thread.
    pub fn start(name: &str) -> Result<Worker, Error> {
        let (queue, tasks) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let run = move || tasks.into_iter().for_each(|task| task());
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(run);
        let thread = thread.map_err(|e| Error::Internal(format!("cannot start a thread: {e}")))?;
        Ok(Worker { queue: Some(queue), thread: Some(thread) })
    }

    /// Enqueues an operation. A panic in it becomes its error.
    pub fn enqueue<T: Send + 'static>(&self, op: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Pending<T> {
        let (deliver, receiver) = mpsc::sync_channel(1);
        let task = Box::new(move || {
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(op));
            // Nobody waits any more if the proof was dropped: that is no fault.
            let _ = deliver.send(caught.unwrap_or_else(|payload| Err(Error::from_panic(payload))));
        });
        self.send(task);
        Pending::Task(receiver)
    }

    fn send(&self, task: Box<dyn FnOnce() + Send>) {
        if let Some(queue) = &self.queue {
            // A lane's thread ends only when its queue is dropped.
            let _ = queue.send(task);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
