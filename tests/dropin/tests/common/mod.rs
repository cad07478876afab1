//! Parameters for the tests, and what is logged on a test's own thread.
#![allow(dead_code)] // each test uses some

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Once;

use c2prover_dropin_tests::data::checkout;
use c2prover_filecoin::{CircuitId, Kind, SectorSize};
use c2prover_test_setup::{ensure, Files};

pub fn circuit(kind: Kind) -> CircuitId {
    CircuitId { kind, sector_size: SectorSize::KiB2 }
}

/// The folder of test parameters.
pub fn folder() -> PathBuf {
    std::env::var_os("C2PROVER_TEST_PARAMS").map_or_else(|| checkout("target/params"), PathBuf::from)
}

/// The test parameters of a kind, made if they are not there.
pub fn params(kind: Kind) -> Files {
    ensure(circuit(kind), &folder()).unwrap()
}

/// Points filecoin-proofs to a folder of parameters. It looks once in the life of a process.
pub fn point_to(folder: PathBuf) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::env::set_var("FIL_PROOFS_PARAMETER_CACHE", folder));
}

/// The test parameters of a kind, made if they are not there, and found by filecoin-proofs.
pub fn with_params(kind: Kind) {
    params(kind);
    point_to(folder());
}

thread_local!(static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) });

struct Lines;

impl log::Log for Lines {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }
    fn log(&self, record: &log::Record) {
        let line = format!("{} {} > {}", record.level(), record.target(), record.args());
        LINES.with(|lines| lines.borrow_mut().push(line));
    }
    fn flush(&self) {}
}

/// Runs work and returns what this thread logged meanwhile.
pub fn logged<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Lines).unwrap();
        log::set_max_level(log::LevelFilter::Info);
    });
    LINES.with(|lines| lines.borrow_mut().clear());
    let result = work();
    (result, LINES.with(|lines| lines.take()))
}

/// The text of a panic as filecoin-ffi sees it: it looks for a `&'static str` and for nothing else.
pub fn panic_text<T>(work: impl FnOnce() -> T) -> &'static str {
    let payload: Box<dyn Any + Send> = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(_) => panic!("there was no panic"),
        Err(payload) => payload,
    };
    payload.downcast_ref::<&'static str>().expect("the payload is a &'static str")
}
