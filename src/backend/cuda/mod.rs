//! The CUDA backend: lanes of streams that compute beside one another, uploads beside them.
//!
//! - [`staging`]: everything that comes up goes through pinned buffers, filled by threads of ours;
//! - [`gate`]: one proof uploads at a time, a few are under way;
//! - [`witness`]: the assignment, classified and listed on the device;
//! - [`lane`]: streams with their threads; [`sums`]: what runs on them;
//! - [`placement`]: where B_G2 is computed;
//! - [`points`]: the SRS, resident; [`memory`]: all of it within a budget.
#![allow(unsafe_code)]

mod device;
mod gate;
mod lane;
mod marks;
mod memory;
mod packed;
mod placement;
mod plan;
mod points;
mod quotient;
mod raw;
mod staging;
mod streamed;
mod sums;
mod transfer;
mod witness;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use blstrs::{G1Projective, G2Projective};

use self::device::Device;
use self::gate::{Gate, Turn};
use self::lane::{Desk, Finish, Lane};
use self::memory::{Memory, Pool};
use self::placement::Placement;
use self::plan::{Plan, Shape};
use self::points::{DevicePoints, Residency, Section};
use self::quotient::{Coefficients, Companions, Domains, Evaluations};
use self::staging::Staging;
use self::streamed::{Source, Wanted};
use self::sums::{Kernels, Sum, Terms};
use self::witness::Witness;
use super::cpu::CpuBackend;
use super::worker::Pending;
use super::{Backend, Pending as _, Phase, Query};
use crate::circuit::Assignment;
use crate::config::BG2Choice;
use crate::srs::Srs;
use crate::timing::Scope;
use crate::{fault, Error};

/// Lane of the copies in reports.
const COPY_LANE: &str = "copy:0";

/// How the CUDA backend is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct CudaOptions {
    /// Most device memory to use, in bytes; `None`: what is free, less a tenth.
    pub memory: Option<usize>,
    /// Where B_G2 is computed.
    pub b_g2: BG2Choice,
    /// Streams of kernels, 1 to 4; `None`: 3.
    pub streams: Option<usize>,
    /// Record the phases inside operations.
    pub kernels: bool,
}

/// See the module's head.
pub struct CudaBackend {
    device: Device,
    pool: Arc<Pool>,
    staging: Arc<Staging>,
    gate: Arc<Gate>,
    residency: Residency,
    /// Lists are made here, before others' kernels that wait.
    prep: Lane,
    lanes: Vec<Lane>,
    domains: Arc<Domains>,
    placement: Arc<Placement>,
    cores: Arc<CpuBackend>,
}

/// Ones, where they start and end, and how many; and all other terms.
type Parts = ((*const u32, *const u32, usize), Terms);

/// What a lane is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Quotient and h.
    H,
    L,
    Ab,
    BG2,
}

