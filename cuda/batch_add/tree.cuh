// Groups of points, each summed by a pairwise tree: the MSM's accumulator over lists that need no sorting.
#pragma once

#include "batch_add/batch_add.h"
#include "msm/accumulator.cuh"
#include "msm/policy.h"

namespace c2 {

// Entry i belongs to the last group that starts at or before it (groups are few; empty ones own nothing).
static __global__ void __launch_bounds__(256)
    load_groups(const u32* __restrict__ indices, const u32* __restrict__ starts, u32 groups, u32* __restrict__ keys,
                u32* __restrict__ refs, u32* __restrict__ list) {
    u32 i = blockIdx.x * 256 + threadIdx.x;
    if (i <= groups) list[i] = starts[i];
    if (i >= starts[groups]) return;
    u32 lo = 0, hi = groups;  // starts[lo] <= i < starts[hi]
    while (hi - lo > 1) {
        u32 mid = (lo + hi) / 2;
        if (starts[mid] <= i)
            lo = mid;
        else
            hi = mid;
    }
    keys[i] = lo;
    refs[i] = indices[i];
}

template <class F>
cudaError_t tree_lay_out(const c2_batch_add_plan& plan, Arena& arena, Accumulator<F>& a) {
    return a.lay_out(arena, plan.entries, plan.groups, {plan.rounds, plan.chunk}, msm_policy(F::FP_COUNT), plan.sms);
}

template <class F>
cudaError_t tree_bytes(const c2_batch_add_plan& plan, size_t* bytes) {
    Accumulator<F> a = {};
    Arena arena(nullptr, 0);
    C2_TRY(tree_lay_out(plan, arena, a));
    *bytes = arena.used();
    return cudaSuccess;
}

template <class F>
cudaError_t tree_run(const c2_batch_add_plan* plan, const void* points, const u32* indices, const u32* starts,
                     void* workspace, size_t workspace_bytes, void* sums, cudaStream_t stream) {
    if (plan->group != F::FP_COUNT) return cudaErrorInvalidValue;
    if (plan->entries == 0 || plan->groups == 0) {
        memset(sums, 0, plan->sums_bytes);
        return cudaSuccess;
    }
    Accumulator<F> a = {};
    Arena arena(workspace, workspace_bytes);
    C2_TRY(tree_lay_out(*plan, arena, a));
    if (!arena.fits()) return cudaErrorInvalidValue;
    const Phases phases = {plan->mark, plan->mark_context, stream};
    const u64 threads = std::max<u64>(plan->entries, plan->groups + 1);
    load_groups<<<blocks_for(threads, 256), 256, 0, stream>>>(indices, starts, plan->groups, a.keys[0], a.refs[0], a.lists);
    C2_TRY(phases.end("load"));
    const Source<F> source = {(const uint4*)points, a.node_x, a.node_y, (u32)plan->points};
    C2_TRY(a.reduce(source, 0, phases));
    C2_TRY(a.sum(source, phases));
    return cudaMemcpyAsync(sums, a.sums, plan->sums_bytes, cudaMemcpyDeviceToHost, stream);
}

template <class F>
void tree_finish(const c2_batch_add_plan* plan, const void* sums, void* points) {
    for (u32 g = 0; g < plan->groups; g++) ((Affine<F>*)points)[g] = to_affine(((const Xyzz<F>*)sums)[g]);
}

cudaError_t batch_add_g1_bytes(const c2_batch_add_plan& plan, size_t* bytes);
cudaError_t batch_add_g2_bytes(const c2_batch_add_plan& plan, size_t* bytes);

}  // namespace c2
