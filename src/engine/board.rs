//! What there is to do: jobs in their order, circuits that wait for a prover, and memory. Threads take steps from it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::circuits::{Assigned, Circuits};
use super::job::Task;
use super::memory::{Ledger, Purpose, Reservation};
use super::{Event, Failure, Outcome, Priority};
use crate::prover::Proof;
use crate::srs::Srs;
use crate::{Error, Status};

/// Jobs that are read ahead of the one whose circuits are made.
const READ_AHEAD: usize = 2;

/// A job that was read: its circuits and their parameters.
pub(super) struct Prepared {
    pub circuits: Arc<dyn Circuits>,
    pub srs: Srs,
    pub srs_was_resident: bool,
    /// Bytes of host memory that a circuit takes until it is proved.
    pub bytes: usize,
    /// That of the input.
    pub _memory: Option<Reservation>,
}

/// A circuit that waits for a prover.
pub(super) struct Ready {
    pub task: Arc<Task>,
    pub prepared: Arc<Prepared>,
    pub partition: usize,
    pub circuit: Box<dyn Assigned>,
    pub since: Instant,
    /// Given back once the circuit is gone.
    pub memory: Reservation,
}

/// What a thread is to do next.
pub(super) enum Step {
    /// Read the job.
    Prepare(Arc<Task>, Option<Reservation>),
    /// Make the circuit of a partition.
    Synthesise(Arc<Task>, Arc<Prepared>, usize, Reservation),
}

enum Stage {
    Waiting(Option<Reservation>),
    Preparing,
    /// With the partition that is next.
    Prepared(Arc<Prepared>, usize),
}

struct Entry {
    task: Arc<Task>,
    stage: Stage,
    /// When its next circuit could have been begun.
    since: Instant,
    proofs: BTreeMap<usize, Proof>,
}

/// How much may be under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Jobs that wait.
    pub queue: usize,
    /// Circuits that are made or wait for a prover, of jobs that are not urgent.
    pub ahead: usize,
    /// Circuits in one call of the prover, and how long it waits for more of them.
    pub batch: usize,
    pub batch_wait: Duration,
}

pub(super) struct State {
    entries: Vec<Entry>,
    ready: Vec<Ready>,
    pub ledger: Ledger,
    limits: Limits,
    /// Circuits that are made, by their parameters.
    making: BTreeMap<PathBuf, usize>,
    proving: usize,
    /// Nothing new is taken.
    pub closed: bool,
    /// Threads end.
    pub stopped: bool,
}

/// See the module's head.
pub(super) struct Board {
    state: Mutex<State>,
    pub changed: Condvar,
    /// Writes reports where they are wanted.
    pub publish: Box<dyn Fn(&mut crate::timing::Report) + Send + Sync>,
}

pub(super) fn is_urgent(priority: Priority) -> bool {
    priority >= Priority::High
}

impl State {
    fn position(&self, task: &Task) -> Option<usize> {
        self.entries.iter().position(|entry| entry.task.number == task.number)
    }

