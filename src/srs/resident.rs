//! Points of one SRS in the forms that backends keep them in: made once, shared, given up on request.

use std::any::Any;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::fault;
use crate::timing::{Scope, CALLER};
use crate::Error;

/// Who keeps the points, and a number that tells several of its kind apart.
pub type Holder = (&'static str, u64);

type Shared = Arc<dyn Any + Send + Sync>;

/// One caller's load that others wait for.
#[derive(Default)]
struct Load {
    outcome: Mutex<Option<Result<Shared, Error>>>,
    done: Condvar,
}

enum Slot {
    Loading(Arc<Load>),
    Ready { points: Shared, subgroup_checked: bool },
}

enum Role {
    Has(Shared),
    Loads(Arc<Load>),
    Waits(Arc<Load>),
}

/// See the module's head.
#[derive(Default)]
pub struct Residents(Mutex<Vec<(Holder, Slot)>>);

impl std::fmt::Debug for Residents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(locked(&self.0).iter().map(|(holder, _)| holder)).finish()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half done under these locks, so a panic elsewhere does not spoil them.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cast<T: Any + Send + Sync>(points: Shared) -> Result<Arc<T>, Error> {
    points.downcast().map_err(|_| Error::Internal("a holder keeps points of another kind".to_owned()))
}

impl Residents {
    /// The points that a holder keeps; `load` makes them if there are none, or none that were checked for the subgroup.
    /// When several callers ask at once, one loads and the others wait for it. Also tells whether they were there.
    ///
    /// `load` runs on a thread that is in no pool: a pool's thread that waits here would take up another task of its pool,
    /// and that task might wait for this very load.
    pub fn get<T: Any + Send + Sync>(
        &self,
        holder: Holder,
        subgroup_check: bool,
        bytes: usize,
        scope: &Scope,
        load: impl FnOnce() -> Result<T, Error> + Send,
    ) -> Result<(Arc<T>, bool), Error> {
        let role = {
            let _span = scope.wait(CALLER, "lock.srs");
            let mut slots = locked(&self.0);
            fault::point("lock");
            role(&mut slots, holder, subgroup_check)
        };
        match role {
            Role::Has(points) => Ok((cast(points)?, true)),
            Role::Loads(mine) => {
                let span = scope.work(CALLER, "srs.load").attr("bytes", bytes);
                let result = on_own_thread(load).map(|points| Arc::new(points) as Shared);
                drop(span);
                self.settle(holder, subgroup_check, &result);
                *locked(&mine.outcome) = Some(result.clone());
                mine.done.notify_all();
                Ok((cast(result?)?, false))
            }
            Role::Waits(load) => {
                let _span = scope.wait(CALLER, "srs.load.other");
                let outcome = load.done.wait_while(locked(&load.outcome), |outcome| outcome.is_none());
                let outcome = outcome.unwrap_or_else(PoisonError::into_inner).clone();
                Ok((cast(outcome.unwrap_or_else(|| Err(Error::Internal("a load without an outcome".to_owned())))?)?, false))
            }
        }
    }

    fn settle(&self, holder: Holder, subgroup_checked: bool, result: &Result<Shared, Error>) {
        let mut slots = locked(&self.0);
        slots.retain(|(h, _)| *h != holder);
        if let Ok(points) = result {
            slots.push((holder, Slot::Ready { points: points.clone(), subgroup_checked }));
        }
    }

    /// The points that a holder keeps, if they are there.
    pub fn peek<T: Any + Send + Sync>(&self, holder: Holder) -> Option<Arc<T>> {
        let slots = locked(&self.0);
        slots.iter().find(|(h, _)| *h == holder).and_then(|(_, slot)| match slot {
            Slot::Ready { points, .. } => points.clone().downcast().ok(),
            Slot::Loading(_) => None,
        })
    }

    /// Gives up what a holder keeps; who uses the points still has them. Returns whether there were any.
    #[cfg_attr(not(feature = "cuda"), allow(dead_code))]
    pub fn release(&self, holder: Holder) -> bool {
        let mut slots = locked(&self.0);
        let before = slots.len();
        slots.retain(|(h, slot)| *h != holder || matches!(slot, Slot::Loading(_)));
        slots.len() < before
    }
}

fn role(slots: &mut Vec<(Holder, Slot)>, holder: Holder, subgroup_check: bool) -> Role {
    let known = slots.iter().position(|(h, _)| *h == holder);
    match known.map(|i| &slots[i].1) {
        Some(Slot::Loading(load)) => return Role::Waits(load.clone()),
        Some(Slot::Ready { points, subgroup_checked }) if *subgroup_checked || !subgroup_check => return Role::Has(points.clone()),
        _ => {}
    }
    let load = Arc::<Load>::default();
    known.map(|i| slots.remove(i));
    slots.push((holder, Slot::Loading(load.clone())));
    Role::Loads(load)
}

fn on_own_thread<T: Send>(load: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    std::thread::scope(|threads| match std::thread::Builder::new().name("c2p-srs".to_owned()).spawn_scoped(threads, load) {
        // A panic must not leave the others waiting.
        Ok(thread) => thread.join().unwrap_or_else(|payload| Err(Error::from_panic(payload))),
        Err(e) => Err(Error::Internal(format!("cannot start a thread: {e}"))),
    })
}
