//! One MSM on the device: plan, workspace, run, and the folding of the window sums on the host.

use std::ffi::c_void;

use blst::{blst_p1_affine, blst_p2_affine};
use blstrs::{G1Affine, G1Projective, G2Affine, G2Projective};
use group::Group;

use super::device::{check, Device, Memory};
use super::raw;
use crate::error::try_vec;
use crate::Error;

/// A group with its kernels.
pub trait Kernels: Group + Send + 'static {
    /// 1 or 2.
    const GROUP: u32;
    /// Enqueues the sums of the windows.
    ///
    /// # Safety
    /// As the C face says: device pointers to what the plan speaks of, host memory for the sums.
    unsafe fn run(
        plan: &raw::MsmPlan,
        points: *const c_void,
        scalars: *const c_void,
        workspace: &Memory,
        sums: *mut c_void,
        stream: raw::Stream,
    ) -> raw::Code;
    /// Folds the window sums.
    ///
    /// # Safety
    /// `sums` holds what `run` wrote for this plan.
    unsafe fn finish(plan: &raw::MsmPlan, sums: *const c_void) -> Self;
}

macro_rules! kernels {
    ($group:ty, $affine:ty, $raw_affine:ty, $number:literal, $run:ident, $finish:ident) => {
        impl Kernels for $group {
            const GROUP: u32 = $number;

            unsafe fn run(
                plan: &raw::MsmPlan,
                points: *const c_void,
                scalars: *const c_void,
                workspace: &Memory,
                sums: *mut c_void,
                stream: raw::Stream,
            ) -> raw::Code {
                // SAFETY: passed on from this function's contract; no indices.
                unsafe { raw::$run(plan, points, scalars, std::ptr::null(), workspace.ptr(), workspace.bytes(), sums, stream) }
            }

            unsafe fn finish(plan: &raw::MsmPlan, sums: *const c_void) -> Self {
                let mut point = <$raw_affine>::default();
                // SAFETY: the point has the bytes that the function writes: blst's affine form, zero for infinity.
                unsafe { raw::$finish(plan, sums, (&raw mut point).cast()) };
                // SAFETY: blstrs's affine points are transparent over blst's.
                <$group>::from(unsafe { std::mem::transmute::<$raw_affine, $affine>(point) })
            }
        }
    };
}
kernels!(G1Projective, G1Affine, blst_p1_affine, 1, c2_msm_g1_run, c2_msm_g1_finish);
kernels!(G2Projective, G2Affine, blst_p2_affine, 2, c2_msm_g2_run, c2_msm_g2_finish);

/// Sum of the first `n` scalars (Montgomery form) times points, both on the device.
pub fn msm<G: Kernels>(device: &Device, points: &Memory, scalars: &Memory, n: usize) -> Result<G, Error> {
    if n == 0 {
        return Ok(G::identity());
    }
    let request = raw::MsmRequest {
        n: n as u64,
        points: n as u64,
        group: G::GROUP,
        montgomery: 1,
        workspace_limit: 0,
        window_bits: 0,
        rounds: -1,
        grid: -1,
        mark: None,
        mark_context: std::ptr::null_mut(),
    };
    let mut plan = std::mem::MaybeUninit::<raw::MsmPlan>::zeroed();
    // SAFETY: both pointers are to locals; the plan is plain data.
    let plan = unsafe {
        check("planning an MSM", raw::c2_msm_plan_make(&request, plan.as_mut_ptr()))?;
        plan.assume_init()
    };
    let workspace = device.allocate("the workspace of an MSM", plan.workspace_bytes as usize)?;
    let words = (plan.sums_bytes as usize).div_ceil(8);
    let mut sums: Vec<u64> = try_vec("the window sums of an MSM", words)?;
    sums.resize(words, 0);
    // SAFETY: points and scalars hold n entries, which the callers of this module see to; the sums live until the stream
    // has been waited for.
    let code = unsafe { G::run(&plan, points.ptr(), scalars.ptr(), &workspace, sums.as_mut_ptr().cast(), device.stream()) };
    check("starting an MSM", code)?;
    device.synchronize("an MSM")?;
    // SAFETY: the run has ended without an error.
    Ok(unsafe { G::finish(&plan, sums.as_ptr().cast()) })
}
