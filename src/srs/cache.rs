//! Parameter files in memory, by identity: read once, shared, evictable while in use.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use once_cell::sync::Lazy;

use super::read::{self, Source};
use super::{OpenOptions, Points, Srs};
use crate::fault;
use crate::timing::{Scope, CALLER};
use crate::Error;

/// What makes two files the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    inode: u64,
    pub(super) bytes: u64,
    modified: (i64, i64),
}

impl Identity {
    pub(super) fn of(meta: &Metadata) -> Identity {
        Identity { device: meta.dev(), inode: meta.ino(), bytes: meta.len(), modified: (meta.mtime(), meta.mtime_nsec()) }
    }
}

struct Resident {
    points: Weak<Points>,
    /// Keeps the points when no handle does.
    kept: Option<Arc<Points>>,
    subgroup_checked: bool,
}

/// One caller's read that others wait for.
#[derive(Default)]
struct Load {
    outcome: Mutex<Option<Result<Srs, Error>>>,
    done: Condvar,
}

#[derive(Default)]
struct Table {
    resident: HashMap<Identity, Resident>,
    loading: HashMap<(Identity, bool), Arc<Load>>,
}

static TABLE: Lazy<Mutex<Table>> = Lazy::new(Mutex::default);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half done under these locks, so a panic elsewhere does not spoil them.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

enum Role {
    Has(Srs),
    Reads(Arc<Load>),
    Waits(Arc<Load>),
}

impl Table {
    fn role(&mut self, identity: &Identity, options: OpenOptions) -> Role {
        self.resident.retain(|_, r| r.points.strong_count() > 0);
        if let Some(entry) = self.resident.get_mut(identity) {
            if let (Some(points), true) = (entry.points.upgrade(), entry.subgroup_checked || !options.subgroup_check) {
                if options.keep {
                    entry.kept = Some(points.clone());
                }
                return Role::Has(Srs(points));
            }
        }
        let slot = (identity.clone(), options.subgroup_check);
        match self.loading.get(&slot) {
            Some(load) => Role::Waits(load.clone()),
            None => {
                let load = Arc::<Load>::default();
                self.loading.insert(slot, load.clone());
                Role::Reads(load)
            }
        }
    }
}

/// A read of a whole file, to be run on the threads that are to do it.
pub type Read<'a> = Box<dyn FnOnce() -> Result<Points, Error> + Send + 'a>;

/// See [`Srs::open`]; also tells whether the points were in memory already. `on` runs the read, if there is one: who
/// waits for another caller's read does so on its own thread, and takes none of those.
pub fn open(
    path: &Path,
    options: OpenOptions,
    scope: &Scope,
    on: impl FnOnce(Read) -> Result<Points, Error> + Send,
) -> Result<(Srs, bool), Error> {
    let source = Source::open(path)?;
    let role = {
        let _span = scope.wait(CALLER, "lock.srs");
        let mut table = locked(&TABLE);
        fault::point("lock");
        table.role(source.identity(), options)
    };
    match role {
        Role::Has(srs) => Ok((srs, true)),
        Role::Reads(load) => read_for_all(&source, options, &load, scope, on).map(|srs| (srs, false)),
        Role::Waits(load) => {
            let _span = scope.wait(CALLER, "srs.load.other");
            let mut outcome = locked(&load.outcome);
            loop {
                match &*outcome {
                    Some(result) => return result.clone().map(|srs| (srs, false)),
                    None => outcome = load.done.wait(outcome).unwrap_or_else(PoisonError::into_inner),
                }
            }
        }
    }
}

fn read_for_all(
    source: &Source,
    options: OpenOptions,
    load: &Load,
    scope: &Scope,
    on: impl FnOnce(Read) -> Result<Points, Error> + Send,
) -> Result<Srs, Error> {
    let span = scope.work(CALLER, "srs.load").attr("bytes", source.bytes() as usize);
    // On a thread that is in no pool: a pool's thread that waits here would take up another task of its pool, and that
    // task might wait for this very read. A panic must not leave the others waiting either.
    let run = || on(Box::new(|| read::points(source, options)));
    let read = std::thread::scope(|threads| match std::thread::Builder::new().name("c2p-srs".to_owned()).spawn_scoped(threads, run) {
        Ok(thread) => thread.join().unwrap_or_else(|payload| Err(Error::from_panic(payload))),
        Err(e) => Err(Error::Internal(format!("cannot start a thread: {e}"))),
    });
    drop(span);
    let result = read.map(|points| Srs(Arc::new(points)));
    let mut table = locked(&TABLE);
    table.loading.remove(&(source.identity().clone(), options.subgroup_check));
    if let Ok(srs) = &result {
        let kept = options.keep.then(|| srs.0.clone());
        let entry = Resident { points: Arc::downgrade(&srs.0), kept, subgroup_checked: options.subgroup_check };
        table.resident.insert(source.identity().clone(), entry);
    }
    drop(table);
    *locked(&load.outcome) = Some(result.clone());
    load.done.notify_all();
    result
}

/// See [`Srs::evict`].
pub fn evict(identity: &Identity) -> bool {
    locked(&TABLE).resident.remove(identity).is_some()
}
