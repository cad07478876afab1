// The MSM over G1.
#include "msm/instances.h"
#include "msm/pipeline.cuh"

cudaError_t c2::msm_g1_bytes(const c2_msm_plan& plan, size_t* bytes) { return msm_bytes<Fp>(plan, bytes); }

extern "C" cudaError_t c2_msm_g1_run(const c2_msm_plan* plan, const void* points, const void* scalars,
                                     const uint32_t* indices, void* workspace, size_t workspace_bytes, void* sums,
                                     cudaStream_t stream) {
    return c2::msm_run<c2::Fp>(plan, points, scalars, indices, workspace, workspace_bytes, sums, stream);
}

extern "C" void c2_msm_g1_finish(const c2_msm_plan* plan, const void* sums, void* point) {
    c2::msm_finish<c2::Fp>(plan, sums, point);
}
