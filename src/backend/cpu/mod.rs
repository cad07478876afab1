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

use self::crew::{Crew, Lane, MainWork, Share};
use self::curve::{Bytes, Curve};

use self::quotient::Poly;
use self::witness::Classified;
pub use super::worker::Pending;
use super::worker::Worker;
use super::{log2, Backend, Pending as _, Phase, Query};
use crate::circuit::{check_scalars, Assignment};
use crate::error::try_vec;
use crate::fault;
use crate::srs::{Points, Srs};
use crate::timing::{Scope, CALLER};
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
    main_work: Arc<MainWork>,
}

/// Coefficients of h.
pub struct Coefficients {
    values: Vec<Scalar>,
    main_work: Arc<MainWork>,
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

    /// Additions in G2 that B_G2 costs.
    #[cfg(feature = "cuda")]
    pub(crate) fn b_g2_additions(&self, terms: usize, ones: usize) -> f64 {
        msm::Plan::additions(terms) + 0.6 * ones as f64
    }

    /// B_G2 of a part of an assignment, beside a device that has the rest; the first of its auxiliary variables in B has
    /// point `b_first`. Also returns how many tail scalars and ones of auxiliary variables are in the part; `measured` is
    /// told the time it took.
    #[cfg(feature = "cuda")]
    pub(crate) fn part_of_b_g2(
        &self,
        scope: &Scope,
        x: &Assignment,
        b_first: usize,
        srs: &Srs,
        measured: impl FnOnce(std::time::Duration) + Send + 'static,
    ) -> Result<(Pending<G2Projective>, (usize, usize)), Error> {
        let (classified, counts) = {
            let _span = scope.work(CALLER, Phase::Split.on_cpu()).attr("aux", x.aux.len());
            self.crew.install(|| Ok::<_, Error>((Arc::new(Classified::of_part(x, b_first)?), Classified::counts_in_b(x))))?
        };
        let (share, srs) = (Share { lane: Lane::BG2, threads: self.threads() }, srs.clone());
        let points = move |crew: &Crew, scope: &Scope| srs.host_b_g2(scope, |read| crew.install(read)).map(QueryPoints::One);
        let pending =
            self.sum_classified(scope, share, [Phase::SumOnesG2, Phase::MsmTailG2], Query::BG1, (classified, None), points, measured);
        Ok((pending, counts))
    }

    /// Enqueues an operation; it records its spans itself.
    fn enqueue<T: Send + 'static>(&self, lane: Lane, work: impl FnOnce(&Crew) -> Result<T, Error> + Send + 'static) -> Pending<T> {
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

    /// The sum of the ones, then the MSM of the tail.
    fn sum_on<C: Curve>(
        &self,
        scope: &Scope,
        share: Share,
        phases: [Phase; 2],
        query: Query,
        witness: &Witness,
        points: impl FnOnce(&Crew, &Scope) -> Result<QueryPoints<C::Affine>, Error> + Send + 'static,
    ) -> Pending<C> {
        let witness = witness.clone();
        let main_work = (share.lane == Lane::Main).then_some(witness.main_work);
        self.sum_classified(scope, share, phases, query, (witness.classified, main_work), points, |_| {})
    }

    #[allow(clippy::too_many_arguments)] // two callers, both in this file
    fn sum_classified<C: Curve>(
        &self,
        scope: &Scope,
        share: Share,
        phases: [Phase; 2],
        query: Query,
        (witness, main_work): (Arc<Classified>, Option<Arc<MainWork>>),
        points: impl FnOnce(&Crew, &Scope) -> Result<QueryPoints<C::Affine>, Error> + Send + 'static,
        measured: impl FnOnce(std::time::Duration) + Send + 'static,
    ) -> Pending<C> {
        let scope = scope.clone();
        self.enqueue(share.lane, move |crew| {
            let _main_work = main_work;
            scope.cancel().check()?;
            let all = points(crew, &scope)?;
            let began = std::time::Instant::now();
            let points = all.of(query);
            let (lane, (in_tail, in_ones)) = (lane_name(share.lane), witness.counts());
            let span = scope.work(lane, phases[0].on_cpu()).attr("ones", in_ones);
            let part = |(): &mut (), i: usize| C::add_points(&witness.ones(query, points, i));
            let ones = curve_sum(crew.tiles(share, scope.cancel(), witness.ones_parts(), || (), part)?);
            drop(span);
            let _span = scope.work(lane, phases[1].on_cpu()).attr("scalars", in_tail);
            let (points, scalars) = witness.tail(query, points);
            let sum = ones + msm::msm::<C>(crew, share, scope.cancel(), &points, &scalars)?;
            measured(began.elapsed());
            Ok(sum)
        })
    }
}

/// Points of a query in host memory, and what keeps them there.
enum QueryPoints<P> {
    All(Arc<Points>, fn(&Points, Query) -> &[P]),
    One(Arc<Vec<P>>),
}

impl<P> QueryPoints<P> {
    fn of(&self, query: Query) -> &[P] {
        match self {
            QueryPoints::All(points, of) => of(points, query),
            QueryPoints::One(points) => points,
        }
    }
}

