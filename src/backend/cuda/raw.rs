//! The CUDA runtime and our kernels' C faces, as declared in cuda/.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// `cudaError_t`.
pub type Code = c_int;
/// `cudaStream_t`.
pub type Stream = *mut c_void;
/// `cudaEvent_t`.
pub type Event = *mut c_void;

pub const HOST_TO_DEVICE: c_int = 1;
pub const DEVICE_TO_HOST: c_int = 2;
pub const STREAM_NON_BLOCKING: c_uint = 1;
/// A thread that waits for the event sleeps.
pub const EVENT_BLOCKING_SYNC: c_uint = 1;
pub const EVENT_DISABLE_TIMING: c_uint = 2;
pub const MULTIPROCESSORS: c_int = 16;
pub const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
pub const COMPUTE_CAPABILITY_MINOR: c_int = 76;

/// `cudaErrorMemoryAllocation`.
pub const OUT_OF_MEMORY: Code = 2;
/// `cudaErrorInsufficientDriver`, `cudaErrorNoDevice`: there is no GPU to use.
pub const NO_DEVICE: [Code; 2] = [35, 100];

/// `c2_ntt_kind` of cuda/ntt/ntt.h.
pub const INVERSE: c_uint = 1;
pub const COSET_FORWARD: c_uint = 2;
pub const INVERSE_OVER_Z: c_uint = 4;
pub const COSET_INVERSE_OVER_Z: c_uint = 5;

/// Called as a phase has been enqueued.
pub type Mark = Option<unsafe extern "C" fn(*mut c_void, *const c_char, Stream)>;

/// `c2_msm_request` of cuda/msm/msm.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MsmRequest {
    pub n: u64,
    pub points: u64,
    pub group: u32,
    pub montgomery: u32,
    pub workspace_limit: u64,
    pub window_bits: u32,
    pub rounds: i32,
    pub grid: i32,
    pub mark: Mark,
    pub mark_context: *mut c_void,
}

/// `c2_msm_plan` of cuda/msm/msm.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MsmPlan {
    pub request: MsmRequest,
    pub windows: u32,
    pub window_bits: u32,
    pub wide_windows: u32,
    pub windows_per_batch: u32,
    pub rounds: u32,
    pub chunk: u32,
    pub grid_bits: u32,
    pub grid_rounds: u32,
    pub grid_chunk: u32,
    pub segment_bits: u32,
    pub sms: u32,
    pub workspace_bytes: u64,
    pub sums_bytes: u64,
    pub predicted_ms: f64,
}

/// `c2_batch_add_plan` of cuda/batch_add/batch_add.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BatchAddPlan {
    pub entries: u64,
    pub points: u64,
    pub groups: u32,
    pub group: u32,
    pub mark: Mark,
    pub mark_context: *mut c_void,
    pub rounds: u32,
    pub chunk: u32,
    pub sms: u32,
    pub workspace_bytes: u64,
    pub sums_bytes: u64,
}

/// `c2_split_counts` of cuda/split/split.h.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitCounts {
    pub dense: u32,
    pub ones: u32,
    pub tail: u32,
}

/// `c2_ntt_domain` of cuda/ntt/ntt.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NttDomain {
    pub lg: u32,
    pub tables: *const c_void,
}

