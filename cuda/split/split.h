/* The assignment by classes, on the device: most of it is 0 or 1, and only the rest needs a multi-scalar multiplication.
 *
 * Classify once an assignment; gather once a query (l, a, b): a query leaves out elements, its density bitmap says which,
 * and its points are those of the elements it keeps, in order.
 */
#ifndef C2_SPLIT_H
#define C2_SPLIT_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bitmaps: bit i % 32 of word i / 32 is element i; (n + 31) / 32 words; bits past n are zero. */
cudaError_t c2_split_classify(const void* scalars, uint64_t n, int montgomery, uint32_t* one_bits, uint32_t* other_bits,
                              cudaStream_t stream);

/* Device memory that gather needs. */
cudaError_t c2_split_gather_bytes(uint64_t n, size_t* bytes);

typedef struct c2_split_counts {
    uint32_t dense, ones, tail; /* elements the query keeps; of these, ones; of these, neither zero nor one */
} c2_split_counts;

/* For each element the query keeps that is one: its point's index to `ones`; for each that is neither 0 nor 1: its
 * point's index to `tail`, its scalar to `tail_scalars` (32 bytes, in the form it has). Both in order. Any of the three
 * may be NULL. density: NULL for all. A point's index is first_point plus the kept elements before it. counts: host
 * memory, valid when the stream has come there. The lists must have room for their counts; n does for all. */
cudaError_t c2_split_gather(const void* scalars, uint64_t n, const uint32_t* one_bits, const uint32_t* other_bits,
                            const uint32_t* density, uint32_t first_point, uint32_t* ones, uint32_t* tail,
                            void* tail_scalars, c2_split_counts* counts, void* workspace, size_t workspace_bytes,
                            cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
