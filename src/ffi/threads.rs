//! The threads behind the circuit level: processors shared by the process, started when first needed, and never in a
//! child of `fork`, which has none of its parent's threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Config;
use crate::processors::Processors;
use crate::timing::{Scope, CALLER};
use crate::{fault, Error};

/// The process that has our threads; 0 while there are none.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// By number of threads, as all else comes from the environment.
static PROCESSORS: Mutex<Vec<(Option<usize>, Arc<Processors>)>> = Mutex::new(Vec::new());

/// Whether this process was forked from one in which the library had threads.
pub fn forked() -> bool {
    let owner = OWNER.load(Ordering::Relaxed);
    owner != 0 && owner != std::process::id()
}

/// To be called before anything that needs threads.
pub fn allowed() -> Result<(), Error> {
    let pid = std::process::id();
    match OWNER.compare_exchange(0, pid, Ordering::Relaxed, Ordering::Relaxed) {
        Err(owner) if owner != pid => {
            let text =
                format!("process {pid} was forked from {owner}, in which the library was in use: fork before the first call, or exec");
            Err(Error::Unsupported(text))
        }
        _ => Ok(()),
    }
}

/// More than any machine has: a number above it is a mistake, and asking the system for so many would hurt it.
const MOST: u32 = 1 << 14;

/// A number of threads that a caller gave; 0 leaves it to the environment.
pub fn count(threads: u32, name: &str) -> Result<Option<usize>, Error> {
    match threads {
        0 => Ok(None),
        1..=MOST => Ok(Some(threads as usize)),
        _ => Err(Error::InvalidArgument(format!("{name} is {threads}: expected at most {MOST}"))),
    }
}

/// The process's processors, with a number of threads that a caller gave.
pub fn processors(threads: u32, config: &Config, scope: &Scope) -> Result<Arc<Processors>, Error> {
    let threads = count(threads, "options.threads")?.or(config.cpu_threads);
    allowed()?;
    let waiting = scope.wait(CALLER, "lock.backend");
    // Nothing is left half done under this lock, so a panic elsewhere does not spoil it.
    let mut known = PROCESSORS.lock().unwrap_or_else(PoisonError::into_inner);
    fault::point("lock.backend");
    drop(waiting);
    if let Some((_, processors)) = known.iter().find(|(k, _)| *k == threads) {
        return Ok(processors.clone());
    }
    let _span = scope.work(CALLER, "device.init");
    let processors = Arc::new(Processors::open(&Config { cpu_threads: threads, ..config.clone() })?);
    known.push((threads, processors.clone()));
    Ok(processors)
}
