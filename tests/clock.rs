//! A clock that swallows nothing: time lost in the bridge, in an allocation and under a lock shows where it was lost.
//! Runs with the feature `fault-injection`, which `make test` turns on.
#![cfg(feature = "fault-injection")]

mod common;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use c2prover::fault::{self, Fault};
use c2prover::prover::{prove_batch, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover::timing::Report;
use c2prover::Status;
use c2prover_test_setup::circuits::Chain;
use common::*;

/// Faults are armed for the whole process.
static ALONE: Mutex<()> = Mutex::new(());

const LOST: Duration = Duration::from_millis(200);

/// The report of loading parameters and proving, with a delay at one point, and what the stopwatch says.
fn report_with(point: &str) -> (Report, u64) {
    let params = TestSrs::of(|| Chain::bits(3000, 1).blank(), 5);
    let (cs, backend) = (synthesize(Chain::bits(3000, 1)), backend(2));
    if !point.is_empty() {
        fault::set(point, Fault::Sleep(LOST));
    }
    let began = Instant::now();
    let scope = scope();
    let srs = Srs::open(&params.path(), OpenOptions::default(), &scope).unwrap();
    prove_batch(&backend, &srs, &[cs.assignment()], None, ProveOptions::default(), &scope).unwrap();
    drop(srs);
    let report = scope.report(Status::Ok);
    (report, began.elapsed().as_micros() as u64)
}

#[test]
fn nothing_is_lost_where_nothing_happens() {
    let _alone = ALONE.lock().unwrap();
    let (report, stopwatch) = report_with("");
    assert!(report.unaccounted_us <= (report.wall_us / 100).max(2000), "{report}");
    assert!(stopwatch.abs_diff(report.wall_us) <= (stopwatch / 100).max(2000));
}

#[test]
fn time_in_an_allocation_is_the_allocations() {
    let _alone = ALONE.lock().unwrap();
    assert!(report_with("alloc").0.phase_us("alloc") >= 200_000);
}

#[test]
fn time_under_a_lock_is_the_locks() {
    let _alone = ALONE.lock().unwrap();
    assert!(report_with("lock").0.phase_us("lock.srs") >= 200_000);
}

/// Between operations of a lane nobody has a span: it is a gap of that lane, or unaccounted where no lane is busy.
#[test]
fn time_in_the_bridge_is_unaccounted_or_a_gap() {
    let _alone = ALONE.lock().unwrap();
    for point in ["bridge", "lane"] {
        let (report, _) = report_with(point);
        let gaps: u64 = report.lanes.iter().map(|lane| lane.gap_us).sum();
        // The caller's lane is in no span at "bridge"; B_G2 of this small circuit ends long before 200 ms are over.
        assert!(gaps.max(report.unaccounted_us) >= 150_000, "{point}: {report}");
        let path: u64 = report.critical_path.iter().filter(|s| s.phase == "unaccounted").map(|s| s.us).sum();
        assert!(path >= 100_000, "{point}: {report}");
    }
}

#[test]
fn a_panic_in_a_lane_is_an_error_with_its_text_and_the_next_proof_is_right() {
    let _alone = ALONE.lock().unwrap();
    let params = TestSrs::of(|| Chain::bits(300, 1).blank(), 5);
    let (cs, backend) = (synthesize(Chain::bits(300, 1)), backend(2));
    let prove = || prove_batch(&backend, &params.srs, &[cs.assignment()], None, ProveOptions::default(), &scope());
    fault::set("lane", Fault::Panic("by request 42".to_owned()));
    let error = prove().unwrap_err();
    assert_eq!(error.status(), Status::Panic);
    assert!(error.to_string().contains("by request 42"), "{error}");
    assert!(prove().is_ok());
}
