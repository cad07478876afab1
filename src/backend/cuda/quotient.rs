//! From a and b to the coefficients of h: uploads, and the six transforms.
//!
//! With room for four vectors the kernels fuse products and difference into the transforms, those of a run while b comes up, and
//! the upload of the next circuit runs beside the rest. With room for three, c waits on the host while a and b are transformed.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use blstrs::Scalar;

use super::device::check;
use super::gate::{Ticket, Turn};
use super::lane::{Desk, Finish};
use super::memory::Memory;
use super::points::DevicePoints;
use super::raw;
use super::staging::Copied;
use super::{CudaBackend, Work};
use crate::backend::worker::Pending;
use crate::backend::{log2, Pending as _, Phase};
use crate::circuit::Assignment;
use crate::srs::Srs;
use crate::timing::{Scope, CALLER};
use crate::Error;

/// What of a proof goes along with its vectors.
#[derive(Clone)]
pub struct Companions {
    pub srs: Srs,
    pub points: Arc<DevicePoints>,
    pub ticket: Arc<Ticket>,
}

/// a and b on the device, padded to the domain; or what they become, where there was no room to leave that for later.
pub enum Evaluations {
    Uploaded { vectors: Vectors, copied: Copied, log_n: u32, failed: Arc<OnceLock<Error>>, with: Companions },
    Divided(Coefficients),
}

/// Coefficients of h on the device, or on their way: the lane that makes them is the one that uses them.
pub struct Coefficients {
    pub values: Arc<Memory>,
    pub n: usize,
    /// Why they will not come.
    pub failed: Arc<OnceLock<Error>>,
    pub with: Companions,
}

/// a, b, and a third vector that the quotient needs.
pub type Vectors = [Arc<Memory>; 3];

/// Tables of the transforms, by log of the size.
#[derive(Default)]
pub struct Domains(Mutex<HashMap<u32, (Memory, raw::NttDomain)>>);

// SAFETY: the raw pointers are device pointers into the memory beside them, which no one writes to after the lane of the
// transforms has built the tables.
unsafe impl Send for Domains {}
// SAFETY: as before.
unsafe impl Sync for Domains {}

impl Domains {
    fn get(&self, log_n: u32, desk: &mut Desk) -> Result<raw::NttDomain, Error> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, domain)) = known.get(&log_n) {
            return Ok(*domain);
        }
        let mut bytes = 0;
        // SAFETY: the pointer is to a local.
        check("sizing a domain", unsafe { raw::c2_ntt_tables_bytes(log_n, &mut bytes) })?;
        let tables = desk.allocate("the tables of a domain", bytes)?;
        let mut domain = raw::NttDomain { lg: log_n, tables: std::ptr::null() };
        // SAFETY: the tables have the size asked for.
        check("building a domain", unsafe { raw::c2_ntt_tables_build(log_n, tables.ptr(), bytes, &mut domain, desk.stream.raw()) })?;
        known.insert(log_n, (tables, domain));
        Ok(domain)
    }
}

/// Uploads a vector of evaluations, padded with zeros to the memory's end.
fn upload(backend: &CudaBackend, scope: &Scope, to: &Memory, field: &'static str, values: &[Scalar]) -> Result<Copied, Error> {
    backend.staging.zero_from(to, std::mem::size_of_val(values))?;
    backend.staging.upload_scalars(to, 0, (scope.part(), field), values)
}

impl Evaluations {
    /// Uploads a and b. The caller's memory has been read when this returns.
    pub fn upload(backend: &CudaBackend, scope: &Scope, x: &Assignment, turn: &Turn, with: Companions) -> Result<Evaluations, Error> {
        let bytes = x.domain() * std::mem::size_of::<Scalar>();
        let allocate = || {
            let _span = scope.work(CALLER, "alloc");
            backend.allocate("the evaluations", bytes, &with.srs, turn)
        };
        if with.points.plan.streams() {
            // The plan counts on it that the sums of this circuit have given their memory back.
            backend.clear_lanes()?;
        }
        if with.points.plan.vectors < 4 {
            let vectors = [allocate()?, allocate()?, allocate()?].map(Arc::new);
            return in_three_vectors(backend, scope, x, vectors, with).map(Evaluations::Divided);
        }
        let (vectors, log_n) = ([allocate()?, allocate()?, allocate()?].map(Arc::new), log2(x.domain()));
        let _span = scope.work(CALLER, Phase::Evaluations.on_gpu()).attr("rows", x.a.len());
        let copied = upload(backend, scope, &vectors[0], "a", x.a)?;
        let half = Half { scope: scope.clone(), domains: backend.domains.clone(), log_n, copied };
        let failed = Arc::new(OnceLock::new());
        let outcome = failed.clone();
        let _: Pending<()> = backend
            .lane(Work::H, &with.points)
            .enqueue(vectors.clone(), move |desk, v| half.begin(desk, v).inspect_err(|e| drop(outcome.set(e.clone()))));
        let copied = upload(backend, scope, &vectors[1], "b", x.b)?;
        Ok(Evaluations::Uploaded { vectors, copied, log_n, failed, with })
    }

    /// Enqueues the rest of the quotient.
    pub fn divide(self, backend: &CudaBackend, scope: &Scope) -> Coefficients {
        let (vectors, copied, log_n, failed, with) = match self {
            Evaluations::Divided(coefficients) => return coefficients,
            Evaluations::Uploaded { vectors, copied, log_n, failed, with } => (vectors, copied, log_n, failed, with),
        };
        let half = Half { scope: scope.clone(), domains: backend.domains.clone(), log_n, copied };
        // b and the third go when this has ended.
        let (values, outcome, ticket) = (vectors[0].clone(), failed.clone(), with.ticket.clone());
        // Its value is on the device; what h needs to know of it is whether it was enqueued.
        let _: Pending<()> = backend
            .lane(Work::H, &with.points)
            .enqueue((vectors, ticket), move |desk, (v, _)| half.end(desk, v).inspect_err(|e| drop(outcome.set(e.clone()))));
        Coefficients { values, n: (1 << log_n) - 1, failed, with }
    }
}

