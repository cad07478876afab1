//! The CPU backend: transforms on all cores, blst's Pippenger, B_G2 on a share of the cores beside them.

mod crew;
mod curve;
mod msm;
mod ntt;
mod quotient;
mod witness;

use std::sync::Arc;

use blstrs::{G1Affine, G1Projective, G2Projective, Scalar};
use ff::Field;
use rayon::prelude::*;

use self::crew::{Crew, MainWork, Share};
use self::curve::{Bytes, Curve};

use self::quotient::Poly;
use self::witness::Classified;
pub use super::worker::Pending;
use super::worker::Worker;
use super::{log2, Backend, Lane, Op, Pending as _, Query};
use crate::circuit::Assignment;
use crate::error::try_vec;
use crate::fault;
use crate::srs::{self, Srs};
use crate::timing::CALLER;
use crate::Error;

/// Scalars that one task of a pointwise operation takes.
const BLOCK: usize = 1 << 12;

/// How the CPU backend is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuOptions {
    /// Threads in all; `None`: one for each core this process may use.
    pub threads: Option<usize>,
    /// Threads of them that B_G2 gets while the main lane is busy; `None`: by cost.
    pub b_g2_threads: Option<usize>,
}

/// See the module's head.
pub struct CpuBackend {
    crew: Arc<Crew>,
    b_g2_threads: Option<usize>,
    main: Worker,
    b_g2: Worker,
}

/// One circuit's classified assignment. Operations of the main lane hold all of it, those of B_G2 only the scalars:
/// so the crew knows when the main lane has nothing left to do.
#[derive(Clone)]
pub struct Witness {
    classified: Arc<Classified>,
    main_work: Arc<MainWork>,
}

/// a and b on the domain, and what is to become c = a.b.
pub struct Evaluations {
    a: Vec<Scalar>,
    b: Vec<Scalar>,
    c: Vec<Scalar>,
}

/// A lane's name in reports.
fn lane_name(lane: Lane) -> &'static str {
    match lane {
        Lane::Main => "cpu.main",
        Lane::BG2 => "cpu.b_g2",
    }
}

fn curve_sum<C: Curve>(parts: Vec<C>) -> C {
    parts.into_iter().fold(C::identity(), |sum, part| sum + part)
}

impl CpuBackend {
    /// Starts the threads.
    ///
    /// # Errors
    /// `Internal` if the system refuses threads, `InvalidArgument` for zero threads.
    pub fn new(options: CpuOptions) -> Result<CpuBackend, Error> {
        let threads = match options.threads {
            Some(0) => return Err(Error::InvalidArgument("cpu threads must be at least 1".to_owned())),
            Some(n) => n,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let crew = Arc::new(Crew::new(threads)?);
        Ok(CpuBackend { main: Worker::start("c2p-main")?, b_g2: Worker::start("c2p-b_g2")?, b_g2_threads: options.b_g2_threads, crew })
    }

    /// Threads in all.
    pub fn threads(&self) -> usize {
        self.crew.threads()
    }

    /// Threads that B_G2 gets: its share of the additions, at least one, and one left for the rest.
    fn b_g2_share(&self, witness: &Witness, srs: &Srs) -> usize {
        let threads = self.threads();
        self.b_g2_threads
            .unwrap_or_else(|| {
                let (tail, ones) = witness.classified.counts();
                let aux = srs.l.len().max(1) as f64;
                let part = |points: usize| {
                    let density = points as f64 / aux;
                    msm::Plan::additions((tail as f64 * density) as usize) + 0.6 * ones as f64 * density
                };
                let (a, b) = (part(srs.a.len()), part(srs.b_g1.len()));
                // A transform's butterfly is a twentieth of an addition.
                let transforms = 6.0 * srs.h.len() as f64 * f64::from(log2(srs.domain())) / 2.0 / 20.0;
                let main = msm::Plan::additions(srs.h.len()) + part(srs.l.len()) + a + b + transforms;
                let b_g2 = b * G2Projective::COST;
                (threads as f64 * b_g2 / (main + b_g2)).round() as usize
            })
            .clamp(1, threads.saturating_sub(1).max(1))
    }

    /// Enqueues an operation of one span.
    fn enqueue<T: Send + 'static>(
        &self,
        op: Op,
        attr: (&'static str, usize),
        work: impl FnOnce(&Crew) -> Result<T, Error> + Send + 'static,
    ) -> Pending<T> {
        let (scope, phase, lane) = (op.scope.clone(), op.phase, op.lane);
        self.enqueue_steps(op.lane, move |crew| {
            let _span = scope.work(lane_name(lane), phase.on_cpu()).attr(attr.0, attr.1);
            work(crew)
        })
    }

    /// Enqueues an operation that records its spans itself.
    fn enqueue_steps<T: Send + 'static>(&self, lane: Lane, work: impl FnOnce(&Crew) -> Result<T, Error> + Send + 'static) -> Pending<T> {
        let crew = self.crew.clone();
        let worker = match lane {
            Lane::Main => &self.main,
            Lane::BG2 => &self.b_g2,
        };
        worker.enqueue(move || {
            fault::point("lane");
            work(&crew)
        })
    }

