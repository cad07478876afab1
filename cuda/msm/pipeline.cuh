// The order of the steps, for one group: what c2_msm_*_run enqueues.
#pragma once

#include "msm/accumulator.cuh"
#include "msm/bucket_sums.cuh"
#include "msm/finish.h"
#include "msm/grid.cuh"
#include "msm/msm.h"

namespace c2 {

inline MsmShape shape_of(const c2_msm_plan& p) {
    MsmShape s = {};
    s.windows = {p.windows, p.window_bits, p.wide_windows};
    s.per_batch = p.windows_per_batch;
    s.buckets = {p.rounds, p.chunk};
    s.grid_bits = p.grid_bits;
    s.grid = {p.grid_rounds, p.grid_chunk};
    s.segment_bits = p.segment_bits;
    s.predicted_ns = p.predicted_ms * 1e6;
    return s;
}

template <class F>
struct Msm {
    static constexpr u32 V = F::VECTORS;
    const c2_msm_plan& plan;
    const MsmShape shape;
    const MsmPolicy& policy;
    Accumulator<F> buckets = {}, grid = {};
    uint4 *segments, *window_sums, *grid_table;
    u32 *grid_keys, *grid_refs, *collected;
    u64 capacity = 0;  // of the grid's table

    explicit Msm(const c2_msm_plan& p) : plan(p), shape(shape_of(p)), policy(msm_policy(F::FP_COUNT)) {}

    cudaError_t lay_out(Arena& arena) {
        segments = arena.take<uint4>(((u64)shape.sets() << shape.index_bits()) * 2 * 4 * V);
        window_sums = arena.take<uint4>((u64)shape.sums() * 4 * V);
        if (shape.grid_bits) {
            capacity = grid_capacity(plan.request.n, shape);
            grid_table = arena.take<uint4>(capacity * 2 * V);
            grid_keys = arena.take<u32>(2 * capacity);
            grid_refs = arena.take<u32>(2 * capacity);
            collected = arena.take<u32>(1);
        }
        // the grid takes over the batches' memory
        const size_t shared = arena.used();
        C2_TRY(buckets.lay_out(arena, plan.request.n * shape.per_batch, shape.batch_buckets(), shape.buckets, policy, plan.sms));
        if (!shape.grid_bits) return cudaSuccess;
        const size_t end = arena.used();
        arena.rewind(shared);
        C2_TRY(grid.lay_out(arena, 2 * capacity, shape.sets() << shape.grid_bits, shape.grid, policy, plan.sms));
        arena.rewind(std::max(end, arena.used()));
        return cudaSuccess;
    }

    cudaError_t fold(const uint4* sums, u32 first_set, u32 sets, const Phases& phases) {
        const u32 folded = sets << shape.index_bits();
        fold_segments<F><<<blocks_for(folded, 128), 128, 0, phases.stream>>>(
            sums, folded, shape.segment_bits, segments + ((u64)first_set << shape.index_bits()) * 2 * 4 * V);
        return phases.end("fold");
    }

    // Digits of `count` windows from `first` on, and their buckets: to segments, or to the grid.
    cudaError_t run_batch(const uint4* points, const uint4* scalars, const u32* indices, u32 first, u32 count,
                          const Phases& phases) {
        const u64 n = plan.request.n;
        u32 in;
        buckets.buckets = count << shape.bucket_bits();
        buckets.entries = n * count;
        make_digits<<<blocks_for(n, 256), 256, 0, phases.stream>>>(
            scalars, indices, n, plan.request.montgomery != 0, digit_bias(shape.windows), shape.windows, first, count,
            buckets.keys[0], buckets.refs[0]);
        C2_TRY(phases.end("digits"));
        C2_TRY(buckets.sort(n * count, buckets.buckets, in, phases));
        const Source<F> source = {points, buckets.node_x, buckets.node_y, (u32)plan.request.points};
        C2_TRY(buckets.reduce(source, in, phases));
        if (!shape.grid_bits) {
            C2_TRY(buckets.sum(source, phases));
            return fold(buckets.sums, first, count, phases);
        }
        const u32* left = buckets.last_list() + buckets.buckets;
        const u64 most = entries_after(buckets.entries, buckets.buckets, shape.buckets.rounds);
        collect_buckets<F><<<blocks_for(most, 128), 128, 0, phases.stream>>>(
            source, buckets.left_keys, buckets.left_refs, left, first, shape.bucket_bits(), shape.grid_bits, capacity, collected,
            grid_table, grid_keys, grid_refs);
        C2_TRY(phases.end("collect"));
        advance_collected<<<1, 1, 0, phases.stream>>>(left, collected);
        return phases.end("collect");
    }

