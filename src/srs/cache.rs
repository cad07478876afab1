//! Parameter files by identity: one handle for all who open the same file, evictable while in use.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use once_cell::sync::Lazy;

use super::read;
use super::source::{Identity, Source};
use super::{Parameters, Residents, Srs};
use crate::Error;

struct Known {
    parameters: Weak<Parameters>,
    /// Keeps the parameters when no handle does.
    kept: Option<Arc<Parameters>>,
}

static TABLE: Lazy<Mutex<HashMap<Identity, Known>>> = Lazy::new(Mutex::default);

fn table() -> MutexGuard<'static, HashMap<Identity, Known>> {
    // Nothing is left half done under this lock, so a panic elsewhere does not spoil it.
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handle of a file: its head is read and checked, its queries are not read yet.
pub fn open(path: &Path) -> Result<Srs, Error> {
    let source = Source::open(path)?;
    if let Some(srs) = known(source.identity()) {
        return Ok(srs);
    }
    let (key, layout) = read::head(&source)?;
    let identity = source.identity().clone();
    let parameters = Arc::new(Parameters { key, layout, source, residents: Residents::default() });
    let mut table = table();
    table.retain(|_, known| known.parameters.strong_count() > 0);
    let first = table.entry(identity).or_insert_with(|| Known { parameters: Arc::downgrade(&parameters), kept: None });
    // Another caller may have been first.
    Ok(Srs(first.parameters.upgrade().unwrap_or(parameters)))
}

fn known(identity: &Identity) -> Option<Srs> {
    table().get(identity).and_then(|known| known.parameters.upgrade()).map(Srs)
}

/// Keeps the parameters in memory until [`evict`], if the file is still known.
pub fn keep(srs: &Srs) {
    if let Some(known) = table().get_mut(srs.source.identity()) {
        if known.parameters.as_ptr() == Arc::as_ptr(&srs.0) {
            known.kept = Some(srs.0.clone());
        }
    }
}

/// Forgets the parameters. See [`Srs::evict`].
pub fn evict(srs: &Srs) -> bool {
    let mut table = table();
    let same = table.get(srs.source.identity()).is_some_and(|known| known.parameters.as_ptr() == Arc::as_ptr(&srs.0));
    let known = same.then(|| table.remove(srs.source.identity())).flatten();
    // What it kept is dropped without the lock: that may take long.
    drop(table);
    known.is_some()
}