extern "C" {
    pub fn cudaGetDeviceCount(count: *mut c_int) -> Code;
    pub fn cudaGetDevice(device: *mut c_int) -> Code;
    pub fn cudaSetDevice(device: c_int) -> Code;
    pub fn cudaDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> Code;
    pub fn cudaDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Code;
    pub fn cudaMalloc(ptr: *mut *mut c_void, bytes: usize) -> Code;
    pub fn cudaFree(ptr: *mut c_void) -> Code;
    pub fn cudaHostAlloc(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Code;
    pub fn cudaFreeHost(ptr: *mut c_void) -> Code;
    pub fn cudaMemcpyAsync(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int, stream: Stream) -> Code;
    pub fn cudaMemsetAsync(to: *mut c_void, value: c_int, bytes: usize, stream: Stream) -> Code;
    pub fn cudaStreamCreateWithPriority(stream: *mut Stream, flags: c_uint, priority: c_int) -> Code;
    pub fn cudaStreamSynchronize(stream: Stream) -> Code;
    pub fn cudaStreamWaitEvent(stream: Stream, event: Event, flags: c_uint) -> Code;
    pub fn cudaStreamDestroy(stream: Stream) -> Code;
    pub fn cudaEventCreateWithFlags(event: *mut Event, flags: c_uint) -> Code;
    pub fn cudaEventRecord(event: Event, stream: Stream) -> Code;
    pub fn cudaEventSynchronize(event: Event) -> Code;
    pub fn cudaEventElapsedTime(ms: *mut f32, start: Event, end: Event) -> Code;
    pub fn cudaEventDestroy(event: Event) -> Code;
    pub fn cudaGetErrorString(code: Code) -> *const c_char;
    pub fn cudaMemGetInfo(free: *mut usize, total: *mut usize) -> Code;

    pub fn c2_msm_plan_make(request: *const MsmRequest, plan: *mut MsmPlan) -> Code;
    pub fn c2_msm_g1_run(
        plan: *const MsmPlan,
        points: *const c_void,
        scalars: *const c_void,
        indices: *const u32,
        workspace: *mut c_void,
        workspace_bytes: usize,
        sums: *mut c_void,
        stream: Stream,
    ) -> Code;
    pub fn c2_msm_g2_run(
        plan: *const MsmPlan,
        points: *const c_void,
        scalars: *const c_void,
        indices: *const u32,
        workspace: *mut c_void,
        workspace_bytes: usize,
        sums: *mut c_void,
        stream: Stream,
    ) -> Code;
    pub fn c2_msm_g1_finish(plan: *const MsmPlan, sums: *const c_void, point: *mut c_void);
    pub fn c2_msm_g2_finish(plan: *const MsmPlan, sums: *const c_void, point: *mut c_void);

    pub fn c2_batch_add_plan_make(plan: *mut BatchAddPlan) -> Code;
    pub fn c2_batch_add_g1_run(
        plan: *const BatchAddPlan,
        points: *const c_void,
        indices: *const u32,
        starts: *const u32,
        workspace: *mut c_void,
        workspace_bytes: usize,
        sums: *mut c_void,
        stream: Stream,
    ) -> Code;
    pub fn c2_batch_add_g2_run(
        plan: *const BatchAddPlan,
        points: *const c_void,
        indices: *const u32,
        starts: *const u32,
        workspace: *mut c_void,
        workspace_bytes: usize,
        sums: *mut c_void,
        stream: Stream,
    ) -> Code;
    pub fn c2_batch_add_g1_finish(plan: *const BatchAddPlan, sums: *const c_void, points: *mut c_void);
    pub fn c2_batch_add_g2_finish(plan: *const BatchAddPlan, sums: *const c_void, points: *mut c_void);

    pub fn c2_split_count_bytes(n: u64, bytes: *mut usize) -> Code;
    pub fn c2_split_count(
        n: u64,
        one_bits: *const u32,
        other_bits: *const u32,
        density: *const u32,
        workspace: *mut c_void,
        workspace_bytes: usize,
        counts: *mut SplitCounts,
        stream: Stream,
    ) -> Code;
    pub fn c2_split_gather(
        scalars: *const c_void,
        n: u64,
        one_bits: *const u32,
        other_bits: *const u32,
        density: *const u32,
        first_point: u32,
        workspace: *mut c_void,
        packed_workspace: *mut c_void,
        workspace_bytes: usize,
        ones: *mut u32,
        tail: *mut u32,
        tail_scalars: *mut c_void,
        dense_scalars: *mut c_void,
        stream: Stream,
    ) -> Code;

    pub fn c2_split_cut(list: *const u32, n: u32, step: u32, count: u32, cuts: *mut u32, stream: Stream) -> Code;

    pub fn c2_srs_decode_g1(points: *mut c_void, n: u64, first_index: u64, first_bad: *mut u64, stream: Stream) -> Code;
    pub fn c2_srs_decode_g2(points: *mut c_void, n: u64, first_index: u64, first_bad: *mut u64, stream: Stream) -> Code;

    pub fn c2_ntt_tables_bytes(lg: u32, bytes: *mut usize) -> Code;
    pub fn c2_ntt_tables_build(lg: u32, tables: *mut c_void, bytes: usize, domain: *mut NttDomain, stream: Stream) -> Code;
    pub fn c2_ntt_run(
        domain: *const NttDomain,
        kind: c_uint,
        dst: *mut c_void,
        src: *const c_void,
        workspace: *mut c_void,
        workspace_bytes: usize,
        stream: Stream,
    ) -> Code;
    pub fn c2_fr_multiply(a: *mut c_void, b: *const c_void, n: u64, stream: Stream) -> Code;
    pub fn c2_fr_subtract(a: *mut c_void, b: *const c_void, n: u64, stream: Stream) -> Code;
    pub fn c2_quotient_begin(domain: *const NttDomain, a: *const c_void, a_coset: *mut c_void, work: *mut c_void, stream: Stream) -> Code;
    pub fn c2_quotient_end(
        domain: *const NttDomain,
        a: *mut c_void,
        b: *mut c_void,
        c: *const c_void,
        a_coset: *const c_void,
        work: *mut c_void,
        stream: Stream,
    ) -> Code;
}