/// One half of the quotient: what it needs beside the vectors a, b and A on the coset.
struct Half {
    scope: Scope,
    domains: Arc<Domains>,
    log_n: u32,
    copied: Copied,
}

impl Half {
    /// From a, its values on the coset.
    fn begin(self, desk: &mut Desk, v: &Vectors) -> Result<Finish<()>, Error> {
        // SAFETY: the vectors and the workspace have the domain's size.
        self.run(desk, v, |domain, work, stream| unsafe { raw::c2_quotient_begin(&domain, v[0].ptr(), v[2].ptr(), work, stream) })
    }

    /// The rest: h takes the place of a. No c: it is a.b.
    fn end(self, desk: &mut Desk, v: &Vectors) -> Result<Finish<()>, Error> {
        // SAFETY: as before.
        self.run(desk, v, |domain, work, stream| unsafe {
            raw::c2_quotient_end(&domain, v[0].ptr(), v[1].ptr(), std::ptr::null(), v[2].ptr(), work, stream)
        })
    }

    fn run(
        self,
        desk: &mut Desk,
        v: &Vectors,
        start: impl FnOnce(raw::NttDomain, *mut c_void, raw::Stream) -> raw::Code,
    ) -> Result<Finish<()>, Error> {
        let domain = self.domains.get(self.log_n, desk)?;
        desk.stream.wait_for(&self.copied.ended)?;
        let stretch = desk.stretch(|desk| {
            let stream = desk.stream.raw();
            let work = desk.workspace(v[0].bytes())?.ptr();
            check("starting the quotient", start(domain, work, stream))
        })?;
        let bytes = v[0].bytes();
        Ok(Box::new(move |desk| {
            desk.record_copy(&self.scope, Phase::Evaluations.on_gpu(), &self.copied, bytes);
            desk.record(&self.scope, Phase::Quotient.on_gpu(), &stretch, vec![]);
            Ok(())
        }))
    }
}

/// A step of the quotient by element or by transform, in place.
#[derive(Clone, Copy)]
enum Step {
    /// First times second.
    Multiply,
    /// First minus second.
    Subtract,
    /// The first, or the second.
    Transform(u32, usize),
}

/// Runs steps on the first two vectors, with the third as the transforms' workspace; waits.
fn run(backend: &CudaBackend, scope: &Scope, vectors: &Vectors, with: &Companions, steps: &'static [Step]) -> Result<(), Error> {
    let log_n = log2(vectors[0].bytes() / std::mem::size_of::<Scalar>());
    let (scope, domains) = (scope.clone(), backend.domains.clone());
    let done: Pending<()> = backend.lane(Work::H, &with.points).enqueue((vectors.clone(), with.ticket.clone()), move |desk, (v, _)| {
        let domain = domains.get(log_n, desk)?;
        let stretch = desk.stretch(|desk| {
            let (n, stream) = (1u64 << log_n, desk.stream.raw());
            for step in steps {
                // SAFETY: all vectors have the domain's size.
                let code = unsafe {
                    match *step {
                        Step::Multiply => raw::c2_fr_multiply(v[0].ptr(), v[1].ptr(), n, stream),
                        Step::Subtract => raw::c2_fr_subtract(v[0].ptr(), v[1].ptr(), n, stream),
                        Step::Transform(kind, k) => {
                            raw::c2_ntt_run(&domain, kind, v[k].ptr(), v[k].ptr(), v[2].ptr(), v[2].bytes(), stream)
                        }
                    }
                };
                check("starting a step of the quotient", code)?;
            }
            Ok(())
        })?;
        Ok(Box::new(move |desk: &mut Desk| {
            desk.record(&scope, Phase::Quotient.on_gpu(), &stretch, vec![]);
            Ok(())
        }) as Finish<()>)
    });
    done.wait()
}

/// The quotient with three vectors: c goes to the host and comes back, and a comes up twice.
fn in_three_vectors(
    backend: &CudaBackend,
    scope: &Scope,
    x: &Assignment,
    vectors: Vectors,
    with: Companions,
) -> Result<Coefficients, Error> {
    let [first, second, _] = &vectors;
    let bring = |to: &Memory, field, values| -> Result<(), Error> {
        let _span = scope.work(CALLER, Phase::Evaluations.on_gpu());
        upload(backend, scope, to, field, values)?.ended.synchronize("the upload of the evaluations")
    };
    let steps = |steps| {
        let _join = scope.join(CALLER, "join.quotient");
        run(backend, scope, &vectors, &with, steps)
    };
    bring(first, "a", x.a)?;
    bring(second, "b", x.b)?;
    steps(&[Step::Multiply, Step::Transform(raw::INVERSE_OVER_Z, 0)])?;
    let c = {
        let _span = scope.work(CALLER, "prep.c");
        backend.staging.download_scalars("c on the host", first)?
    };
    bring(first, "a", x.a)?;
    steps(&[
        Step::Transform(raw::INVERSE, 0),
        Step::Transform(raw::COSET_FORWARD, 0),
        Step::Transform(raw::INVERSE, 1),
        Step::Transform(raw::COSET_FORWARD, 1),
        Step::Multiply,
        Step::Transform(raw::COSET_INVERSE_OVER_Z, 0),
    ])?;
    bring(second, "c", &c)?;
    steps(&[Step::Subtract])?;
    let [values, ..] = vectors;
    Ok(Coefficients { values, n: x.domain() - 1, failed: Arc::default(), with })
}
