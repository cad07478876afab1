//! Fault points: named places where a test build sleeps or panics on request. In other builds they are nothing.
//!
//! Set them by [`set`], or for C and Go callers by `C2PROVER_TEST_FAULT=point=sleep:MILLISECONDS` or
//! `point=panic:TEXT`, several separated by commas; `point@3=…` acts when the point is reached for the third time.

#[cfg(not(feature = "fault-injection"))]
#[inline(always)]
pub(crate) fn point(_name: &'static str) {}

#[cfg(feature = "fault-injection")]
pub(crate) use self::active::point;
#[cfg(feature = "fault-injection")]
pub use self::active::{clear, set, Fault};

#[cfg(feature = "fault-injection")]
mod active {
    use std::collections::HashMap;
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::Duration;

    use once_cell::sync::Lazy;

    /// What happens at a fault point, the next time it is reached; then it is forgotten.
    #[derive(Clone, Debug)]
    pub enum Fault {
        /// The thread sleeps.
        Sleep(Duration),
        /// The thread panics with a formatted text.
        Panic(String),
    }

    /// A fault and how often its point is passed before.
    type Armed = (usize, Fault);

    static FAULTS: Lazy<Mutex<HashMap<String, Armed>>> = Lazy::new(|| {
        let text = std::env::var("C2PROVER_TEST_FAULT").unwrap_or_default();
        Mutex::new(text.split(',').filter_map(parse).collect())
    });

    fn parse(item: &str) -> Option<(String, Armed)> {
        let (name, fault) = item.split_once('=')?;
        let (name, time) = name.split_once('@').unwrap_or((name, "1"));
        let fault = match fault.split_once(':')? {
            ("sleep", ms) => Fault::Sleep(Duration::from_millis(ms.parse().ok()?)),
            ("panic", text) => Fault::Panic(text.to_owned()),
            _ => return None,
        };
        Some((name.to_owned(), (time.parse::<usize>().ok()?.checked_sub(1)?, fault)))
    }

    fn faults() -> MutexGuard<'static, HashMap<String, Armed>> {
        FAULTS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Arms a fault point.
    pub fn set(name: &str, fault: Fault) {
        faults().insert(name.to_owned(), (0, fault));
    }

    /// Disarms all.
    pub fn clear() {
        faults().clear();
    }

    pub(crate) fn point(name: &'static str) {
        let mut faults = faults();
        match faults.get_mut(name) {
            None => return,
            Some((0, _)) => {}
            Some((before, _)) => {
                *before -= 1;
                return;
            }
        }
        let fault = faults.remove(name).map(|(_, fault)| fault);
        drop(faults);
        match fault {
            None => {}
            Some(Fault::Sleep(time)) => std::thread::sleep(time),
            Some(Fault::Panic(text)) => panic!("{name}: {text}"),
        }
    }
}
