//! The CUDA backend, serial and plain: one thread, one stream, every operation waited for, no split of the assignment.
//! It is right at any size that fits the device; overlap, residency within budgets and the split come on top.
#![allow(unsafe_code)]

mod device;
mod msm;
mod raw;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use blstrs::{G1Projective, G2Projective, Scalar};
use group::Group;

use self::device::{check, Device, Memory};
use self::msm::{msm, Kernels};
use super::cpu::CpuBackend;
use super::worker::{Pending, Worker};
use super::{log2, Backend, Op, Pending as _, Query};
use crate::circuit::Assignment;
use crate::error::try_vec;
use crate::srs::Srs;
use crate::timing::CALLER;
use crate::Error;

/// Lane of the device in reports.
const LANE: &str = "gpu:0";

/// The points of one circuit on the device.
struct DevicePoints {
    h: Memory,
    l: Memory,
    a: Memory,
    b_g1: Memory,
    b_g2: Memory,
}

/// What belongs to the backend's thread.
struct State {
    device: Device,
    /// Transform tables by log of the size.
    domains: HashMap<u32, (Memory, raw::NttDomain)>,
    /// Points that were uploaded, with the handle that keeps their identity.
    points: Vec<(Srs, Arc<DevicePoints>)>,
}

// SAFETY: the raw pointers of the domains are device pointers into the memory beside them.
unsafe impl Send for State {}

/// See the module's head.
pub struct CudaBackend {
    worker: Worker,
    state: Arc<Mutex<State>>,
    description: String,
    /// For work on host memory.
    cores: Arc<CpuBackend>,
}

/// a and b on the device, padded to the domain.
pub struct Evaluations {
    a: Memory,
    b: Memory,
    log_n: u32,
}

/// One circuit's scalars on the device, query by query.
pub struct Scalars {
    l: (Memory, usize),
    a: (Memory, usize),
    b: (Memory, usize),
}

/// Coefficients of h on the device.
pub struct Coefficients {
    values: Memory,
    n: usize,
}

impl CudaBackend {
    /// Opens the first visible device.
    ///
    /// # Errors
    /// `NoDevice` if there is none or no driver for it; `Device` for anything else.
    pub fn new(cores: Arc<CpuBackend>) -> Result<CudaBackend, Error> {
        let worker = Worker::start("c2p-gpu")?;
        let device = worker.run(Device::open)?;
        let description = device.describe();
        let state = State { device, domains: HashMap::new(), points: Vec::new() };
        Ok(CudaBackend { worker, state: Arc::new(Mutex::new(state)), description, cores })
    }

