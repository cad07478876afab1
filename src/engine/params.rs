//! Parameters by circuit: opened once, kept until they are evicted or their memory is wanted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use c2prover_filecoin::CircuitId;

use super::board::Board;
use super::memory::{Purpose, Reservation};
use crate::processors::Processors;
use crate::srs::{digest, OpenOptions, Srs, VerifyingKey};
use crate::timing::Scope;
use crate::{Cancel, Error};

/// See the module's head.
pub(super) struct Params {
    folder: PathBuf,
    /// Whether files must be the official ones.
    check: bool,
    /// By their files.
    held: Mutex<BTreeMap<PathBuf, Held>>,
    keys: Mutex<BTreeMap<CircuitId, Arc<VerifyingKey>>>,
    board: Arc<Board>,
}

struct Held {
    srs: Srs,
    last_used: Instant,
    /// Of host memory.
    memory: Option<Reservation>,
}

impl Params {
    pub fn new(folder: PathBuf, check: bool, board: Arc<Board>) -> Params {
        Params { folder, check, held: Mutex::default(), keys: Mutex::default(), board }
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Held>> {
        // Nothing is left half done under this lock.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The parameters of a circuit; opened once, and not resident yet.
    pub fn open(&self, file: &Path, cancel: &Cancel) -> Result<Srs, Error> {
        if let Some(held) = self.held().get_mut(file) {
            held.last_used = Instant::now();
            return Ok(held.srs.clone());
        }
        if self.check {
            self.check_official(file, cancel)?;
        }
        let srs = Srs::open_head(file, OpenOptions { keep: true, subgroup_check: false })?;
        let new = || Held { srs, last_used: Instant::now(), memory: None };
        Ok(self.held().entry(file.to_owned()).or_insert_with(new).srs.clone())
    }

    /// Compares the digest of a file with that of the official one of its name. Reads all of it.
    pub fn check_official(&self, file: &Path, cancel: &Cancel) -> Result<(), Error> {
        let known = CircuitId::all().find(|id| Some(id.params_file().as_ref()) == file.file_name());
        let expected = known
            .and_then(CircuitId::official_digest)
            .ok_or_else(|| Error::InvalidArgument(format!("{}: no official parameters have this name", file.display())))?;
        let found = digest(file, cancel)?;
        if found == expected {
            return Ok(());
        }
        Err(Error::ParamsDigest { path: file.to_owned(), expected: expected.to_owned(), found })
    }

    /// Makes them resident, with room for a circuit of so many bytes beside them; tells whether they were. Callers that ask at once
    /// wait for one load.
    pub fn load(&self, file: &Path, srs: &Srs, processors: &Processors, circuit: usize, scope: &Scope) -> Result<bool, Error> {
        let bytes = processors.host_bytes_of(srs);
        let promised = self.held().get(file).is_some_and(|held| held.memory.is_some());
        self.make_room(file, circuit + if promised { 0 } else { bytes });
        if let Some(held) = self.held().get_mut(file).filter(|held| bytes > 0 && held.memory.is_none()) {
            self.board.lock().ledger.take(Purpose::Points, bytes);
            held.memory = Some(Reservation { board: self.board.clone(), purpose: Purpose::Points, bytes });
        }
        processors.load(srs, scope)
    }

    /// Gives up what was not used for longest, as far as nobody uses it, until the points of all circuits and `bytes` more fit into
    /// the budget.
    fn make_room(&self, file: &Path, bytes: usize) {
        loop {
            let fits = {
                let ledger = &self.board.lock().ledger;
                ledger.used_for(Purpose::Points).saturating_add(bytes) <= ledger.budget
            };
            let oldest = {
                let held = self.held();
                let idle = held.iter().filter(|(other, held)| other.as_path() != file && held.memory.is_some() && held.srs.is_idle());
                idle.min_by_key(|(_, held)| held.last_used).map(|(file, _)| file.clone())
            };
            match oldest {
                Some(oldest) if !fits => drop(self.evict(&oldest)),
                _ => return,
            }
        }
    }

    /// Gives up the parameters of a circuit; proofs under way are not disturbed. Returns the bytes they took, if they were there.
    pub fn evict(&self, file: &Path) -> Option<usize> {
        let held = self.held().remove(file)?;
        held.srs.evict();
        Some(held.srs.bytes())
    }

    /// The verifying key of a circuit, from its own file, or else from the parameters.
    pub fn key(&self, id: CircuitId) -> Result<Arc<VerifyingKey>, Error> {
        let keys = || self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = keys().get(&id) {
            return Ok(key.clone());
        }
        let key = match VerifyingKey::open(&self.folder.join(id.vk_file())) {
            Err(Error::ParamsMissing { .. }) => Srs::open_head(&self.folder.join(id.params_file()), OpenOptions::default())?.key.clone(),
            key => key?,
        };
        Ok(keys().entry(id).or_insert(Arc::new(key)).clone())
    }

    /// The folder of Filecoin's parameters.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is held, for people.
    pub fn list(&self) -> Vec<serde_json::Value> {
        let list = self.held();
        let name = |file: &Path| {
            let named = CircuitId::all().find(|id| Some(id.params_file().as_ref()) == file.file_name());
            named.map(|id| id.to_string())
        };
        let row = |(file, held): (&PathBuf, &Held)| {
            serde_json::json!({
                "circuit": name(file), "file": held.srs.path().display().to_string(), "bytes": held.srs.bytes(),
                "host_bytes": held.memory.as_ref().map_or(0, |m| m.bytes), "in_use": !held.srs.is_idle(),
                "idle_ms": held.last_used.elapsed().as_millis() as u64,
            })
        };
        list.iter().map(row).collect()
    }
}
