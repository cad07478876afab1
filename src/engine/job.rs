//! A job: one request on its way to a proof, as its owner sees it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use blstrs::Scalar;
use serde::Serialize;

use super::board::Board;
use super::circuits::Circuits;
use super::{Failure, Outcome, Request};
use crate::timing::Scope;
use crate::{Cancel, Error};

/// What goes first. A job of a higher priority is taken before all others that wait, between partitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Priority {
    Low = 1,
    #[default]
    Normal = 2,
    /// WindowPoSt: late is a fault.
    High = 3,
    /// WinningPoSt: thirty seconds.
    Critical = 4,
}

impl Priority {
    /// By its number, 1 to 4.
    pub fn from_number(number: i32) -> Option<Priority> {
        [Priority::Low, Priority::Normal, Priority::High, Priority::Critical].into_iter().find(|p| *p as i32 == number)
    }
}

/// How a job is to be done.
#[derive(Clone, Debug, Default)]
pub struct JobOptions {
    /// Name for logs and the report; `None`: one is made up.
    pub id: Option<String>,
    /// What goes first.
    pub priority: Priority,
    /// The job ends, with `TimedOut`, when so much time has passed since it was submitted.
    pub timeout: Option<Duration>,
    /// Verify the proof before it is returned; `None`: as the engine does.
    pub self_verify: Option<bool>,
    /// r and s of each partition; `None`: fresh ones, as it must be outside tests: r or s that can be guessed give the witness away.
    pub blinding: Option<Vec<[Scalar; 2]>>,
}

/// What happened to a job. Partitions count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Event {
    /// It waits.
    Queued,
    /// Its input was read and is right; it has so many partitions.
    Parsed { partitions: usize },
    /// The circuit of a partition is there.
    Synthesised { partition: usize, partitions: usize },
    /// So is its proof.
    Proven { partition: usize, partitions: usize },
    /// And the proof holds.
    Verified { partition: usize, partitions: usize },
    /// The last one: the job is done, has failed or was cancelled, with this status.
    Done { status: i32 },
}

/// What a job begins with.
pub(super) enum Input {
    Request(Request<'static>),
    Circuits(Arc<dyn Circuits>),
}

impl Input {
    pub fn kind(&self) -> &'static str {
        match self {
            Input::Request(request) => request.kind(),
            Input::Circuits(circuits) => circuits.kind(),
        }
    }
}

/// A job as the engine's threads see it.
pub(super) struct Task {
    /// The order of submission.
    pub number: u64,
    pub name: String,
    pub priority: Priority,
    pub kind: &'static str,
    pub scope: Scope,
    pub self_verify: bool,
    pub blinding: Option<Vec<[Scalar; 2]>>,
    pub submitted: Instant,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    input: Option<Input>,
    events: VecDeque<Event>,
    result: Option<Result<Outcome, Box<Failure>>>,
}

impl Task {
    pub fn new(number: u64, input: Input, options: JobOptions, name: String, scope: Scope, self_verify: bool) -> Task {
        Task {
            number,
            name,
            priority: options.priority,
            kind: input.kind(),
            scope,
            self_verify,
            blinding: options.blinding,
            submitted: Instant::now(),
            state: Mutex::new(State { input: Some(input), events: VecDeque::from([Event::Queued]), result: None }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done under this lock, so a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn cancel(&self) -> &Cancel {
        self.scope.cancel()
    }

    /// The input, once.
    pub fn take_input(&self) -> Option<Input> {
        self.state().input.take()
    }

    pub fn is_done(&self) -> bool {
        self.state().result.is_some()
    }

    pub fn tell(&self, event: Event) {
        let mut state = self.state();
        if state.result.is_none() {
            state.events.push_back(event);
            self.changed.notify_all();
        }
    }

    /// Ends the job, unless it has ended; tells whether this was the end.
    pub fn finish(&self, result: impl FnOnce() -> Result<Outcome, Box<Failure>>) -> bool {
        let mut state = self.state();
        if state.result.is_some() {
            return false;
        }
        let result = result();
        let status = result.as_ref().map_or_else(|failure| failure.error.status(), |_| crate::Status::Ok);
        state.events.push_back(Event::Done { status: status.code() });
        state.result = Some(result);
        // What it held is nobody's any more; dropped without the lock.
        let input = state.input.take();
        drop(state);
        drop(input);
        self.changed.notify_all();
        true
    }

    /// Waits until `ready` gives something, the time is up, or the job's own time is.
    fn wait<T>(&self, until: Option<Instant>, mut ready: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.state();
        loop {
            if let Some(value) = ready(&mut state) {
                return Some(value);
            }
            let over = state.result.is_none() && self.cancel().is_over();
            let deadline = self.cancel().deadline().filter(|_| state.result.is_none());
            let until = [until, deadline].into_iter().flatten().min();
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if over || left.is_some_and(|left| left.is_zero()) {
                return None;
            }
            state = match left {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(left) => self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }
}

/// A job that was submitted. Dropping it cancels it, if it is not done.
pub struct Job {
    pub(super) task: Arc<Task>,
    pub(super) board: Arc<Board>,
}

impl Job {
    /// Its name in logs and in the report.
    pub fn id(&self) -> &str {
        &self.task.name
    }

    /// Waits for the end: the proof, or why there is none; `None` if it has not come in time. May be called again, by any number of
    /// threads: each gets the result.
    pub fn wait(&self, timeout: Option<Duration>) -> Option<Result<Outcome, Box<Failure>>> {
        self.patiently(timeout, |state| state.result.clone())
    }

    /// The next event, or `None` if none will come any more. Each is given once.
    ///
    /// # Errors
    /// `Pending` if none came in time.
    pub fn next_event(&self, timeout: Option<Duration>) -> Result<Option<Event>, Error> {
        let next = self.patiently(timeout, |state| match state.events.pop_front() {
            None if state.result.is_some() => Some(None),
            event => event.map(Some),
        });
        next.ok_or(Error::Pending)
    }

    fn patiently<T>(&self, timeout: Option<Duration>, mut ready: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        // A time so long that the clock has no word for it is none.
        let until = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        loop {
            let value = self.task.wait(until, &mut ready);
            if value.is_some() || until.is_some_and(|until| Instant::now() >= until) {
                return value;
            }
            // The job's own time is up: whoever sees that first ends it.
            if let Err(e) = self.task.cancel().check() {
                self.board.fail(&self.task, e);
            }
        }
    }

    /// Ends the job, if it is not done, with `Cancelled`. What is under way for it stops at its next step.
    pub fn cancel(&self) {
        self.task.cancel().cancel();
        self.board.fail(&self.task, Error::Cancelled);
    }

    /// Whether it is done, has failed or was cancelled.
    pub fn is_done(&self) -> bool {
        self.task.is_done()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.task.is_done() {
            self.cancel();
        }
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("id", &self.id()).field("done", &self.is_done()).finish()
    }
}
