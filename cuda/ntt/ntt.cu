// Transforms: from the plan to launches.
#include "ntt/ntt.h"

#include <cstdio>

#include "check.cuh"
#include "ntt/enqueue.h"
#include "ntt/pass.cuh"

namespace c2 {

cudaError_t ntt_enqueue(const NttCall& call, cudaStream_t stream) {
    const int kind = call.kind;
    const bool inverse_direction = ntt_is_inverse(call.kind), coset = ntt_is_coset(call.kind);
    const NttPlan plan = ntt_plan((int)call.domain->lg);
    const NttTables at = ntt_tables(plan);
    const Fr* tables = (const Fr*)call.domain->tables;
    const int d = inverse_direction;
    const bool scale_in = coset && !inverse_direction, scale_out = coset && inverse_direction;
    if (call.times && scale_in) return cudaErrorInvalidValue;
    if (plan.passes == 1)
        return launch_small(call, tables + at.inner[d][0], scale_in ? tables + at.pre[kind] : nullptr,
                            tables + at.post[kind], stream);

    PassArgs args = {};
    args.lg = plan.lg;
    args.roots = butterfly_roots(ntt_root(3, inverse_direction));

    args.src = call.src;
    args.dst = call.work;
    args.factor = scale_in ? tables + at.pre[kind] : call.times;
    args.factor_is_vector = call.times != nullptr;
    args.inner = tables + at.inner[d][0];
    C2_TRY(launch_first(args, plan.bits[0], stream));

    args.src = call.work;
    args.factor_is_vector = false;
    args.first_bits = plan.bits[0];
    if (plan.passes == 3) {
        args.factor = tables + at.middle[kind];
        args.column = tables + at.column[d];
        args.inner = tables + at.inner[d][1];
        C2_TRY(launch_middle(args, stream));
    }
    args.dst = call.dst;
    args.factor = tables + at.last[kind];
    args.inner = tables + at.inner[d][plan.passes - 1];
    args.post = scale_out ? tables + at.post[kind] : nullptr;
    args.minus = call.minus;
    return launch_last(args, plan.bits[plan.passes - 1], stream);
}

}  // namespace c2

using namespace c2;

extern "C" cudaError_t c2_ntt_workspace_bytes(uint32_t lg, size_t* bytes) {
    if (lg < 1 || lg > C2_NTT_MAX_LG || !bytes) return cudaErrorInvalidValue;
    *bytes = sizeof(Fr) << lg;
    return cudaSuccess;
}

extern "C" cudaError_t c2_ntt_run(const c2_ntt_domain* domain, c2_ntt_kind kind, void* dst, const void* src,
                                  void* workspace, size_t workspace_bytes, cudaStream_t stream) {
    if (!domain || !domain->tables || !dst || !src || !workspace || workspace == dst) return cudaErrorInvalidValue;
    if (kind < 0 || kind >= NTT_KINDS) return cudaErrorInvalidValue;
    size_t needed;
    C2_TRY(c2_ntt_workspace_bytes(domain->lg, &needed));
    if (workspace_bytes < needed) return cudaErrorInvalidValue;
    return ntt_enqueue({domain, kind, (const Fr*)src, nullptr, nullptr, (Fr*)dst, (Fr*)workspace}, stream);
}

extern "C" const char* c2_ntt_policy(void) {
    static char text[160];
    snprintf(text, sizeof text, "ntt: tile 2^%d, %d threads, %d blocks/SM, %d stage(s) unrolled, small up to 2^%d, middle 2^%d",
             NTT_POLICY.lg_tile, NTT_THREADS, NTT_POLICY.blocks_per_sm, NTT_POLICY.stages_unrolled, NTT_POLICY.small_lg,
             NTT_POLICY.middle_bits);
    return text;
}
