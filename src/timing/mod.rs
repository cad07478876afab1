//! One clock and one span record for everything a proof does.
//!
//! A *span* is a stretch of time on a *lane* (a thread of work: the caller, a stream of the backend) with the name
//! of its phase. All spans are leaves: none contains another on its lane. A span's kind says whose time it is:
//!
//! - `Work`: the lane computes;
//! - `Wait`: the lane waits for something outside it, and the phase names it (a lock, another caller's load);
//! - `Join`: the lane waits for other lanes of the same job. Such time has an owner only if one of them has a
//!   span there, so joins never count as accounted for.
//!
//! From the spans [`Report`] computes what belongs to nobody, how far the lanes overlapped, and the critical path.

mod log;
mod report;
mod table;
mod trace;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::Cancel;

pub use self::log::{emit, Level};
pub use self::report::{LaneTotals, PathStep, PhaseTotals, Report};
pub use self::trace::{append_trace, write_trace};

/// Whose time a span is; see the module's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Kind {
    Work,
    Wait,
    Join,
}

/// A name made at run time, such as that of one lane of several. Names are few, and kept.
#[cfg_attr(not(any(feature = "cuda", feature = "filecoin")), allow(dead_code))]
pub(crate) fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    match names.get(name) {
        Some(known) => known,
        None => {
            let leaked: &'static str = name.to_owned().leak();
            names.insert(leaked);
            leaked
        }
    }
}

/// A finished stretch of time, in nanoseconds since its job began.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Span {
    pub lane: &'static str,
    pub phase: &'static str,
    pub kind: Kind,
    /// The circuit of the batch, where the span belongs to one.
    pub part: Option<usize>,
    pub start: u64,
    pub end: u64,
    /// Counts such as `points` or `bytes`.
    pub attrs: Vec<(&'static str, u64)>,
}

/// Lane of the thread that called the library.
pub const CALLER: &str = "caller";
/// Lanes of an engine's threads begin with this: they serve the processors, and are none.
pub const ENGINE: &str = "engine.";

/// Collects the spans of one job; shared by its lanes.
#[derive(Debug)]
pub struct Recorder {
    job: String,
    kind: &'static str,
    began: Instant,
    began_unix_us: u64,
    cancel: Cancel,
    spans: Mutex<Vec<Span>>,
}

/// When a call began. Take it first thing in the call, so that the caller's stopwatch and this clock agree.
#[derive(Clone, Copy, Debug)]
pub struct Began {
    at: Instant,
    unix_us: u64,
}

impl Began {
    /// Now.
    pub fn now() -> Began {
        let unix_us = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64);
        Began { at: Instant::now(), unix_us }
    }
}

impl Recorder {
    /// Starts the clock of a job.
    pub fn start(job: impl Into<String>, kind: &'static str) -> Scope {
        Recorder::since(Began::now(), job, kind)
    }

    /// The clock of a job that began before its name was known.
    pub fn since(began: Began, job: impl Into<String>, kind: &'static str) -> Scope {
        Recorder::cancellable(began, job, kind, Cancel::default())
    }

    /// As [`Recorder::since`], of a job that may end before it is done.
    pub fn cancellable(began: Began, job: impl Into<String>, kind: &'static str, cancel: Cancel) -> Scope {
        let spans = Mutex::new(Vec::with_capacity(64));
        let recorder = Recorder { job: job.into(), kind, began: began.at, began_unix_us: began.unix_us, cancel, spans };
        Scope { recorder: Arc::new(recorder), part: None, caller: CALLER }
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }

    fn spans(&self) -> MutexGuard<'_, Vec<Span>> {
        // A panic elsewhere leaves the list whole: pushing is its only change.
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A recorder, and the circuit that spans made through it belong to. What works on a job has one, and so it is also asked whether
/// the job is still wanted.
#[derive(Clone, Debug)]
pub struct Scope {
    recorder: Arc<Recorder>,
    part: Option<usize>,
    /// The lane of the thread that calls the prover.
    caller: &'static str,
}

impl Scope {
    /// The same recorder, for circuit `part` of the batch.
    pub fn for_part(&self, part: usize) -> Scope {
        Scope { part: Some(part), ..self.clone() }
    }

    /// The same recorder, used by a thread whose lane is not [`CALLER`]: where that is said, this lane is meant.
    pub fn on_lane(&self, caller: &'static str) -> Scope {
        Scope { caller, ..self.clone() }
    }

    /// Whether the job is still wanted.
    pub fn cancel(&self) -> &Cancel {
        &self.recorder.cancel
    }

    /// The circuit this scope belongs to; 0 outside any.
    pub fn part(&self) -> usize {
        self.part.unwrap_or(0)
    }

    /// Begins a span of work; it ends when the guard is dropped.
    pub fn work(&self, lane: &'static str, phase: &'static str) -> Guard<'_> {
        self.begin(lane, phase, Kind::Work)
    }

    /// Begins a wait for something outside the job.
    pub fn wait(&self, lane: &'static str, phase: &'static str) -> Guard<'_> {
        self.begin(lane, phase, Kind::Wait)
    }

    /// Begins a wait for other lanes of this job.
    pub fn join(&self, lane: &'static str, phase: &'static str) -> Guard<'_> {
        self.begin(lane, phase, Kind::Join)
    }

    /// Records a wait that began earlier and ends now.
    pub fn waited(&self, lane: &'static str, phase: &'static str, since: Instant) {
        let start = since.saturating_duration_since(self.recorder.began).as_nanos() as u64;
        let span = Span { lane, phase, kind: Kind::Wait, part: self.part, start, end: self.recorder.now().max(start), attrs: vec![] };
        self.recorder.spans().push(span);
    }

    /// Records work whose times another clock gave, such as that of a GPU's events.
    #[cfg_attr(not(feature = "cuda"), allow(dead_code))]
    pub(crate) fn record(&self, lane: &'static str, phase: &'static str, start: Instant, end: Instant, attrs: Vec<(&'static str, u64)>) {
        let since = |at: Instant| at.saturating_duration_since(self.recorder.began).as_nanos() as u64;
        let (start, end) = (since(start), since(end));
        let span = Span { lane, phase, kind: Kind::Work, part: self.part, start, end: end.max(start), attrs };
        self.recorder.spans().push(span);
    }

    /// Stops the clock and computes the report; `status` is the outcome of the job.
    pub fn report(&self, status: crate::Status) -> Report {
        let wall = self.recorder.now();
        Report::new(&self.recorder.job, self.recorder.kind, status, self.recorder.began_unix_us, wall, self.recorder.spans().clone())
    }

    fn begin(&self, lane: &'static str, phase: &'static str, kind: Kind) -> Guard<'_> {
        let lane = if lane == CALLER { self.caller } else { lane };
        Guard { scope: self, lane, phase, kind, start: self.recorder.now(), attrs: Vec::new() }
    }
}

/// A span under way.
#[must_use = "a span lasts as long as its guard"]
#[derive(Debug)]
pub struct Guard<'a> {
    scope: &'a Scope,
    lane: &'static str,
    phase: &'static str,
    kind: Kind,
    start: u64,
    attrs: Vec<(&'static str, u64)>,
}

impl Guard<'_> {
    /// Adds a count to the span.
    pub fn attr(mut self, name: &'static str, value: usize) -> Self {
        self.attrs.push((name, value as u64));
        self
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let span = Span {
            lane: self.lane,
            phase: self.phase,
            kind: self.kind,
            part: self.scope.part,
            start: self.start,
            end: self.scope.recorder.now(),
            attrs: std::mem::take(&mut self.attrs),
        };
        self.scope.recorder.spans().push(span);
    }
}
