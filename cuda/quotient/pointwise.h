// Element by element, in place: what the quotient is put together from where device memory holds three vectors and not
// four, so that no pass can read or write a fourth along the way.
#pragma once

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// a[i] = a[i] b[i], and a[i] = a[i] - b[i], i < n: canonical blst_fr on the device.
cudaError_t c2_fr_multiply(void* a, const void* b, uint64_t n, cudaStream_t stream);
cudaError_t c2_fr_subtract(void* a, const void* b, uint64_t n, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
