/* Points of a parameter file, decoded and checked where they lie on the device.
 *
 * In: uncompressed points as Zcash writes them: big-endian coordinates, three flag bits in the first byte, all of which are
 * zero in a usable point. 96 bytes in G1 (x, y), 192 in G2 (x.c1, x.c0, y.c1, y.c0).
 * Out, in the same bytes: blst's affine form, Montgomery, the least significant word first (G2: x.c0, x.c1, y.c0, y.c1).
 */
#ifndef C2_SRS_DECODE_H
#define C2_SRS_DECODE_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* first_bad: on the device, set to ~0 by the caller; a bad point i lowers it to (first_index + i) << 2 | reason, so that
 * the first one stays. Reasons: 1, not the encoding of a point on the curve; 2, the point at infinity. The subgroup is not
 * looked at. */
cudaError_t c2_srs_decode_g1(void* points, uint64_t n, uint64_t first_index, unsigned long long* first_bad,
                             cudaStream_t stream);
cudaError_t c2_srs_decode_g2(void* points, uint64_t n, uint64_t first_index, unsigned long long* first_bad,
                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