    fn enqueue<T: Send + 'static>(&self, op: Op, work: impl FnOnce(&mut State) -> Result<T, Error> + Send + 'static) -> Pending<T> {
        let (scope, phase, state) = (op.scope.clone(), op.phase, self.state.clone());
        self.worker.enqueue(move || {
            let _span = scope.work(LANE, phase.on_gpu());
            work(&mut state.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }

    fn now<T: Send>(&self, op: Op, work: impl FnOnce(&mut State) -> Result<T, Error> + Send) -> Result<T, Error> {
        let _join = op.scope.join(CALLER, "join.upload");
        self.worker.run(|| {
            let _span = op.scope.work(LANE, op.phase.on_gpu());
            work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }

    fn sum<G: Kernels>(
        &self,
        op: Op,
        srs: &Srs,
        scalars: Arc<Scalars>,
        of: for<'x> fn(&'x DevicePoints, &'x Scalars) -> (&'x Memory, &'x (Memory, usize)),
    ) -> Pending<G> {
        let srs = srs.clone();
        self.enqueue(op, move |state| {
            let points = state.points(&srs)?;
            let (points, (values, n)) = of(&points, &scalars);
            msm(&state.device, points, values, *n)
        })
    }

    fn nothing<G: Group + Send + 'static>() -> Pending<G> {
        Pending::Ready(G::identity())
    }
}

impl State {
    /// The points of an SRS, uploaded when first needed.
    fn points(&mut self, srs: &Srs) -> Result<Arc<DevicePoints>, Error> {
        if let Some((_, points)) = self.points.iter().find(|(known, _)| std::ptr::eq(&**known, &**srs)) {
            return Ok(points.clone());
        }
        let device = &self.device;
        let points = Arc::new(DevicePoints {
            h: device.upload("the points of h", &srs.h)?,
            l: device.upload("the points of l", &srs.l)?,
            a: device.upload("the points of a", &srs.a)?,
            b_g1: device.upload("the points of b_g1", &srs.b_g1)?,
            b_g2: device.upload("the points of b_g2", &srs.b_g2)?,
        });
        // One circuit's points at a time.
        self.points = vec![(srs.clone(), points.clone())];
        Ok(points)
    }

    fn domain(&mut self, log_n: u32) -> Result<raw::NttDomain, Error> {
        if let Some((_, domain)) = self.domains.get(&log_n) {
            return Ok(*domain);
        }
        let mut bytes = 0;
        // SAFETY: the pointer is to a local.
        check("sizing a domain", unsafe { raw::c2_ntt_tables_bytes(log_n, &mut bytes) })?;
        let tables = self.device.allocate("the tables of a domain", bytes)?;
        let mut domain = raw::NttDomain { lg: log_n, tables: std::ptr::null() };
        // SAFETY: the tables have the size asked for.
        check("building a domain", unsafe { raw::c2_ntt_tables_build(log_n, tables.ptr(), bytes, &mut domain, self.device.stream()) })?;
        self.domains.insert(log_n, (tables, domain));
        Ok(domain)
    }
}

fn padded(device: &Device, values: &[Scalar], domain: usize) -> Result<Memory, Error> {
    let size = std::mem::size_of::<Scalar>();
    let memory = device.allocate("the evaluations", domain * size)?;
    device.zero_from(&memory, values.len() * size)?;
    device.copy_to(&memory, 0, values)?;
    device.synchronize("the upload of the evaluations")?;
    Ok(memory)
}

impl Backend for CudaBackend {
    type Pending<T: Send + 'static> = Pending<T>;
    type Evaluations = Evaluations;
    type Values = Coefficients;
    type Witness = Arc<Scalars>;

    fn name(&self) -> &'static str {
        "cuda"
    }

    fn describe(&self) -> String {
        self.description.clone()
    }

    fn upload_evaluations(&self, op: Op, x: &Assignment) -> Result<Pending<Evaluations>, Error> {
        let domain = x.domain();
        let uploaded = self.now(op, |state| {
            Ok(Evaluations { a: padded(&state.device, x.a, domain)?, b: padded(&state.device, x.b, domain)?, log_n: log2(domain) })
        })?;
        Ok(Pending::Ready(uploaded))
    }

    fn upload_witness(&self, op: Op, x: &Assignment, _: &Srs) -> Result<Arc<Scalars>, Error> {
        let picked = |inputs: &mut dyn Iterator<Item = Scalar>, density: &crate::circuit::Density| -> Result<Vec<Scalar>, Error> {
            let mut list = try_vec("the scalars of a query", x.inputs.len() + density.popcount)?;
            list.extend(inputs);
            list.extend(x.aux.iter().enumerate().filter(|(i, _)| density.get(*i)).map(|(_, v)| *v));
            Ok(list)
        };
        let a = picked(&mut x.inputs.iter().copied(), &x.a_aux_density)?;
        let b_inputs = &mut x.inputs.iter().enumerate().filter(|(i, _)| x.b_input_density.get(*i)).map(|(_, v)| *v);
        let b = picked(b_inputs, &x.b_aux_density)?;
        self.now(op, |state| {
            let up = |values: &[Scalar]| Ok::<_, Error>((state.device.upload("the assignment", values)?, values.len()));
            Ok(Arc::new(Scalars { l: up(x.aux)?, a: up(&a)?, b: up(&b)? }))
        })
    }

    fn quotient(&self, op: Op, evaluations: Pending<Evaluations>) -> Pending<Coefficients> {
        self.enqueue(op, move |state| {
            let Evaluations { a, b, log_n } = evaluations.wait()?;
            let domain = state.domain(log_n)?;
            let mut bytes = 0;
            // SAFETY: the pointer is to a local.
            check("sizing the quotient", unsafe { raw::c2_quotient_workspace_bytes(log_n, &mut bytes) })?;
            let workspace = state.device.allocate("the workspace of the quotient", bytes)?;
            // SAFETY: a and b hold the domain's values; the workspace has the size asked for; no c: it is a.b.
            let code =
                unsafe { raw::c2_quotient_run(&domain, a.ptr(), b.ptr(), std::ptr::null(), workspace.ptr(), bytes, state.device.stream()) };
            check("starting the quotient", code)?;
            state.device.synchronize("the quotient")?;
            Ok(Coefficients { values: a, n: (1 << log_n) - 1 })
        })
    }

    fn msm_h(&self, op: Op, h: Pending<Coefficients>, srs: &Srs) -> Pending<G1Projective> {
        let srs = srs.clone();
        self.enqueue(op, move |state| {
            let h = h.wait()?;
            let points = state.points(&srs)?;
            msm(&state.device, &points.h, &h.values, h.n)
        })
    }

    fn sum_ones(&self, _: Op, _: Query, _: &Arc<Scalars>, _: &Srs) -> Pending<G1Projective> {
        Self::nothing()
    }

    fn msm_tail(&self, op: Op, query: Query, witness: &Arc<Scalars>, srs: &Srs) -> Pending<G1Projective> {
        self.sum(
            op,
            srs,
            witness.clone(),
            match query {
                Query::L => |p, s| (&p.l, &s.l),
                Query::A => |p, s| (&p.a, &s.a),
                Query::BG1 => |p, s| (&p.b_g1, &s.b),
            },
        )
    }

    fn sum_ones_g2(&self, _: Op, _: &Arc<Scalars>, _: &Srs) -> Pending<G2Projective> {
        Self::nothing()
    }

    fn msm_tail_g2(&self, op: Op, witness: &Arc<Scalars>, srs: &Srs) -> Pending<G2Projective> {
        self.sum(op, srs, witness.clone(), |p, s| (&p.b_g2, &s.b))
    }

    fn on_cores<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.cores.on_cores(work)
    }
}

impl Drop for CudaBackend {
    fn drop(&mut self) {
        // Device memory is freed on the thread that made it.
        let state = self.state.clone();
        let _ = self.worker.run(move || {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.points.clear();
            state.domains.clear();
            Ok(())
        });
    }
}