fn g1(points: &Points, query: Query) -> &[G1Affine] {
    match query {
        Query::L => &points.l,
        Query::A => &points.a,
        Query::BG1 => &points.b_g1,
    }
}

/// The points of an SRS in host memory; read on the crew's cores if they are not there.
fn host_points(srs: &Srs, scope: &Scope, crew: &Crew) -> Result<Arc<Points>, Error> {
    srs.host_points(false, scope, |read| crew.install(read)).map(|(points, _)| points)
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
    type Values = Coefficients;
    type Witness = Witness;

    fn name(&self) -> &'static str {
        "cpu"
    }

    fn describe(&self) -> String {
        format!("cpu threads={}", self.threads())
    }

    fn load(&self, srs: &Srs, subgroup_check: bool, scope: &Scope) -> Result<bool, Error> {
        srs.host_points(subgroup_check, scope, |read| self.crew.install(read)).map(|(_, was_resident)| was_resident)
    }

    fn upload_witness(&self, scope: &Scope, x: &Assignment, _: &Srs) -> Result<Witness, Error> {
        {
            let _span = scope.work(CALLER, "input.verify").attr("rows", x.a.len());
            self.crew.install(|| check_scalars(scope.part(), x))?;
        }
        let _span = scope.work(CALLER, Phase::Split.on_cpu()).attr("aux", x.aux.len());
        let classified = Arc::new(self.crew.install(|| Classified::new(x))?);
        Ok(Witness { classified, main_work: Arc::new(MainWork::announce(&self.crew)) })
    }

    fn upload_evaluations(&self, scope: &Scope, x: &Assignment, witness: Witness) -> Result<Pending<Evaluations>, Error> {
        // On the caller's thread: the caller's memory is read before this returns.
        let domain = x.domain();
        let [a, b, c] = {
            let _span = scope.work(CALLER, "alloc").attr("bytes", 3 * domain * std::mem::size_of::<Scalar>());
            fault::point("alloc");
            [try_vec("the evaluations", domain)?, try_vec("the evaluations", domain)?, try_vec("the evaluations", domain)?]
        };
        let _span = scope.work(CALLER, Phase::Evaluations.on_cpu()).attr("rows", x.a.len());
        let main_work = witness.main_work;
        // c begins as a; the quotient makes it a.b.
        Ok(Pending::Ready(self.crew.install(|| {
            let [a, b, c] = [(a, x.a), (b, x.b), (c, x.a)].map(|(v, values)| fill(v, values, domain));
            Evaluations { a, b, c, main_work }
        })))
    }

    fn quotient(&self, scope: &Scope, evaluations: Pending<Evaluations>) -> Pending<Coefficients> {
        let scope = scope.clone();
        self.enqueue(Lane::Main, move |crew| {
            let Evaluations { a, b, c, main_work } = evaluations.wait()?;
            let [a, b, c] = [a, b, c].map(Poly::on_domain);
            let values = quotient::quotient(crew, &scope, lane_name(Lane::Main), a, b, c)?.into_values();
            Ok(Coefficients { values, main_work })
        })
    }

    fn msm_h(&self, scope: &Scope, h: Pending<Coefficients>, srs: &Srs) -> Pending<G1Projective> {
        let (scope, srs, share) = (scope.clone(), srs.clone(), Share { lane: Lane::Main, threads: self.threads() });
        self.enqueue(Lane::Main, move |crew| {
            let points = host_points(&srs, &scope, crew)?;
            let _span = scope.work(lane_name(Lane::Main), Phase::MsmH.on_cpu()).attr("scalars", srs.h.len());
            let Coefficients { values: h, main_work: _main_work } = h.wait()?;
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
            let (points, scalars): (Vec<_>, Vec<_>) = (points.h[..n].iter().collect(), scalars.iter().collect());
            msm::msm(crew, share, scope.cancel(), &points, &scalars)
        })
    }

    fn sum(&self, scope: &Scope, query: Query, witness: &Witness, srs: &Srs) -> Pending<G1Projective> {
        let (share, srs) = (Share { lane: Lane::Main, threads: self.threads() }, srs.clone());
        let points = move |crew: &Crew, scope: &Scope| Ok(QueryPoints::All(host_points(&srs, scope, crew)?, g1));
        self.sum_on(scope, share, [Phase::SumOnes(query), Phase::MsmTail(query)], query, witness, points)
    }

    fn sum_b_g2(&self, scope: &Scope, witness: &Witness, srs: &Srs) -> Pending<G2Projective> {
        let (share, srs) = (Share { lane: Lane::BG2, threads: self.b_g2_share(witness, srs) }, srs.clone());
        let points = move |crew: &Crew, scope: &Scope| srs.host_b_g2(scope, |read| crew.install(read)).map(QueryPoints::One);
        self.sum_on(scope, share, [Phase::SumOnesG2, Phase::MsmTailG2], Query::BG1, witness, points)
    }

    fn on_cores<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.crew.install(work)
    }
}
