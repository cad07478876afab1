// Plans: the cost model's choice, made to fit the memory there is.
#include <cstdio>

#include "msm/launch.cuh"
#include "msm/instances.h"
#include "msm/digits.cuh"
#include "msm/plan.h"

using namespace c2;

namespace {

// Into `plan` the cheapest shape that fits, with the grid or without (-1: either); cudaErrorMemoryAllocation: none does.
cudaError_t fit(const c2_msm_request& request, u32 sms, int grid, c2_msm_plan* plan) {
    const MsmPolicy& policy = msm_policy(request.group);
    const u64 n = request.n;
    u64 batch = policy.batch_entries;
    for (;;) {
        MsmShape s = best_msm_shape(policy, sms, n, request.window_bits, request.rounds, grid, batch);
        plan->request = request;
        plan->windows = s.windows.count;
        plan->window_bits = s.windows.bits;
        plan->wide_windows = s.windows.wide;
        plan->windows_per_batch = s.per_batch;
        plan->rounds = s.buckets.rounds;
        plan->chunk = s.buckets.chunk;
        plan->grid_bits = s.grid_bits;
        plan->grid_rounds = s.grid.rounds;
        plan->grid_chunk = s.grid.chunk;
        plan->segment_bits = s.segment_bits;
        plan->sms = sms;
        plan->predicted_ms = s.predicted_ns * 1e-6;
        // nodes share the reference's 31 bits with the points
        if (request.points + n * s.per_batch >= SIGN) return cudaErrorInvalidValue;
        size_t bytes = 0;
        C2_TRY(request.group == 1 ? msm_g1_bytes(*plan, &bytes) : msm_g2_bytes(*plan, &bytes));
        plan->workspace_bytes = bytes;
        plan->sums_bytes = (uint64_t)s.sums() * 4 * 48 * request.group;
        if (!request.workspace_limit || bytes <= request.workspace_limit) return cudaSuccess;
        if (s.per_batch == 1) return cudaErrorMemoryAllocation;
        batch = n * (s.per_batch - 1);
    }
}

}  // namespace

extern "C" cudaError_t c2_msm_plan_make(const c2_msm_request* request, c2_msm_plan* plan) {
    const uint64_t n = request->n;
    if ((request->group != 1 && request->group != 2) || request->window_bits > 24 || request->window_bits == 1 ||
        request->rounds > (int)MAX_ROUNDS || request->points >= SIGN || n > (1u << 28))
        return cudaErrorInvalidValue;
    *plan = {};
    plan->request = *request;
    if (n == 0) return cudaSuccess;
    int device, sms;
    C2_TRY(cudaGetDevice(&device));
    C2_TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    cudaError_t any = fit(*request, sms, request->grid, plan);
    if (!request->workspace_limit || request->grid >= 0 || (any != cudaSuccess && any != cudaErrorMemoryAllocation)) return any;
    // The grid takes memory for the buckets of all windows at once: without it a larger batch may fit, or anything at all.
    c2_msm_plan without = {};
    cudaError_t other = fit(*request, sms, 0, &without);
    if (other == cudaSuccess && (any != cudaSuccess || without.predicted_ms < plan->predicted_ms)) *plan = without;
    return other == cudaSuccess ? other : any;
}

extern "C" int c2_msm_plan_print(const c2_msm_plan* p, char* text, size_t bytes) {
    const MsmPolicy& y = msm_policy(p->request.group);
    return snprintf(
        text, bytes,
        "{\"group\":%u,\"n\":%llu,\"windows\":%u,\"window_bits\":%u,\"wide_windows\":%u,\"windows_per_batch\":%u,"
        "\"rounds\":%u,\"chunk\":%u,\"grid_bits\":%u,\"grid_rounds\":%u,\"grid_chunk\":%u,\"segment_bits\":%u,"
        "\"workspace_bytes\":%llu,\"predicted_ms\":%.3f,\"policy\":{\"arch\":\"%s\",\"pairs_per_thread\":%u,"
        "\"full_threads_per_sm\":%u,\"batch_entries\":%llu,\"chunk\":[%u,%u],\"chunk_threads_per_sm\":%u,"
        "\"fold_threads_per_sm\":%u,\"segment_bits_max\":%u,\"sum_threads\":%u,\"tree_chunk\":%u,\"digit_ns\":%g,"
        "\"sort_pass_ns\":%g,\"collect_ns\":%g,\"affine_ns\":%g,\"xyzz_ns\":%g,\"add_latency_ns\":%g,"
        "\"bucket_ns\":%g,\"fold_ns\":%g,\"round_ns\":%g,\"batch_ns\":%g,\"run_ns\":%g}}",
        p->request.group, (unsigned long long)p->request.n, p->windows, p->window_bits, p->wide_windows,
        p->windows_per_batch, p->rounds, p->chunk, p->grid_bits, p->grid_rounds, p->grid_chunk, p->segment_bits,
        (unsigned long long)p->workspace_bytes, p->predicted_ms, y.arch, y.pairs_per_thread, y.full_threads_per_sm,
        (unsigned long long)y.batch_entries, y.chunk_min, y.chunk_max, y.chunk_threads_per_sm, y.fold_threads_per_sm,
        y.segment_bits_max, y.sum_threads, y.tree_chunk, y.digit_ns, y.sort_pass_ns, y.collect_ns, y.affine_ns, y.xyzz_ns,
        y.add_latency_ns, y.bucket_ns, y.fold_ns, y.round_ns, y.batch_ns, y.run_ns);
}
