// Sums of points of G1.
#include "batch_add/tree.cuh"

cudaError_t c2::batch_add_g1_bytes(const c2_batch_add_plan& plan, size_t* bytes) { return tree_bytes<Fp>(plan, bytes); }

extern "C" cudaError_t c2_batch_add_g1_run(const c2_batch_add_plan* plan, const void* points, const uint32_t* indices,
                                           const uint32_t* starts, void* workspace, size_t workspace_bytes, void* sums,
                                           cudaStream_t stream) {
    return c2::tree_run<c2::Fp>(plan, points, indices, starts, workspace, workspace_bytes, sums, stream);
}

extern "C" void c2_batch_add_g1_finish(const c2_batch_add_plan* plan, const void* sums, void* points) {
    c2::tree_finish<c2::Fp>(plan, sums, points);
}
