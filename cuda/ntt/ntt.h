// Number-theoretic transforms over Fr, sizes 2^1 to 2^28: the C face of cuda/ntt.
//
// Values are blst_fr in memory (Montgomery form, 32 bytes, canonical) and in natural order on both sides. With w the
// root of unity of order n that bellperson uses, and the coset generator 7:
//
//   forward          X[k] = sum of x[i] w^(i k)
//   inverse          x[i] = 1/n sum of X[k] w^(-i k)
//   coset forward    values on 7 w^k of the polynomial with coefficients x[i]
//   coset inverse    back from them
//   ... over Z       the inverse transforms, times 1 / (7^n - 1): what the quotient divides by
//
// Nothing here allocates or synchronises: ask for the sizes, then pass device memory. A domain's tables are read-only
// once built, so any number of transforms may share them; two that run at the same time need two workspaces. Results
// are the same bit for bit on every run and every GPU.
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define C2_NTT_MAX_LG 28

typedef enum c2_ntt_kind {
    C2_NTT_FORWARD,
    C2_NTT_INVERSE,
    C2_NTT_COSET_FORWARD,
    C2_NTT_COSET_INVERSE,
    C2_NTT_INVERSE_OVER_Z,
    C2_NTT_COSET_INVERSE_OVER_Z
} c2_ntt_kind;

// The roots and factors of one size, on the device. Plain data: copy it freely, free `tables` when done.
typedef struct c2_ntt_domain {
    uint32_t lg;
    const void* tables;
} c2_ntt_domain;

// Bytes of tables for size 2^lg. cudaErrorInvalidValue outside 1..28.
cudaError_t c2_ntt_tables_bytes(uint32_t lg, size_t* bytes);
// Fills them on the stream and describes them in `domain`.
cudaError_t c2_ntt_tables_build(uint32_t lg, void* tables, size_t bytes, c2_ntt_domain* domain, cudaStream_t stream);

cudaError_t c2_ntt_workspace_bytes(uint32_t lg, size_t* bytes);
// dst = the transform of src. dst may be src; the workspace may be src too, whose content is then lost, but not dst.
cudaError_t c2_ntt_run(const c2_ntt_domain* domain, c2_ntt_kind kind, void* dst, const void* src, void* workspace,
                       size_t workspace_bytes, cudaStream_t stream);

// The tuning numbers in force, as one line of text.
const char* c2_ntt_policy(void);

#ifdef __cplusplus
}
#endif