    fn share(&self, lane: Lane, witness: &Witness, srs: &Srs) -> Share {
        let threads = match lane {
            Lane::Main => self.threads(),
            Lane::BG2 => self.b_g2_share(witness, srs),
        };
        Share { lane, threads }
    }

    fn sum<C: Curve>(&self, op: Op, query: Query, witness: &Witness, srs: &Srs, points: fn(&srs::Points) -> &[C::Affine]) -> Pending<C> {
        let (srs, share) = (srs.clone(), self.share(op.lane, witness, srs));
        let main_work = (op.lane == Lane::Main).then(|| witness.main_work.clone());
        let witness = witness.classified.clone();
        self.enqueue(op, ("ones", witness.counts().1), move |crew| {
            let _main_work = main_work;
            let part = |(): &mut (), i: usize| C::add_points(&witness.ones(query, points(&srs), i));
            Ok(curve_sum(crew.tiles(share, witness.ones_parts(), || (), part)))
        })
    }

    fn tail<C: Curve>(&self, op: Op, query: Query, witness: &Witness, srs: &Srs, points: fn(&srs::Points) -> &[C::Affine]) -> Pending<C> {
        let (srs, share) = (srs.clone(), self.share(op.lane, witness, srs));
        let main_work = (op.lane == Lane::Main).then(|| witness.main_work.clone());
        let witness = witness.classified.clone();
        self.enqueue(op, ("scalars", witness.counts().0), move |crew| {
            let _main_work = main_work;
            let (points, scalars) = witness.tail(query, points(&srs));
            Ok(msm::msm::<C>(crew, share, &points, &scalars))
        })
    }
}

fn g1(query: Query) -> fn(&srs::Points) -> &[G1Affine] {
    match query {
        Query::L => |p| &p.l,
        Query::A => |p| &p.a,
        Query::BG1 => |p| &p.b_g1,
    }
}

/// Copies `values` into `v` and pads with zeros to the domain.
fn fill(mut v: Vec<Scalar>, values: &[Scalar], domain: usize) -> Vec<Scalar> {
    v.resize(domain, Scalar::ZERO);
    v.par_chunks_mut(BLOCK).zip(values.par_chunks(BLOCK)).for_each(|(to, from)| to[..from.len()].copy_from_slice(from));
    v
}

impl Backend for CpuBackend {
    type Pending<T: Send + 'static> = Pending<T>;
    type Evaluations = Evaluations;
    type Values = Vec<Scalar>;
    type Witness = Witness;

