/* Multi-scalar multiplication on the device: sum of scalars[i] * points[i], i < n, in G1 or G2.
 *
 * Three steps: c2_msm_plan says how it will be computed and how much memory that takes; c2_msm_*_run enqueues it on a
 * stream, allocates nothing and waits for nothing; c2_msm_*_finish, on the host and after the stream has reached the end
 * of the run, folds the window sums into one point.
 *
 * Points: affine, Montgomery form, blst's bytes (96 in G1, 192 in G2, infinity all zero), on the curve, on the device.
 * Scalars: 32 bytes, little-endian words, on the device; any 256-bit value, meant modulo r.
 */
#ifndef C2_MSM_H
#define C2_MSM_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called as a phase has been enqueued, to record an event on its stream. */
typedef void (*c2_phase_mark)(void* context, const char* phase, cudaStream_t stream);

typedef struct c2_msm_request {
    uint64_t n;               /* terms */
    uint64_t points;          /* length of the table of points; n, unless indices choose among them */
    uint32_t group;           /* 1 or 2 */
    uint32_t montgomery;      /* scalars in Montgomery form (1) or canonical (0) */
    uint64_t workspace_limit; /* bytes; 0: no limit */
    uint32_t window_bits;     /* 0: from the cost model */
    int32_t rounds;           /* batch-affine rounds; -1: from the cost model */
    int32_t grid;             /* bucket sums through the grid (1), by running sums (0); -1: from the cost model */
    c2_phase_mark mark;       /* or NULL */
    void* mark_context;
} c2_msm_request;

typedef struct c2_msm_plan {
    c2_msm_request request;
    uint32_t windows, window_bits, wide_windows; /* signed digits; the first wide_windows of window_bits, the others of
                                                    one bit less */
    uint32_t windows_per_batch;                  /* sorted and accumulated together */
    uint32_t rounds, chunk;                      /* batch-affine rounds; then entries an XYZZ thread adds */
    uint32_t grid_bits, grid_rounds, grid_chunk; /* bucket sums by rows and columns of 2^grid_bits; 0: running sums */
    uint32_t segment_bits;                       /* log2 of the groups one thread folds */
    uint32_t sms;                                /* multiprocessors of the device it was planned for */
    uint64_t workspace_bytes;                    /* device memory that run needs */
    uint64_t sums_bytes;                         /* host memory for the window sums */
    double predicted_ms;                         /* what the cost model expects */
} c2_msm_plan;

/* For the current device. cudaErrorInvalidValue: no such group, too many terms; cudaErrorMemoryAllocation: no plan
 * within workspace_limit. */
cudaError_t c2_msm_plan_make(const c2_msm_request* request, c2_msm_plan* plan);

/* One line of JSON: the plan and the policy's numbers. Returns the length as snprintf does. */
int c2_msm_plan_print(const c2_msm_plan* plan, char* text, size_t bytes);

/* indices: NULL, or n positions in the table of points. sums: host memory (pinned, to stay asynchronous). */
cudaError_t c2_msm_g1_run(const c2_msm_plan* plan, const void* points, const void* scalars, const uint32_t* indices,
                          void* workspace, size_t workspace_bytes, void* sums, cudaStream_t stream);
cudaError_t c2_msm_g2_run(const c2_msm_plan* plan, const void* points, const void* scalars, const uint32_t* indices,
                          void* workspace, size_t workspace_bytes, void* sums, cudaStream_t stream);

/* point: affine, canonical Montgomery words (96 or 192 bytes), all zero for infinity. */
void c2_msm_g1_finish(const c2_msm_plan* plan, const void* sums, void* point);
void c2_msm_g2_finish(const c2_msm_plan* plan, const void* sums, void* point);

#ifdef __cplusplus
}
#endif

#endif
