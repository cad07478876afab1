//! Lanes of the CPU backend: a thread each that runs operations in order, and tiles of work shared by the pool.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rayon::ThreadPool;

use crate::backend::Lane;
use crate::Error;

/// A value that a lane will deliver.
#[derive(Debug)]
pub enum Pending<T> {
    /// It is there.
    Ready(T),
    /// A lane makes it.
    Task(Receiver<Result<T, Error>>),
}

impl<T: Send> crate::backend::Pending<T> for Pending<T> {
    fn wait(self) -> Result<T, Error> {
        match self {
            Pending::Ready(value) => Ok(value),
            Pending::Task(receiver) => {
                receiver.recv().unwrap_or_else(|_| Err(Error::Internal("a lane of the CPU backend is gone".to_owned())))
            }
        }
    }
}

/// A thread that runs operations in order.
pub struct Worker {
    queue: Option<Sender<Box<dyn FnOnce() + Send>>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the lane's thread. While it has nothing to do, `crew` knows.
    pub fn start(lane: Lane, crew: Arc<Crew>) -> Result<Worker, Error> {
        let (queue, tasks) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let name = match lane {
            Lane::Main => "c2p-main",
            Lane::BG2 => "c2p-b_g2",
        };
        let run = move || {
            for task in tasks {
                task();
                crew.finished(lane);
            }
        };
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
        if let Some(queue) = &self.queue {
            // A lane's thread ends only when its queue is dropped.
            let _ = queue.send(task);
        }
        Pending::Task(receiver)
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

/// The threads of the pool, and how the lanes share them.
///
/// The main lane may use all threads. B_G2 gets a stated share, taken before the main lane's work is handed out, and
/// all threads once the main lane has nothing left.
pub struct Crew {
    pool: ThreadPool,
    /// Operations enqueued on the main lane and not finished.
    main_backlog: Mutex<usize>,
    changed: Condvar,
}

impl Crew {
    /// A pool of `threads` threads.
    pub fn new(threads: usize) -> Result<Crew, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("c2p-{i}")).build();
        let pool = pool.map_err(|e| Error::Internal(format!("cannot start {threads} threads: {e}")))?;
        Ok(Crew { pool, main_backlog: Mutex::new(0), changed: Condvar::new() })
    }

    /// Threads in the pool.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs rayon's parallel iterators on this pool.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    fn backlog(&self) -> MutexGuard<'_, usize> {
        self.main_backlog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that an operation was enqueued.
    pub fn enqueued(&self, lane: Lane) {
        if lane == Lane::Main {
            *self.backlog() += 1;
        }
    }

    fn finished(&self, lane: Lane) {
        if lane == Lane::Main {
            *self.backlog() -= 1;
            self.changed.notify_all();
        }
    }

    /// Computes tiles 0..n in any order with `share` threads, or with all of them as soon as the main lane is idle.
    /// `scratch` makes what a thread keeps between its tiles.
    pub fn tiles<S, T: Send>(
        &self,
        share: usize,
        n: usize,
        scratch: impl Fn() -> S + Sync,
        tile: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(n));
        let work = || {
            let mut own = None;
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= n {
                    break;
                }
                let result = tile(own.get_or_insert_with(&scratch), i);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
            }
            // Someone may wait below for the last tile to be taken.
            let _backlog = self.backlog();
            self.changed.notify_all();
        };
        let all = self.threads().min(n);
        let share = share.clamp(1, all.max(1));
        self.pool.in_place_scope(|scope| {
            (0..share.min(n)).for_each(|_| scope.spawn(|_| work()));
            if share < all {
                let mut backlog = self.backlog();
                while *backlog > 0 && next.load(Ordering::Relaxed) < n {
                    backlog = self.changed.wait(backlog).unwrap_or_else(PoisonError::into_inner);
                }
                drop(backlog);
                (share..all).for_each(|_| scope.spawn(|_| work()));
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(i, _)| *i);
        done.into_iter().map(|(_, result)| result).collect()
    }
}