    fn name(&self) -> &'static str {
        "cpu"
    }

    fn describe(&self) -> String {
        format!("cpu threads={}", self.threads())
    }

    fn upload_evaluations(&self, op: Op, x: &Assignment) -> Result<Pending<Evaluations>, Error> {
        // On the caller's thread: the caller's memory is read before this returns.
        let domain = x.domain();
        let [a, b, c] = {
            let _span = op.scope.work(CALLER, "alloc").attr("bytes", 3 * domain * std::mem::size_of::<Scalar>());
            fault::point("alloc");
            [try_vec("the evaluations", domain)?, try_vec("the evaluations", domain)?, try_vec("the evaluations", domain)?]
        };
        let _span = op.scope.work(CALLER, op.phase.on_cpu()).attr("rows", x.a.len());
        // c begins as a; the quotient makes it a.b.
        Ok(Pending::Ready(self.crew.install(|| Evaluations { a: fill(a, x.a, domain), b: fill(b, x.b, domain), c: fill(c, x.a, domain) })))
    }

    fn upload_witness(&self, op: Op, x: &Assignment, _: &Srs) -> Result<Witness, Error> {
        let _span = op.scope.work(CALLER, op.phase.on_cpu()).attr("aux", x.aux.len());
        let classified = Arc::new(self.crew.install(|| Classified::new(x))?);
        Ok(Witness { classified, main_work: Arc::new(MainWork::announce(&self.crew)) })
    }

    fn quotient(&self, op: Op, evaluations: Pending<Evaluations>) -> Pending<Vec<Scalar>> {
        let (scope, lane) = (op.scope.clone(), op.lane);
        self.enqueue_steps(op.lane, move |crew| {
            let Evaluations { a, b, c } = evaluations.wait()?;
            let [a, b, c] = [a, b, c].map(Poly::on_domain);
            Ok(quotient::quotient(crew, &scope, lane_name(lane), a, b, c).into_values())
        })
    }

    fn msm_h(&self, op: Op, h: Pending<Vec<Scalar>>, srs: &Srs) -> Pending<G1Projective> {
        let (srs, share) = (srs.clone(), Share { lane: op.lane, threads: self.threads() });
        self.enqueue(op, ("scalars", srs.h.len()), move |crew| {
            let h = h.wait()?;
            // Coefficients lie bit-reversed; the last one is zero, as h has degree n - 2.
            let n = h.len() - 1;
            let log_n = log2(h.len());
            let mut scalars: Vec<Bytes> = try_vec("the scalars of h", n)?;
            scalars.resize(n, [0; 32]);
            crew.install(|| {
                scalars.par_chunks_mut(BLOCK).enumerate().for_each(|(block, to)| {
                    for (i, to) in to.iter_mut().enumerate() {
                        *to = h[ntt::reversed(block * BLOCK + i, log_n)].to_bytes_le();
                    }
                });
            });
            drop(h);
            let (points, scalars): (Vec<_>, Vec<_>) = (srs.h[..n].iter().collect(), scalars.iter().collect());
            Ok(msm::msm(crew, share, &points, &scalars))
        })
    }

    fn sum_ones(&self, op: Op, query: Query, witness: &Witness, srs: &Srs) -> Pending<G1Projective> {
        self.sum(op, query, witness, srs, g1(query))
    }

    fn msm_tail(&self, op: Op, query: Query, witness: &Witness, srs: &Srs) -> Pending<G1Projective> {
        self.tail(op, query, witness, srs, g1(query))
    }

    fn sum_ones_g2(&self, op: Op, witness: &Witness, srs: &Srs) -> Pending<G2Projective> {
        self.sum(op, Query::BG1, witness, srs, |p| &p.b_g2)
    }

    fn msm_tail_g2(&self, op: Op, witness: &Witness, srs: &Srs) -> Pending<G2Projective> {
        self.tail(op, Query::BG1, witness, srs, |p| &p.b_g2)
    }

    fn on_cores<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.crew.install(work)
    }
}
