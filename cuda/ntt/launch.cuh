// Launching a pass: one block per tile.
#pragma once

#include "check.cuh"
#include "ntt/pass.cuh"

namespace c2 {

template <Role ROLE, int K>
cudaError_t launch_pass(const PassArgs& args, cudaStream_t stream) {
    using T = Tile<K>;
    size_t factors = K < 6 ? 0 : ROLE == Role::MIDDLE ? 64 * T::COLUMNS : 64;
    size_t shared = (T::ELEMENTS + factors) * sizeof(Fr);
    C2_TRY(cudaFuncSetAttribute(ntt_pass<ROLE, K>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    ntt_pass<ROLE, K><<<1u << (args.lg - NTT_POLICY.lg_tile), NTT_THREADS, shared, stream>>>(args);
    C2_TRY_LAUNCH();
    return cudaSuccess;
}

}  // namespace c2