impl CudaBackend {
    /// Opens the first visible device.
    ///
    /// # Errors
    /// `NoDevice` if there is none or no driver for it; `Device` for anything else.
    pub fn new(cores: Arc<CpuBackend>, options: CudaOptions) -> Result<CudaBackend, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let device = Device::open()?;
        let (free, total) = device.memory;
        let limit = options.memory.unwrap_or(free / 10 * 9).min(free);
        let pool = Pool::new(device, limit);
        let names = ["gpu:0", "gpu:0.tails", "gpu:0.b_g2", "gpu:0.l"];
        let streams = options.streams.unwrap_or(3).clamp(1, names.len());
        let lanes = names[..streams].iter().map(|name| Lane::start(name, device, pool.clone(), false, options.kernels));
        let backend = CudaBackend {
            staging: Arc::new(Staging::new(device, cores.threads())?),
            gate: Gate::new(),
            residency: Residency::new(NUMBER.fetch_add(1, Ordering::Relaxed)),
            prep: Lane::start("gpu:0.prep", device, pool.clone(), true, false)?,
            lanes: lanes.collect::<Result<_, _>>()?,
            domains: Arc::default(),
            placement: Arc::new(Placement::new(options.b_g2)),
            device,
            pool,
            cores,
        };
        log::info!(target: "c2prover::device", "{} memory={total} free={free} budget={limit} streams={streams}", backend.device.describe());
        Ok(backend)
    }

    /// The most that [`CudaBackend::memory_in_use`] was at any time.
    pub fn peak_memory(&self) -> usize {
        self.pool.peak()
    }

    /// Device memory that proofs, points and workspaces take now, in bytes.
    pub fn memory_in_use(&self) -> usize {
        self.pool.limit() - self.pool.available()
    }

    /// Device memory that they may take, in bytes.
    pub fn memory_budget(&self) -> usize {
        self.pool.limit()
    }

    fn lane(&self, work: Work, points: &DevicePoints) -> &Lane {
        if points.plan.streams() {
            // Chunks share the link and two buffers.
            return &self.lanes[0];
        }
        let wanted = match work {
            Work::H => 0,
            Work::Ab => 1,
            Work::BG2 => 2,
            Work::L => 3,
        };
        // With fewer streams, what is not h shares the last of them; l goes with a and b.
        let last = self.lanes.len() - 1;
        &self.lanes[if wanted <= last { wanted } else { last.min(1) }]
    }

    /// The points of an SRS on the device; also tells whether they were there.
    fn points(&self, srs: &Srs, subgroup_check: bool, scope: &Scope) -> Result<(Arc<DevicePoints>, bool), Error> {
        self.residency.touch(srs);
        // Others' points go where this circuit could not be proved beside them, the longest unused ones first.
        let make_room = |plan: &Plan| while self.residency.others(srs) + plan.needs > self.pool.limit() && self.residency.evict_one(srs) {};
        let load = || {
            let plan = Plan::new(self.pool.limit(), &Shape::of(srs), self.lanes.len())?;
            log::info!(target: "c2prover::plan", "{}: {plan}", srs.path().display());
            make_room(&plan);
            loop {
                match points::load(&self.staging, &self.pool, srs, plan.clone(), subgroup_check) {
                    Err(Error::DeviceOutOfMemory { .. }) if self.clear_lanes()? || self.residency.evict_one(srs) => {}
                    result => return result,
                }
            }
        };
        let (points, were_there) = srs.resident(self.residency.holder(), subgroup_check, scope, load)?;
        make_room(&points.plan);
        Ok((points, were_there))
    }

    /// Gives back the workspaces, once what uses them has ended; returns whether that made room.
    fn clear_lanes(&self) -> Result<bool, Error> {
        let before = self.pool.available();
        let clear =
            |lane: &Lane| -> Pending<()> { lane.enqueue((), |desk, ()| desk.clear().map(|()| Box::new(|_: &mut Desk| Ok(())) as _)) };
        self.lanes.iter().map(clear).try_for_each(|cleared| cleared.wait())?;
        Ok(self.pool.available() > before)
    }

    /// Device memory for a proof that uploads. Where there is none left, the proofs before this one are waited for, which give
    /// back their memory piece by piece; then the workspaces go, and last the points of other circuits.
    fn allocate(&self, what: &'static str, bytes: usize, srs: &Srs, turn: &Turn) -> Result<Memory, Error> {
        fault::point("alloc");
        loop {
            let (returns, alone) = (self.pool.returns(), self.gate.alone(turn));
            match self.pool.allocate(what, bytes) {
                Err(Error::DeviceOutOfMemory { .. }) if !alone => self.pool.wait_for_return(returns),
                Err(Error::DeviceOutOfMemory { .. }) if self.clear_lanes()? || self.residency.evict_one(srs) => {}
                result => return result,
            }
        }
    }

    /// The sum of a query, from resident points or from passing ones.
    fn sum_on<G: Kernels>(
        &self,
        scope: &Scope,
        (work, phases): (Work, [Phase; 2]),
        (section, parts): (fn(&DevicePoints) -> &Section, impl FnOnce(&Witness) -> (Parts, usize) + Send + 'static),
        witness: &Arc<Witness>,
    ) -> Pending<G> {
        let cap = witness.points.plan.caps[if work == Work::BG2 { 2 } else { 1 }];
        let (scope, staging) = (scope.clone(), self.staging.clone());
        self.lane(work, &witness.points).enqueue(witness.clone(), move |desk, witness| {
            let (((places, starts, n), terms), inputs) = parts(witness);
            let Some(table) = section(&witness.points).table() else {
                let wanted = Wanted { ones: (places, n), terms, inputs };
                return stream(desk, &staging, scope, phases[1], (witness.clone(), section), wanted, cap);
            };
            let (mut ones, mut tail) = (Sum::Nothing, Sum::Nothing);
            // SAFETY: the lane keeps the witness, and with it points and lists, until the work has ended.
            let of_ones = desk.stretch(|desk| unsafe { sums::ones::<G>(desk, table, places, starts, n) }.map(|sum| ones = sum))?;
            // SAFETY: as before.
            let of_tail = desk.stretch(|desk| unsafe { sums::msm::<G>(desk, table, terms, cap) }.map(|sum| tail = sum))?;
            Ok(Box::new(move |desk| {
                if n > 0 {
                    desk.record(&scope, phases[0].on_gpu(), &of_ones, vec![("ones", n as u64)]);
                }
                desk.record(&scope, phases[1].on_gpu(), &of_tail, vec![("scalars", terms.n as u64)]);
                let _fold = scope.work(FOLD_LANE, "gpu.fold");
                Ok(ones.finish(desk) + tail.finish(desk))
            }))
        })
    }
}