    /// Places of entries, the most urgent first, then the first come.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|i| (std::cmp::Reverse(self.entries[*i].task.priority), self.entries[*i].task.number));
        order
    }

    fn under_way(&self) -> usize {
        self.making.values().sum::<usize>() + self.ready.len()
    }

    fn reading(&self) -> usize {
        self.entries.iter().filter(|e| matches!(e.stage, Stage::Preparing | Stage::Prepared(_, 0))).count()
    }

    pub fn waiting(&self) -> usize {
        self.entries.iter().filter(|e| matches!(e.stage, Stage::Waiting(_))).count()
    }

    /// Whether anything is under way or waits.
    pub fn is_idle(&self) -> bool {
        self.entries.is_empty() && self.ready.is_empty() && self.making.is_empty() && self.proving == 0
    }

    fn next_step(&mut self, board: &Arc<Board>, urgent_alone: bool) -> Option<Step> {
        let mut no_memory = false;
        for i in self.order() {
            let urgent = is_urgent(self.entries[i].task.priority);
            if urgent_alone && !urgent {
                return None;
            }
            let (reading, under_way) = (self.reading(), self.under_way());
            let entry = &mut self.entries[i];
            let stage = match &mut entry.stage {
                Stage::Waiting(_) if urgent || reading < READ_AHEAD => std::mem::replace(&mut entry.stage, Stage::Preparing),
                Stage::Prepared(prepared, next) if *next < prepared.circuits.partitions() => {
                    // Who comes later does not take the memory that an earlier one waits for.
                    if no_memory || !(urgent || under_way < self.limits.ahead) || !self.ledger.has(prepared.bytes, urgent) {
                        no_memory = true;
                        continue;
                    }
                    let (prepared, partition) = (prepared.clone(), *next);
                    *next += 1;
                    self.ledger.take(Purpose::Circuit, prepared.bytes);
                    *self.making.entry(prepared.circuits.params().to_owned()).or_default() += 1;
                    let memory = Reservation { board: board.clone(), purpose: Purpose::Circuit, bytes: prepared.bytes };
                    let waited = std::mem::replace(&mut entry.since, Instant::now());
                    entry.task.scope.for_part(partition).waited("engine.queue", "queue", waited);
                    return Some(Step::Synthesise(entry.task.clone(), prepared, partition, memory));
                }
                _ => continue,
            };
            let Stage::Waiting(memory) = stage else { continue };
            entry.task.scope.waited("engine.queue", "queue", entry.task.submitted);
            return Some(Step::Prepare(entry.task.clone(), memory));
        }
        None
    }

    /// The most urgent circuit, and others that may be proved with it.
    fn next_ready(&mut self) -> Result<Vec<Ready>, Option<Instant>> {
        let rank = |r: &Ready| (std::cmp::Reverse(r.task.priority), r.task.number, r.partition);
        let Some(first) = (0..self.ready.len()).min_by_key(|i| rank(&self.ready[*i])) else { return Err(None) };
        let together = |a: &Ready, b: &Ready| {
            a.prepared.circuits.params() == b.prepared.circuits.params()
                && a.task.self_verify == b.task.self_verify
                && a.task.priority == b.task.priority
        };
        let mut chosen: Vec<usize> = (0..self.ready.len()).filter(|i| together(&self.ready[*i], &self.ready[first])).collect();
        chosen.sort_by_key(|i| rank(&self.ready[*i]));
        chosen.truncate(self.limits.batch);
        let more = self.making.get(self.ready[first].prepared.circuits.params()).copied().unwrap_or(0);
        let until = self.ready[first].since + self.limits.batch_wait;
        if chosen.len() < self.limits.batch && more > 0 && !is_urgent(self.ready[first].task.priority) && Instant::now() < until {
            return Err(Some(until));
        }
        chosen.sort_unstable_by(|a, b| b.cmp(a));
        let mut taken: Vec<Ready> = chosen.into_iter().map(|i| self.ready.swap_remove(i)).collect();
        taken.sort_by_key(rank);
        self.proving += taken.len();
        for r in &taken {
            r.task.scope.for_part(r.partition).waited("engine.queue", "queue", r.since);
        }
        Ok(taken)
    }

    /// Takes out all that belongs to a job. To be dropped without the lock.
    fn take_out(&mut self, task: &Task) -> (Option<Entry>, Vec<Ready>) {
        let entry = self.position(task).map(|i| self.entries.remove(i));
        let (gone, ready) = std::mem::take(&mut self.ready).into_iter().partition(|r| r.task.number == task.number);
        self.ready = ready;
        (entry, gone)
    }

    fn deadline(&self) -> Option<Instant> {
        self.entries.iter().filter_map(|entry| entry.task.cancel().deadline()).min()
    }

    /// Jobs as a list for people: the running ones and those that wait.
    pub fn jobs(&self) -> Vec<serde_json::Value> {
        let list = self.order().into_iter().map(|i| {
            let entry = &self.entries[i];
            let (stage, partitions, begun) = match &entry.stage {
                Stage::Waiting(_) => ("queued", None, 0),
                Stage::Preparing => ("reading", None, 0),
                Stage::Prepared(prepared, next) => ("proving", Some(prepared.circuits.partitions()), *next),
            };
            serde_json::json!({
                "id": entry.task.name, "kind": entry.task.kind, "priority": entry.task.priority, "stage": stage,
                "partitions": partitions, "partitions_begun": begun, "partitions_proven": entry.proofs.len(),
                "age_ms": entry.task.submitted.elapsed().as_millis() as u64,
            })
        });
        list.collect()
    }

    pub fn counts(&self) -> serde_json::Value {
        serde_json::json!({
            "waiting": self.waiting(), "synthesising": self.making.values().sum::<usize>(), "ready": self.ready.len(),
            "proving": self.proving, "most_waiting": self.limits.queue,
        })
    }
}

