// The order of the steps, for one group: what c2_msm_*_run enqueues.
#pragma once

#include "msm/accumulator.cuh"
#include "msm/bucket_sums.cuh"
#include "msm/finish.h"
#include "msm/msm.h"

namespace c2 {

inline int bits_for(u64 values) {
    int bits = 1;
    while ((1ull << bits) < values) bits++;
    return bits;
}

template <class F>
struct Msm {
    static constexpr u32 V = F::VECTORS;
    Accumulator<F> accumulator;
    uint4 *segments, *window_sums;

    cudaError_t lay_out(Arena& arena, u64 n, const MsmShape& shape, const MsmPolicy& policy, u32 sms) {
        segments = arena.take<uint4>(((u64)shape.windows << shape.index_bits()) * 2 * 4 * V);
        window_sums = arena.take<uint4>((u64)shape.windows * sums_per_window(shape.index_bits()) * 4 * V);
        return accumulator.lay_out(arena, n * shape.windows_per_batch, shape.buckets(), shape.rounds, shape.chunk, policy,
                                   sms, true);
    }

    // Digits of `count` windows from `first` on, their buckets, and the folded segments of these.
    cudaError_t run_batch(const c2_msm_plan& plan, const MsmShape& shape, const MsmPolicy& policy, const uint4* points,
                          const uint4* scalars, const u32* indices, u32 first, u32 count, const Phases& phases) {
        const cudaStream_t stream = phases.stream;
        const u64 n = plan.request.n, entries = n * count;
        const u32 buckets = count * shape.buckets_per_window();
        Accumulator<F>& a = accumulator;
        make_digits<<<blocks_for(n, 256), 256, 0, stream>>>(scalars, indices, n, plan.request.montgomery != 0,
                                                           digit_bias(shape.window_bits), shape.window_bits, first, count,
                                                           a.keys[0], a.refs[0]);
        C2_TRY(phases.end("digits"));
        cub::DoubleBuffer<u32> keys(a.keys[0], a.keys[1]), refs(a.refs[0], a.refs[1]);
        C2_TRY(cub::DeviceRadixSort::SortPairs(a.temp, a.temp_bytes, keys, refs, entries, 0, bits_for(buckets + 1), stream));
        if (keys.selector != refs.selector) return cudaErrorUnknown;  // cub moves both or neither
        find_starts<<<blocks_for(buckets + 1, 256), 256, 0, stream>>>(keys.Current(), (u32)entries, buckets, a.lists);
        C2_TRY(phases.end("sort"));
        C2_TRY(a.run(points, (u32)plan.request.points, entries, buckets, shape.rounds, shape.chunk, keys.selector, policy,
                     plan.sms, phases));
        const u32 folded = buckets >> shape.segment_bits;
        fold_segments<F><<<blocks_for(folded, 128), 128, 0, stream>>>(
            a.sums, folded, shape.segment_bits, segments + ((u64)first << shape.index_bits()) * 2 * 4 * V);
        return phases.end("fold");
    }

    cudaError_t run(const c2_msm_plan& plan, const MsmShape& shape, const MsmPolicy& policy, const uint4* points,
                    const uint4* scalars, const u32* indices, void* sums, cudaStream_t stream) {
        const Phases phases = {plan.request.mark, plan.request.mark_context, stream};
        for (u32 first = 0; first < shape.windows; first += shape.windows_per_batch)
            C2_TRY(run_batch(plan, shape, policy, points, scalars, indices, first,
                             std::min(shape.windows_per_batch, shape.windows - first), phases));
        const u32 per_window = sums_per_window(shape.index_bits());
        select_sums<F><<<dim3(per_window, shape.windows), policy.sum_threads, policy.sum_threads * 64 * V, stream>>>(
            segments, shape.index_bits(), window_sums);
        C2_TRY(phases.end("select"));
        return cudaMemcpyAsync(sums, window_sums, plan.sums_bytes, cudaMemcpyDeviceToHost, stream);
    }
};

inline MsmShape shape_of(const c2_msm_plan& p) {
    return {p.window_bits, p.windows, p.windows_per_batch, p.rounds, p.chunk, p.segment_bits, p.predicted_ms * 1e6};
}

template <class F>
cudaError_t msm_bytes(const c2_msm_plan& plan, size_t* bytes) {
    Msm<F> msm;
    Arena arena(nullptr, 0);
    C2_TRY(msm.lay_out(arena, plan.request.n, shape_of(plan), msm_policy(F::FP_COUNT), plan.sms));
    *bytes = arena.used();
    return cudaSuccess;
}

template <class F>
cudaError_t msm_run(const c2_msm_plan* plan, const void* points, const void* scalars, const u32* indices, void* workspace,
                    size_t workspace_bytes, void* sums, cudaStream_t stream) {
    if (plan->request.group != F::FP_COUNT) return cudaErrorInvalidValue;
    if (plan->request.n == 0) return cudaSuccess;
    const MsmPolicy& policy = msm_policy(F::FP_COUNT);
    const MsmShape shape = shape_of(*plan);
    Msm<F> msm;
    Arena arena(workspace, workspace_bytes);
    C2_TRY(msm.lay_out(arena, plan->request.n, shape, policy, plan->sms));
    if (!arena.fits() || plan->workspace_bytes > workspace_bytes) return cudaErrorInvalidValue;
    return msm.run(*plan, shape, policy, (const uint4*)points, (const uint4*)scalars, indices, sums, stream);
}

template <class F>
void msm_finish(const c2_msm_plan* plan, const void* sums, void* point) {
    Affine<F> r;
    if (plan->request.n == 0)
        set_infinity(r);
    else
        r = finish_windows((const Xyzz<F>*)sums, plan->windows, plan->window_bits, plan->segment_bits);
    memcpy(point, &r, sizeof r);
}

}  // namespace c2
