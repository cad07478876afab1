// The quotient H = (A B - C) / Z of Groth16 on the device: the C face of cuda/quotient.
//
// In: the values a and b of A and B on the domain of size n = 2^lg, canonical blst_fr in natural order. On a satisfied
// circuit c = a b there, so c is optional. Z = x^n - 1 is the constant 7^n - 1 on the coset 7 w^k, and by linearity
//
//   H (7^n - 1) = coset inverse(A_7 B_7) - inverse(c)
//
// with A_7 and B_7 the values on the coset: six transforms instead of seven.
// Out: the n coefficients of H in a's place, canonical, natural order, the constant first. Groth16 uses the first n - 1;
// the last one is zero on a satisfied circuit (the degree of H is at most n - 2).
#pragma once

#include "ntt/ntt.h"

#ifdef __cplusplus
extern "C" {
#endif

// In two halves, so that the first may begin before b is there. a_coset and work hold 2^lg elements each; a_coset carries the
// values of A on the coset from one to the other. Both halves take what run takes.
cudaError_t c2_quotient_begin(const c2_ntt_domain* domain, const void* a, void* a_coset, void* work, cudaStream_t stream);
cudaError_t c2_quotient_end(const c2_ntt_domain* domain, void* a, void* b, const void* c, const void* a_coset, void* work,
                            cudaStream_t stream);

// Both at once.
cudaError_t c2_quotient_workspace_bytes(uint32_t lg, size_t* bytes);
// Overwrites a with H and b with intermediate values. c may be null (then a b is taken) and is only read.
cudaError_t c2_quotient_run(const c2_ntt_domain* domain, void* a, void* b, const void* c, void* workspace,
                            size_t workspace_bytes, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
