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

extern "C" cudaError_t c2_quotient_begin(const c2_ntt_domain* domain, const void* a, void* a_coset, void* work,
                                         cudaStream_t stream) {
    if (!domain || !domain->tables || !a || !a_coset || !work) return cudaErrorInvalidValue;
    Fr *to = (Fr*)a_coset, *t = (Fr*)work;
    C2_TRY(ntt_enqueue({domain, C2_NTT_INVERSE, (const Fr*)a, nullptr, nullptr, to, t}, stream));
    return ntt_enqueue({domain, C2_NTT_COSET_FORWARD, to, nullptr, nullptr, to, t}, stream);
}

extern "C" cudaError_t c2_quotient_end(const c2_ntt_domain* domain, void* a_values, void* b_values,
                                       const void* c_values, const void* a_coset, void* work, cudaStream_t stream) {
    if (!domain || !domain->tables || !a_values || !b_values || !a_coset || !work) return cudaErrorInvalidValue;
    // c takes a's place, which nothing else needs by now; so does H, each element read before it is written.
    Fr *a = (Fr*)a_values, *b = (Fr*)b_values, *t = (Fr*)work;
    const Fr *c_in = c_values ? (const Fr*)c_values : a, *c_times = c_values ? nullptr : b;
    C2_TRY(ntt_enqueue({domain, C2_NTT_INVERSE_OVER_Z, c_in, c_times, nullptr, a, t}, stream));
    C2_TRY(ntt_enqueue({domain, C2_NTT_INVERSE, b, nullptr, nullptr, b, t}, stream));
    C2_TRY(ntt_enqueue({domain, C2_NTT_COSET_FORWARD, b, nullptr, nullptr, b, t}, stream));
    return ntt_enqueue({domain, C2_NTT_COSET_INVERSE_OVER_Z, (const Fr*)a_coset, b, a, a, t}, stream);
}

extern "C" cudaError_t c2_quotient_run(const c2_ntt_domain* domain, void* a_values, void* b_values,
                                       const void* c_values, void* workspace, size_t workspace_bytes,
                                       cudaStream_t stream) {
    if (!domain || !domain->tables || !a_values || !b_values || !workspace) return cudaErrorInvalidValue;
    size_t needed;
    C2_TRY(c2_quotient_workspace_bytes(domain->lg, &needed));
    if (workspace_bytes < needed) return cudaErrorInvalidValue;

    void* work = (Fr*)workspace + ((size_t)1 << domain->lg);
    C2_TRY(c2_quotient_begin(domain, a_values, workspace, work, stream));
    return c2_quotient_end(domain, a_values, b_values, c_values, workspace, work, stream);
}
