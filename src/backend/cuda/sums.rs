//! Sums of points on the device: with scalars (an MSM) and without (the ones). Kernels leave sums of windows, which the
//! host folds.

use std::ffi::c_void;
use std::marker::PhantomData;

use blst::{blst_p1_affine, blst_p2_affine};
use blstrs::{G1Affine, G1Projective, G2Affine, G2Projective};
use group::Group;

use super::device::check;
use super::lane::Desk;
use super::raw;
use super::staging::Pinned;
use crate::Error;

/// Terms of an MSM that is not cut any more, and of one that is cut only where it has no room.
const SMALLEST: usize = 1 << 12;
const LARGE: usize = 1 << 25;

type MsmRun = unsafe extern "C" fn(
    *const raw::MsmPlan,
    *const c_void,
    *const c_void,
    *const u32,
    *mut c_void,
    usize,
    *mut c_void,
    raw::Stream,
) -> raw::Code;
type BatchAddRun = unsafe extern "C" fn(
    *const raw::BatchAddPlan,
    *const c_void,
    *const u32,
    *const u32,
    *mut c_void,
    usize,
    *mut c_void,
    raw::Stream,
) -> raw::Code;

/// A group with its kernels.
pub trait Kernels: Group + Send + 'static {
    /// 1 or 2.
    const GROUP: u32;
    /// The face that enqueues an MSM.
    const MSM: MsmRun;
    /// The face that enqueues a batch addition.
    const BATCH_ADD: BatchAddRun;
    /// Folds an MSM's window sums.
    ///
    /// # Safety
    /// `sums` holds what the run wrote for this plan.
    unsafe fn msm_finish(plan: &raw::MsmPlan, sums: *const c_void) -> Self;
    /// The sum of a batch addition's one group.
    ///
    /// # Safety
    /// As for [`Kernels::msm_finish`]; the plan has one group.
    unsafe fn batch_add_finish(plan: &raw::BatchAddPlan, sums: *const c_void) -> Self;
}

macro_rules! kernels {
    ($group:ty, $affine:ty, $raw_affine:ty, $number:literal, $msm:ident, $msm_finish:ident, $add:ident, $add_finish:ident) => {
        impl Kernels for $group {
            const GROUP: u32 = $number;
            const MSM: MsmRun = raw::$msm;
            const BATCH_ADD: BatchAddRun = raw::$add;

            unsafe fn msm_finish(plan: &raw::MsmPlan, sums: *const c_void) -> Self {
                let mut point = <$raw_affine>::default();
                // SAFETY: the point has the bytes that the function writes: blst's affine form, zero for infinity.
                unsafe { raw::$msm_finish(plan, sums, (&raw mut point).cast()) };
                // SAFETY: blstrs's affine points are transparent over blst's.
                <$group>::from(unsafe { std::mem::transmute::<$raw_affine, $affine>(point) })
            }

            unsafe fn batch_add_finish(plan: &raw::BatchAddPlan, sums: *const c_void) -> Self {
                let mut point = <$raw_affine>::default();
                // SAFETY: as above, for the one group.
                unsafe { raw::$add_finish(plan, sums, (&raw mut point).cast()) };
                // SAFETY: as above.
                <$group>::from(unsafe { std::mem::transmute::<$raw_affine, $affine>(point) })
            }
        }
    };
}
kernels!(G1Projective, G1Affine, blst_p1_affine, 1, c2_msm_g1_run, c2_msm_g1_finish, c2_batch_add_g1_run, c2_batch_add_g1_finish);
kernels!(G2Projective, G2Affine, blst_p2_affine, 2, c2_msm_g2_run, c2_msm_g2_finish, c2_batch_add_g2_run, c2_batch_add_g2_finish);

/// A table of points on the device.
#[derive(Clone, Copy)]
pub struct Table {
    pub points: *const c_void,
    pub len: usize,
}

/// Terms of an MSM on the device: scalars in Montgomery form, and the places of their points, or null if they are the first.
#[derive(Clone, Copy)]
pub struct Terms {
    pub scalars: *const c_void,
    pub places: *const u32,
    pub n: usize,
}

/// An MSM or batch addition on its way.
pub enum Sum<G> {
    Nothing,
    Msm(raw::MsmPlan, Pinned),
    Ones(raw::BatchAddPlan, Pinned, PhantomData<G>),
    Two(Box<(Sum<G>, Sum<G>)>),
}

// SAFETY: the plans hold no pointers but the mark's, which is used only while the run is enqueued.
unsafe impl<G> Send for Sum<G> {}

/// The plan for an MSM of `n` terms, within a workspace.
pub fn plan_msm<G: Kernels>(
    n: usize,
    table: usize,
    workspace_limit: usize,
    (mark, mark_context): (raw::Mark, *mut c_void),
) -> Result<raw::MsmPlan, Error> {
    let request = raw::MsmRequest {
        n: n as u64,
        points: table as u64,
        group: G::GROUP,
        montgomery: 1,
        workspace_limit: workspace_limit as u64,
        window_bits: 0,
        rounds: -1,
        grid: -1,
        mark,
        mark_context,
    };
    let mut plan = std::mem::MaybeUninit::<raw::MsmPlan>::zeroed();
    // SAFETY: both pointers are to locals; the plan is plain data, for which zeros are a value.
    let (code, plan) = unsafe {
        let code = raw::c2_msm_plan_make(&request, plan.as_mut_ptr());
        (code, plan.assume_init())
    };
    match code {
        raw::OUT_OF_MEMORY => {
            Err(Error::DeviceOutOfMemory { what: "the workspace of an MSM", need: 2 * n * G::GROUP as usize * 96, free: workspace_limit })
        }
        code => check("planning an MSM", code).map(|()| plan),
    }
}