impl Board {
    pub fn new(limits: Limits, budget: usize, publish: Box<dyn Fn(&mut crate::timing::Report) + Send + Sync>) -> Board {
        let state = State {
            entries: Vec::new(),
            ready: Vec::new(),
            ledger: Ledger::new(budget),
            limits,
            making: BTreeMap::new(),
            proving: 0,
            closed: false,
            stopped: false,
        };
        Board { state: Mutex::new(state), changed: Condvar::new(), publish }
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        // Counters and lists change together under this lock; nothing in between can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, until: Option<Instant>) -> MutexGuard<'a, State> {
        match until {
            None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
                self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    /// Puts a job into the queue, with so many bytes of input.
    pub fn submit(self: &Arc<Board>, task: &Arc<Task>, bytes: usize) -> Result<(), Error> {
        let mut state = self.lock();
        if state.closed {
            return Err(Error::Closed);
        }
        let queued = state.waiting();
        if queued >= state.limits.queue || !state.ledger.has_for_input(bytes) {
            return Err(Error::QueueFull { queued });
        }
        state.ledger.take(Purpose::Input, bytes);
        let memory = Some(Reservation { board: self.clone(), purpose: Purpose::Input, bytes });
        state.entries.push(Entry { task: task.clone(), stage: Stage::Waiting(memory), since: Instant::now(), proofs: BTreeMap::new() });
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Waits for work of one sort; `None` when the engine stops.
    fn next<T>(self: &Arc<Board>, mut take: impl FnMut(&mut State) -> Result<T, Option<Instant>>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(late) = state.entries.iter().map(|e| &e.task).find(|task| task.cancel().is_over()).cloned() {
                drop(state);
                let over = late.cancel().check().err().unwrap_or(Error::Cancelled);
                self.fail(&late, over);
                state = self.lock();
                continue;
            }
            if state.stopped {
                return None;
            }
            match take(&mut state) {
                Ok(work) => return Some(work),
                Err(until) => {
                    let until = [until, state.deadline()].into_iter().flatten().min();
                    state = self.wait(state, until);
                }
            }
        }
    }

    /// The next step of preparing or synthesis; of urgent jobs alone for the thread that is kept for them.
    pub fn next_step(self: &Arc<Board>, urgent_alone: bool) -> Option<Step> {
        self.next(|state| state.next_step(self, urgent_alone).ok_or(None))
    }

    /// The next circuits to prove, in one call.
    pub fn next_ready(self: &Arc<Board>) -> Option<Vec<Ready>> {
        self.next(State::next_ready)
    }

    /// The job was read.
    pub fn prepared(&self, task: &Task, prepared: Arc<Prepared>) {
        let partitions = prepared.circuits.partitions();
        let mut state = self.lock();
        if let Some(i) = state.position(task) {
            state.entries[i].stage = Stage::Prepared(prepared, 0);
            state.entries[i].since = Instant::now();
        }
        drop(state);
        task.tell(Event::Parsed { partitions });
        self.changed.notify_all();
    }

    /// The circuit of a partition is there, or none will be.
    pub fn synthesised(&self, prepared: &Prepared, ready: Option<Ready>) {
        let mut state = self.lock();
        if let Some(making) = state.making.get_mut(prepared.circuits.params()) {
            *making -= 1;
            state.making.retain(|_, making| *making > 0);
        }
        let mut nobodys = None;
        if let Some(ready) = ready {
            match state.position(&ready.task) {
                Some(_) => {
                    let (partition, partitions) = (ready.partition, ready.prepared.circuits.partitions());
                    ready.task.tell(Event::Synthesised { partition, partitions });
                    state.ready.push(ready);
                }
                None => nobodys = Some(ready),
            }
        }
        drop(state);
        drop(nobodys);
        self.changed.notify_all();
    }

    /// A circuit was proved, or could not be.
    pub fn proved(&self, task: &Arc<Task>, prepared: &Prepared, partition: usize, proof: Result<Proof, Error>) {
        let partitions = prepared.circuits.partitions();
        let mut complete = None;
        let mut failed = None;
        {
            let mut state = self.lock();
            state.proving -= 1;
            match (proof, state.position(task)) {
                (Ok(proof), Some(i)) => {
                    state.entries[i].proofs.insert(partition, proof);
                    task.tell(Event::Proven { partition, partitions });
                    if task.self_verify {
                        task.tell(Event::Verified { partition, partitions });
                    }
                    if state.entries[i].proofs.len() == partitions {
                        complete = Some(state.entries.remove(i));
                    }
                }
                (Err(e), Some(_)) => failed = Some(e),
                (_, None) => {}
            }
        }
        self.changed.notify_all();
        if let Some(entry) = complete {
            let proof: Vec<u8> = entry.proofs.values().flat_map(Proof::to_bytes).collect();
            self.end(task, || Ok((proof, prepared.srs_was_resident, partitions)));
        }
        if let Some(e) = failed {
            self.fail(task, e);
        }
    }

    /// Ends a job without a proof, unless it has ended.
    pub fn fail(&self, task: &Arc<Task>, error: Error) {
        // So that what is under way for it stops as well.
        task.cancel().cancel();
        let gone = self.lock().take_out(task);
        self.end(task, || Err(error));
        drop(gone);
        self.changed.notify_all();
    }

    fn end(&self, task: &Task, result: impl FnOnce() -> Result<(Vec<u8>, bool, usize), Error>) {
        let mut to_publish = None;
        task.finish(|| {
            let result = result();
            let status = result.as_ref().map_or_else(Error::status, |_| Status::Ok);
            let mut report = task.scope.report(status);
            (self.publish)(&mut report);
            to_publish = Some(());
            match result {
                Ok((proof, srs_was_resident, partitions)) => Ok(Outcome { proof, report, srs_was_resident, partitions }),
                Err(error) => Err(Box::new(Failure { error, report })),
            }
        });
    }

    /// Refuses new jobs, and waits for those there are; tells whether they ended in time.
    pub fn close(&self, until: Option<Instant>) -> bool {
        let mut state = self.lock();
        state.closed = true;
        self.changed.notify_all();
        while !state.is_idle() {
            if until.is_some_and(|until| Instant::now() >= until) {
                return false;
            }
            state = self.wait(state, until);
        }
        true
    }

    /// Ends all jobs, and lets the threads end.
    pub fn stop(&self) {
        let tasks: Vec<Arc<Task>> = {
            let mut state = self.lock();
            (state.closed, state.stopped) = (true, true);
            state.entries.iter().map(|entry| entry.task.clone()).collect()
        };
        for task in tasks {
            self.fail(&task, Error::Cancelled);
        }
        self.changed.notify_all();
    }
}