/// Enqueues a sum over points that come up as it goes.
fn stream<G: Kernels>(
    desk: &mut Desk,
    staging: &Staging,
    scope: Scope,
    phase: Phase,
    (keep, section): (Arc<Witness>, fn(&DevicePoints) -> &Section),
    wanted: Wanted,
    cap: usize,
) -> Result<Finish<G>, Error> {
    let extent = section(&keep.points).extent;
    let source = Source { staging, srs: &keep.srs, extent: &extent, chunk: keep.points.plan.chunk, cap };
    // SAFETY: the lane keeps the witness, and with it the lists, until the work has ended.
    let sum = unsafe { streamed::sum::<G>(desk, &source, wanted) }?;
    let srs = keep.srs.clone();
    Ok(Box::new(move |desk| {
        sum.record(desk, &scope, phase);
        let _fold = scope.work(FOLD_LANE, "gpu.fold");
        sum.finish(desk, &srs, &extent)
    }))
}

/// Lane in reports of what the host adds to the device's sums.
const FOLD_LANE: &str = "host";

impl Backend for CudaBackend {
    type Pending<T: Send + 'static> = Pending<T>;
    type Evaluations = Evaluations;
    type Values = Coefficients;
    type Witness = Arc<Witness>;

    fn name(&self) -> &'static str {
        "cuda"
    }

    fn describe(&self) -> String {
        self.device.describe()
    }

    fn depth(&self) -> usize {
        2
    }

    fn load(&self, srs: &Srs, subgroup_check: bool, scope: &Scope) -> Result<bool, Error> {
        self.points(srs, subgroup_check, scope).map(|(_, was_resident)| was_resident)
    }

    fn upload_witness(&self, scope: &Scope, x: &Assignment, srs: &Srs) -> Result<Arc<Witness>, Error> {
        witness::upload(self, scope, x, srs).map(Arc::new)
    }

    fn upload_evaluations(&self, scope: &Scope, x: &Assignment, witness: Arc<Witness>) -> Result<Pending<Evaluations>, Error> {
        scope.cancel().check()?;
        let turn = witness.turn.lock().unwrap_or_else(PoisonError::into_inner).take();
        let turn = turn.ok_or_else(|| Error::Internal("evaluations of a proof that has uploaded its own".to_owned()))?;
        let with = Companions { srs: witness.srs.clone(), points: witness.points.clone(), ticket: witness.ticket.clone() };
        // Where memory is short, the sums that use the assignment end first.
        drop(witness);
        Evaluations::upload(self, scope, x, &turn, with).map(Pending::Ready)
    }

    fn quotient(&self, scope: &Scope, evaluations: Pending<Evaluations>) -> Pending<Coefficients> {
        match evaluations.wait() {
            Ok(evaluations) => Pending::Ready(evaluations.divide(self, scope)),
            Err(e) => Pending::Failed(e),
        }
    }

    fn msm_h(&self, scope: &Scope, h: Pending<Coefficients>, _: &Srs) -> Pending<G1Projective> {
        let Coefficients { values, n, failed, with } = match h.wait() {
            Ok(coefficients) => coefficients,
            Err(e) => return Pending::Failed(e),
        };
        let (scope, placement, staging) = (scope.clone(), self.placement.clone(), self.staging.clone());
        let lane = self.lane(Work::H, &with.points);
        lane.enqueue((values, with.clone()), move |desk, (values, with)| {
            if let Some(e) = failed.get() {
                return Err(e.clone());
            }
            let (section, cap) = (&with.points.h, with.points.plan.caps[0]);
            let terms = Terms { scalars: values.ptr(), places: std::ptr::null(), n };
            let Some(table) = section.table() else {
                let extent = section.extent;
                let source = Source { staging: &staging, srs: &with.srs, extent: &extent, chunk: with.points.plan.chunk, cap };
                // SAFETY: the lane keeps the scalars until the work has ended.
                let sum = unsafe { streamed::sum(desk, &source, Wanted { ones: (std::ptr::null(), 0), terms, inputs: 0 }) }?;
                let srs = with.srs.clone();
                return Ok(Box::new(move |desk: &mut Desk| {
                    sum.record(desk, &scope, Phase::MsmH);
                    let _fold = scope.work(FOLD_LANE, "gpu.fold");
                    sum.finish(desk, &srs, &extent)
                }) as Finish<G1Projective>);
            };
            let mut sum = Sum::Nothing;
            // SAFETY: the lane keeps points and scalars until the work has ended.
            let stretch = desk.stretch(|desk| unsafe { sums::msm(desk, table, terms, cap) }.map(|s| sum = s))?;
            Ok(Box::new(move |desk| {
                desk.record(&scope, Phase::MsmH.on_gpu(), &stretch, vec![("scalars", n as u64)]);
                if let Some(predicted) = sum.predicted_ms() {
                    placement.measured_gpu(predicted, stretch.duration());
                }
                let _fold = scope.work(FOLD_LANE, "gpu.fold");
                Ok(sum.finish(desk))
            }))
        })
    }

    fn sum(&self, scope: &Scope, query: Query, witness: &Arc<Witness>, _: &Srs) -> Pending<G1Projective> {
        let (work, section): (_, fn(&DevicePoints) -> &Section) = match query {
            Query::L => (Work::L, |p| &p.l),
            Query::A => (Work::Ab, |p| &p.a),
            Query::BG1 => (Work::Ab, |p| &p.b_g1),
        };
        let phases = [Phase::SumOnes(query), Phase::MsmTail(query)];
        self.sum_on(scope, (work, phases), (section, move |w: &Witness| ((w.ones(query), w.terms(query)), w.inputs(query))), witness)
    }

    fn sum_b_g2(&self, scope: &Scope, witness: &Arc<Witness>, _: &Srs) -> Pending<G2Projective> {
        let phases = [Phase::SumOnesG2, Phase::MsmTailG2];
        let on_cpu = witness.on_cpu.lock().unwrap_or_else(PoisonError::into_inner).take();
        let parts = |w: &Witness| ((w.b_g2_ones(), w.b_g2_terms()), w.b_g2_inputs());
        let on_gpu = || self.sum_on(scope, (Work::BG2, phases), (|p| &p.b_g2, parts), witness);
        match on_cpu {
            None => on_gpu(),
            Some(on_cpu) if witness.b_g2 == [0, 0] => on_cpu,
            Some(on_cpu) => Pending::Both(Box::new((on_gpu(), on_cpu)), |a, b| a + b),
        }
    }

    fn on_cores<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.cores.on_cores(work)
    }
}
