/* Sums of points, no scalars: what the ones of an assignment contribute. Several sums at once, for several circuits or
 * queries over one table: a sum is a group of indices. Affine pairwise trees over all groups together.
 */
#ifndef C2_BATCH_ADD_H
#define C2_BATCH_ADD_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called as a phase has been enqueued, to record an event on its stream. */
typedef void (*c2_batch_add_mark)(void* context, const char* phase, cudaStream_t stream);

typedef struct c2_batch_add_plan {
    uint64_t entries;         /* indices of all groups together, at most */
    uint64_t points;          /* length of the table */
    uint32_t groups, group;   /* sums; 1: G1, 2: G2 */
    c2_batch_add_mark mark;   /* or NULL */
    void* mark_context;
    uint32_t rounds, chunk;   /* batch-affine rounds; then entries an XYZZ thread adds */
    uint32_t sms;
    uint64_t workspace_bytes; /* device memory that run needs */
    uint64_t sums_bytes;      /* host memory for the sums */
} c2_batch_add_plan;

/* For the current device; set the fields down to mark_context, the rest is filled in. */
cudaError_t c2_batch_add_plan_make(c2_batch_add_plan* plan);

/* indices: entries of group g are starts[g] .. starts[g + 1]; starts: groups + 1 numbers, the first 0. Both, and the
 * points (affine, Montgomery form, blst's bytes), on the device. sums: host memory. Enqueues only. */
cudaError_t c2_batch_add_g1_run(const c2_batch_add_plan* plan, const void* points, const uint32_t* indices,
                                const uint32_t* starts, void* workspace, size_t workspace_bytes, void* sums,
                                cudaStream_t stream);
cudaError_t c2_batch_add_g2_run(const c2_batch_add_plan* plan, const void* points, const uint32_t* indices,
                                const uint32_t* starts, void* workspace, size_t workspace_bytes, void* sums,
                                cudaStream_t stream);

/* points: one a group, affine, canonical Montgomery words, all zero for infinity. */
void c2_batch_add_g1_finish(const c2_batch_add_plan* plan, const void* sums, void* points);
void c2_batch_add_g2_finish(const c2_batch_add_plan* plan, const void* sums, void* points);

#ifdef __cplusplus
}
#endif

#endif
