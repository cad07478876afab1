/* The assignment by classes, on the device: most of it is 0 or 1, and only the rest needs a multi-scalar multiplication.
 *
 * The classes come as bitmaps: bit i % 32 of word i / 32 is element i; (n + 31) / 32 words; bits past n are zero. Count, then
 * gather, once a query (l, a, b): a query leaves out elements, its density bitmap says which, and its points are those of
 * the elements it keeps, in order.
 */
#ifndef C2_SPLIT_H
#define C2_SPLIT_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct c2_split_counts {
    uint32_t dense, ones, tail; /* elements the query keeps; of these, ones; of these, neither zero nor one */
} c2_split_counts;

/* Device memory that count and gather of one query share. */
cudaError_t c2_split_count_bytes(uint64_t n, size_t* bytes);

/* What a query keeps, by its density (NULL: all), and in the workspace the prefix sums that gather goes by. counts: NULL, or
 * host memory (pinned, to stay asynchronous), valid when the stream has come there. 0 < n < 2^32. */
cudaError_t c2_split_count(uint64_t n, const uint32_t* one_bits, const uint32_t* other_bits, const uint32_t* density,
                           void* workspace, size_t workspace_bytes, c2_split_counts* counts, cudaStream_t stream);

/* After count, with its workspace. scalars: of all n elements; or, where packed_workspace is not NULL, of those alone that are
 * neither 0 nor 1, in order: then it is the workspace of a count without density, and dense_scalars is NULL.
 * For each element the query keeps that is one: its point's index to `ones`; for each that is neither 0 nor 1: its point's
 * index to `tail`, its scalar to `tail_scalars` (32 bytes, in the form it has); and of every kept element the scalar to
 * `dense_scalars`. All in order; any may be NULL; the lists have room for their counts. A point's index is first_point plus
 * the kept elements before it. */
cudaError_t c2_split_gather(const void* scalars, uint64_t n, const uint32_t* one_bits, const uint32_t* other_bits,
                            const uint32_t* density, uint32_t first_point, void* workspace,
                            void* packed_workspace, size_t workspace_bytes, uint32_t* ones, uint32_t* tail,
                            void* tail_scalars, void* dense_scalars, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
