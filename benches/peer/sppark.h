// sppark 0.1.16 behind a C face, so that its types and ours never meet in one translation unit. All data on the device.
#pragma once

#include <cstddef>
#include <cstdint>

// Multiplications a second with all lanes busy.
double sppark_fp_mul_rate();
double sppark_fr_mul_rate();

// Wall seconds of one forward transform, natural order in, bit-reversed out: sppark's fastest.
double sppark_ntt_seconds(void* values, uint32_t lg, bool coset);
double sppark_quotient_seconds(void* a, void* b, void* c, uint32_t lg);

// Wall seconds of a multi-scalar multiplication; scalars canonical; the affine result in blst's bytes.
struct SpparkMsm;
SpparkMsm* sppark_msm_new(size_t n);
double sppark_msm_seconds(SpparkMsm* msm, const void* points, const void* scalars, size_t n, void* result);
void sppark_msm_free(SpparkMsm* msm);