impl Terms {
    /// The terms from `at` on, and the ones before.
    fn halves(self, table: Table, at: usize, point_bytes: usize) -> [(Table, Terms); 2] {
        let scalars = self.scalars.cast::<u8>().wrapping_add(at * 32).cast();
        let (rest, places) = if self.places.is_null() {
            // In the order of the points: the table moves along.
            let points = table.points.cast::<u8>().wrapping_add(at * point_bytes).cast();
            (Table { points, len: table.len - at }, self.places)
        } else {
            (table, self.places.wrapping_add(at))
        };
        [(table, Terms { n: at, ..self }), (rest, Terms { scalars, places, n: self.n - at })]
    }
}

/// Enqueues an MSM. One that finds no workspace, or too little, is cut into two.
///
/// # Safety
/// The tables and lists exist until the stream has come there.
pub unsafe fn msm<G: Kernels>(desk: &mut Desk, table: Table, terms: Terms, cap: usize) -> Result<Sum<G>, Error> {
    if terms.n == 0 {
        return Ok(Sum::Nothing);
    }
    let limit = desk.workspace_within(cap);
    let plan = plan_msm::<G>(terms.n, table.len, limit, desk.mark());
    let cut = match &plan {
        Err(Error::DeviceOutOfMemory { .. }) => terms.n > SMALLEST,
        // Half as much, twice, with the batches that it wants may be quicker than all in batches that fit.
        Ok(plan) => {
            let mut half = || plan_msm::<G>(terms.n / 2, table.len, limit, desk.mark());
            terms.n > LARGE && half().is_ok_and(|half| 2.0 * half.predicted_ms < plan.predicted_ms)
        }
        Err(_) => false,
    };
    if cut {
        let [first, rest] = terms.halves(table, terms.n / 2, G::GROUP as usize * 96);
        // SAFETY: passed on from this function's contract: parts of the same lists.
        let (first, rest) = unsafe { (msm(desk, first.0, first.1, cap)?, msm(desk, rest.0, rest.1, cap)?) };
        return Ok(Sum::Two(Box::new((first, rest))));
    }
    let plan = plan?;
    log::debug!(target: "c2prover::plan", "msm group={} n={} windows={} bits={} batch={} rounds={} workspace={} predicted_ms={:.3}",
        G::GROUP, terms.n, plan.windows, plan.window_bits, plan.windows_per_batch, plan.rounds, plan.workspace_bytes, plan.predicted_ms);
    let sums = desk.pinned(plan.sums_bytes as usize)?;
    let stream = desk.stream.raw();
    let workspace = desk.workspace(plan.workspace_bytes as usize)?;
    // SAFETY: points, scalars and places by this function's contract; the workspace has the size planned, the pinned memory
    // that of the sums, and it is kept until the run has ended.
    let code = unsafe { G::MSM(&plan, table.points, terms.scalars, terms.places, workspace.ptr(), workspace.bytes(), sums.ptr(), stream) };
    check("starting an MSM", code)?;
    Ok(Sum::Msm(plan, sums))
}

/// Enqueues the sum of `n` points of the table; `places` lists them, `starts` holds 0 and `n`, both on the device.
///
/// # Safety
/// As for [`msm`].
pub unsafe fn ones<G: Kernels>(desk: &mut Desk, table: Table, places: *const u32, starts: *const u32, n: usize) -> Result<Sum<G>, Error> {
    if n == 0 {
        return Ok(Sum::Nothing);
    }
    let (mark, mark_context) = desk.mark();
    let mut plan = raw::BatchAddPlan {
        entries: n as u64,
        points: table.len as u64,
        groups: 1,
        group: G::GROUP,
        mark,
        mark_context,
        rounds: 0,
        chunk: 0,
        sms: 0,
        workspace_bytes: 0,
        sums_bytes: 0,
    };
    // SAFETY: the pointer is to a local.
    check("planning a batch addition", unsafe { raw::c2_batch_add_plan_make(&mut plan) })?;
    let sums = desk.pinned(plan.sums_bytes as usize)?;
    let stream = desk.stream.raw();
    let workspace = desk.workspace(plan.workspace_bytes as usize)?;
    // SAFETY: as for an MSM.
    let code = unsafe { G::BATCH_ADD(&plan, table.points, places, starts, workspace.ptr(), workspace.bytes(), sums.ptr(), stream) };
    check("starting a batch addition", code)?;
    Ok(Sum::Ones(plan, sums, PhantomData))
}

impl<G: Kernels> Sum<G> {
    /// What the cost model expected of an MSM.
    pub fn predicted_ms(&self) -> Option<f64> {
        match self {
            Sum::Msm(plan, _) => Some(plan.predicted_ms),
            _ => None,
        }
    }

    /// The point. The stream has come to the end of the run.
    pub fn finish(self, desk: &mut Desk) -> G {
        let (point, sums) = match self {
            Sum::Nothing => return G::identity(),
            Sum::Two(both) => return both.0.finish(desk) + both.1.finish(desk),
            // SAFETY: the run has ended without an error, as lanes finish nothing else.
            Sum::Msm(plan, sums) => (unsafe { G::msm_finish(&plan, sums.ptr()) }, sums),
            // SAFETY: as before.
            Sum::Ones(plan, sums, _) => (unsafe { G::batch_add_finish(&plan, sums.ptr()) }, sums),
        };
        desk.keep(sums);
        point
    }
}
