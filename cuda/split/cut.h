/* Where a sorted list of places crosses multiples of a step: so that a list is worked through by chunks of its table. */
#ifndef C2_SPLIT_CUT_H
#define C2_SPLIT_CUT_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* cuts[k] = the number of entries of list[0 .. n) below k * step, k < count. List and cuts on the device. */
cudaError_t c2_split_cut(const uint32_t* list, uint32_t n, uint32_t step, uint32_t count, uint32_t* cuts,
                         cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