    cudaError_t run_grid(const Phases& phases) {
        u32 in;
        C2_TRY(cudaMemcpyAsync(grid.keys[0], grid_keys, 2 * capacity * 4, cudaMemcpyDeviceToDevice, phases.stream));
        C2_TRY(cudaMemcpyAsync(grid.refs[0], grid_refs, 2 * capacity * 4, cudaMemcpyDeviceToDevice, phases.stream));
        C2_TRY(grid.sort(2 * capacity, grid.buckets, in, phases));
        const Source<F> source = {grid_table, grid.node_x, grid.node_y, (u32)capacity};
        C2_TRY(grid.reduce(source, in, phases));
        C2_TRY(grid.sum(source, phases));
        return fold(grid.sums, 0, shape.sets(), phases);
    }

    cudaError_t run(const uint4* points, const uint4* scalars, const u32* indices, void* sums, const Phases& phases) {
        if (shape.grid_bits) {
            C2_TRY(cudaMemsetAsync(collected, 0, sizeof(u32), phases.stream));
            // no key: sorts behind all
            C2_TRY(cudaMemsetAsync(grid_keys, 0xff, 2 * capacity * 4, phases.stream));
        }
        for (u32 first = 0; first < shape.windows.count; first += shape.per_batch)
            C2_TRY(run_batch(points, scalars, indices, first, std::min(shape.per_batch, shape.windows.count - first), phases));
        if (shape.grid_bits) C2_TRY(run_grid(phases));
        select_sums<F><<<dim3(2 + shape.index_bits(), shape.sets()), policy.sum_threads, policy.sum_threads * 64 * V,
                         phases.stream>>>(segments, shape.index_bits(), window_sums);
        C2_TRY(phases.end("select"));
        return cudaMemcpyAsync(sums, window_sums, plan.sums_bytes, cudaMemcpyDeviceToHost, phases.stream);
    }
};

template <class F>
cudaError_t msm_bytes(const c2_msm_plan& plan, size_t* bytes) {
    Msm<F> msm(plan);
    Arena arena(nullptr, 0);
    C2_TRY(msm.lay_out(arena));
    *bytes = arena.used();
    return cudaSuccess;
}

template <class F>
cudaError_t msm_run(const c2_msm_plan* plan, const void* points, const void* scalars, const u32* indices, void* workspace,
                    size_t workspace_bytes, void* sums, cudaStream_t stream) {
    if (plan->request.group != F::FP_COUNT) return cudaErrorInvalidValue;
    if (plan->request.n == 0) return cudaSuccess;
    Msm<F> msm(*plan);
    Arena arena(workspace, workspace_bytes);
    C2_TRY(msm.lay_out(arena));
    if (!arena.fits() || plan->workspace_bytes > workspace_bytes) return cudaErrorInvalidValue;
    return msm.run((const uint4*)points, (const uint4*)scalars, indices, sums,
                   {plan->request.mark, plan->request.mark_context, stream});
}

template <class F>
void msm_finish(const c2_msm_plan* plan, const void* sums, void* point) {
    Affine<F> r;
    if (plan->request.n == 0)
        set_infinity(r);
    else
        r = finish_windows((const Xyzz<F>*)sums, shape_of(*plan));
    memcpy(point, &r, sizeof r);
}

}  // namespace c2
