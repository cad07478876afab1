//! The threads of the CPU backend and how its lanes share the cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::ThreadPool;

use crate::{Cancel, Error};

/// How often a lane that waits looks whether it still should.
const LOOK: Duration = Duration::from_millis(50);

/// A lane of the CPU backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Transforms and the MSMs in G1.
    Main,
    /// B_G2, beside the main lane.
    BG2,
}

/// The threads of the backend, and how the lanes share the cores.
///
/// The main lane has a thread for each core. B_G2 has threads of its own beside them, of which a proof uses a stated
/// share: the system divides the cores between the two, so that none idles while either has work. (In one pool, a
/// thread of the main lane that waits for another would pick up a tile of B_G2 and keep the main lane waiting.) Once no
/// proof has work left for the main lane, its threads take tiles of B_G2 as well.
pub struct Crew {
    main: ThreadPool,
    b_g2: ThreadPool,
    /// Proofs that have or will have work for the main lane: the [`MainWork`]s alive.
    main_work: Mutex<usize>,
    changed: Condvar,
}

/// Threads that an operation computes its tiles with.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    pub lane: Lane,
    pub threads: usize,
}

/// As long as it lives, its proof has work for the main lane.
pub struct MainWork(Arc<Crew>);

impl MainWork {
    /// Announces a proof's work.
    pub fn announce(crew: &Arc<Crew>) -> MainWork {
        *crew.main_work() += 1;
        MainWork(crew.clone())
    }
}

impl Drop for MainWork {
    fn drop(&mut self) {
        *self.0.main_work() -= 1;
        self.0.changed.notify_all();
    }
}

impl Crew {
    /// Starts the threads for `threads` cores.
    pub fn new(threads: usize) -> Result<Crew, Error> {
        let pool = |lane: &'static str| {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = builder.thread_name(move |i| format!("c2p-{lane}-{i}")).build();
            pool.map_err(|e| Error::Internal(format!("cannot start {threads} threads: {e}")))
        };
        Ok(Crew { main: pool("main")?, b_g2: pool("b_g2")?, main_work: Mutex::new(0), changed: Condvar::new() })
    }

    /// Threads of the main lane: one for each core.
    pub fn threads(&self) -> usize {
        self.main.current_num_threads()
    }

    /// Runs rayon's parallel iterators on the main lane's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.main.install(work)
    }

    fn main_work(&self) -> MutexGuard<'_, usize> {
        self.main_work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes tiles 0..n in any order with the threads of the share, and of B_G2 also with those of the main lane when it
    /// has nothing to do. `scratch` makes what a thread keeps between its tiles.
    ///
    /// # Errors
    /// Those of [`Cancel::check`].
    pub fn tiles<S, T: Send>(
        &self,
        share: Share,
        cancel: &Cancel,
        n: usize,
        scratch: impl Fn() -> S + Sync,
        tile: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let next = AtomicUsize::new(0);
        let left = || next.load(Ordering::Relaxed) < n && !cancel.is_over();
        let done = Mutex::new(Vec::with_capacity(n));
        let work = |go_on: &dyn Fn() -> bool| {
            let mut own = None;
            while go_on() && !cancel.is_over() {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= n {
                    break;
                }
                let result = tile(own.get_or_insert_with(&scratch), i);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
            }
            // The lane may wait below for the last tile to be taken; the lock makes sure that it hears.
            let _main_work = self.main_work();
            self.changed.notify_all();
        };
        let threads = share.threads.clamp(1, self.threads()).min(n);
        match share.lane {
            Lane::Main => self.main.in_place_scope(|scope| (0..threads).for_each(|_| scope.spawn(|_| work(&|| true)))),
            Lane::BG2 => self.b_g2.in_place_scope(|scope| {
                (0..threads).for_each(|_| scope.spawn(|_| work(&|| true)));
                let idle = || *self.main_work() == 0;
                while left() {
                    // Nobody notifies of a cancellation.
                    let wait = self.changed.wait_timeout_while(self.main_work(), LOOK, |main_work| *main_work > 0 && left());
                    if wait.is_ok_and(|(main_work, _)| *main_work > 0) {
                        continue;
                    }
                    let more = self.threads() - threads;
                    if more == 0 {
                        break;
                    }
                    self.main.in_place_scope(|scope| (0..more).for_each(|_| scope.spawn(|_| work(&idle))));
                }
            }),
        }
        cancel.check()?;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(i, _)| *i);
        Ok(done.into_iter().map(|(_, result)| result).collect())
    }
}
