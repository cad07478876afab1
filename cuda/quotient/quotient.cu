// Six transforms and nothing else: products and the difference ride in their first and last passes.
#include "quotient/quotient.h"

#include "check.cuh"
#include "ntt/enqueue.h"

using namespace c2;

extern "C" cudaError_t c2_quotient_workspace_bytes(uint32_t lg, size_t* bytes) {
    if (lg < 1 || lg > C2_NTT_MAX_LG || !bytes) return cudaErrorInvalidValue;
    *bytes = 2 * (sizeof(Fr) << lg);
    return cudaSuccess;
}

extern "C" cudaError_t c2_quotient_run(const c2_ntt_domain* domain, void* a_values, void* b_values,
                                       const void* c_values, void* workspace, size_t workspace_bytes,
                                       cudaStream_t stream) {
    if (!domain || !domain->tables || !a_values || !b_values || !workspace) return cudaErrorInvalidValue;
    size_t needed;
    C2_TRY(c2_quotient_workspace_bytes(domain->lg, &needed));
    if (workspace_bytes < needed) return cudaErrorInvalidValue;

    Fr *a = (Fr*)a_values, *b = (Fr*)b_values, *c = (Fr*)workspace, *t = c + ((size_t)1 << domain->lg);
    const Fr *c_in = c_values ? (const Fr*)c_values : a, *c_times = c_values ? nullptr : b;
    C2_TRY(ntt_enqueue({domain, C2_NTT_INVERSE_OVER_Z, c_in, c_times, nullptr, c, t}, stream));
    C2_TRY(ntt_enqueue({domain, C2_NTT_INVERSE, a, nullptr, nullptr, a, t}, stream));
    C2_TRY(ntt_enqueue({domain, C2_NTT_COSET_FORWARD, a, nullptr, nullptr, a, t}, stream));
    C2_TRY(ntt_enqueue({domain, C2_NTT_INVERSE, b, nullptr, nullptr, b, t}, stream));
    C2_TRY(ntt_enqueue({domain, C2_NTT_COSET_FORWARD, b, nullptr, nullptr, b, t}, stream));
    return ntt_enqueue({domain, C2_NTT_COSET_INVERSE_OVER_Z, a, b, c, a, t}, stream);
}
