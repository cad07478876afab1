//! The engine's threads: some read jobs and make circuits, others hand circuits to the prover. While one circuit is proved, the
//! next ones are made, of the same job or of others.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{self, Sender};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use super::board::{Board, Prepared, Ready, Step};
use super::circuits::{Assigned, Circuits, OfRequest};
use super::job::{Input, Task};
use super::memory::Reservation;
use super::params::Params;
use super::{bad_input, Request};
use crate::backend::Backend;
use crate::processors::Processors;
use crate::prover::{Blinding, Part, Proof, ProveOptions};
use crate::timing::{interned, Scope, CALLER};
use crate::{fault, Error};

/// What the threads share.
pub(super) struct Core {
    pub processors: Arc<Processors>,
    pub params: Params,
    pub board: Arc<Board>,
}

/// The threads; they end when the board stops and this is dropped.
pub(super) struct Threads {
    board: Arc<Board>,
    handles: Vec<JoinHandle<()>>,
}

/// What is given back away from the threads that prove: memory of gigabytes takes the system its time.
type Waste = Box<dyn Send>;

impl Threads {
    /// Starts `makers` threads that make circuits, one more for urgent jobs alone, and those that prove.
    pub fn start(core: &Arc<Core>, makers: usize) -> Result<Threads, Error> {
        let mut threads = Threads { board: core.board.clone(), handles: Vec::new() };
        let (waste, heap) = mpsc::channel::<Waste>();
        threads.spawn("c2p-free", move || heap.into_iter().for_each(drop))?;
        for i in 0..=makers {
            let core = core.clone();
            let lane = interned(&format!("engine.maker:{i}"));
            threads.spawn(&format!("c2p-maker-{i}"), move || make(&core, lane, i == makers))?;
        }
        for i in 0..core.processors.depth() {
            let (core, waste) = (core.clone(), waste.clone());
            let lane = interned(&format!("engine.prover:{i}"));
            threads.spawn(&format!("c2p-prover-{i}"), move || prove(&core, lane, &waste))?;
        }
        Ok(threads)
    }

    fn spawn(&mut self, name: &str, run: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(run);
        self.handles.push(thread.map_err(|e| Error::Internal(format!("cannot start a thread: {e}")))?);
        Ok(())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.board.stop();
        for thread in self.handles.drain(..) {
            let _ = thread.join();
        }
    }
}

fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(Error::from_panic(payload)))
}

fn make(core: &Core, lane: &'static str, urgent_alone: bool) {
    while let Some(step) = core.board.next_step(urgent_alone) {
        match step {
            Step::Prepare(task, memory) => {
                let scope = task.scope.on_lane(lane);
                match caught(|| prepare(core, &task, memory, &scope)) {
                    Ok(prepared) => core.board.prepared(&task, Arc::new(prepared)),
                    Err(e) => core.board.fail(&task, e),
                }
            }
            Step::Synthesise(task, prepared, partition, memory) => {
                let scope = task.scope.on_lane(lane).for_part(partition);
                let circuit = caught(|| synthesise(core, &prepared, partition, &scope));
                match circuit {
                    Ok(circuit) => {
                        let (of, since) = (prepared.clone(), Instant::now());
                        core.board.synthesised(&of, Some(Ready { task, prepared, partition, circuit, since, memory }));
                    }
                    Err(e) => {
                        core.board.fail(&task, e);
                        drop(memory);
                        core.board.synthesised(&prepared, None);
                    }
                }
            }
        }
    }
}

fn prepare(core: &Core, task: &Task, memory: Option<Reservation>, scope: &Scope) -> Result<Prepared, Error> {
    let circuits = match task.take_input().ok_or(Error::Cancelled)? {
        Input::Circuits(circuits) => circuits,
        Input::Request(request) => read(core, &request, scope)?,
    };
    if task.blinding.as_ref().is_some_and(|given| given.len() != circuits.partitions()) {
        return Err(Error::InvalidArgument(format!("blinding for another number of partitions than {}", circuits.partitions())));
    }
    scope.cancel().check()?;
    let srs = core.params.open(circuits.params(), scope.cancel())?;
    let bytes = circuits.bytes(&srs) + core.processors.host_bytes_to_prove(&srs);
    let (need, budget) = (bytes + core.processors.host_bytes_of(&srs), core.board.lock().ledger.budget);
    if need > budget {
        return Err(Error::HostBudget { what: "a circuit with its parameters and proof", need, budget });
    }
    let srs_was_resident = core.params.load(circuits.params(), &srs, &core.processors, bytes, scope)?;
    Ok(Prepared { circuits, srs, srs_was_resident, bytes, _memory: memory })
}

/// Reads and checks a request.
fn read(core: &Core, request: &Request, scope: &Scope) -> Result<Arc<dyn Circuits>, Error> {
    let job = {
        let _span = scope.work(CALLER, "parse").attr("bytes", request.bytes());
        request.job()?
    };
    let _span = scope.work(CALLER, "input.verify");
    core.processors.cores().on_cores(|| job.verify_vanilla()).map_err(bad_input)?;
    Ok(Arc::new(OfRequest::new(job, core.params.folder())))
}

fn synthesise(core: &Core, prepared: &Prepared, partition: usize, scope: &Scope) -> Result<Box<dyn Assigned>, Error> {
    let _span = scope.work(CALLER, "synthesis");
    fault::point("synthesis");
    prepared.circuits.make(partition, &prepared.srs, &core.processors, scope.cancel())
}

fn prove(core: &Core, lane: &'static str, waste: &Sender<Waste>) {
    while let Some(circuits) = core.board.next_ready() {
        let proofs = match caught(|| prove_together(core, lane, &circuits)) {
            Ok(proofs) => proofs.into_iter().map(Ok).collect(),
            Err(e) if circuits.len() == 1 => vec![Err(e)],
            // So that one circuit's fault is not the others'.
            Err(_) => circuits.iter().map(|one| caught(|| prove_together(core, lane, std::slice::from_ref(one))).and_then(first)).collect(),
        };
        for (ready, proof) in circuits.into_iter().zip(proofs) {
            let Ready { task, prepared, partition, circuit, memory, .. } = ready;
            core.board.proved(&task, &prepared, partition, proof);
            // The circuit first, then its place in the budget.
            let _ = waste.send(Box::new((circuit, memory, prepared)));
        }
    }
}

fn first(proofs: Vec<Proof>) -> Result<Proof, Error> {
    proofs.into_iter().next().ok_or_else(|| Error::Internal("a proof of one circuit".to_owned()))
}

fn prove_together(core: &Core, lane: &'static str, circuits: &[Ready]) -> Result<Vec<Proof>, Error> {
    fn part<'a>(ready: &'a Ready, lane: &'static str) -> Result<Part<'a>, Error> {
        let blinding = match &ready.task.blinding {
            Some(given) => Blinding::given(given[ready.partition][0], given[ready.partition][1]),
            None => Blinding::fresh()?,
        };
        Ok(Part { x: ready.circuit.assignment(), blinding, scope: ready.task.scope.on_lane(lane).for_part(ready.partition) })
    }
    let parts = circuits.iter().map(|ready| part(ready, lane)).collect::<Result<Vec<_>, Error>>()?;
    let one = &circuits[0];
    log::debug!(target: "c2prover::engine", "proving circuits={} first={} part={}", circuits.len(), one.task.name, one.partition);
    core.processors.prove_each(&one.prepared.srs, parts, ProveOptions { self_verify: one.task.self_verify, check_satisfied: false })
}
