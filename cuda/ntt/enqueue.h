// Between the files of cuda/ntt, and for the quotient, which folds its products and its difference into transforms.
#pragma once

#include "field/fr.cuh"
#include "ntt/ntt.h"
#include "ntt/plan.h"

namespace c2 {

struct NttCall {
    const c2_ntt_domain* domain;
    c2_ntt_kind kind;
    const Fr* src;
    const Fr* times;  // null, or a canonical vector: src is multiplied by it first. Not with the coset forward kind.
    const Fr* minus;  // null, or a canonical vector that the result is reduced by
    Fr* dst;
    Fr* work;  // 2^lg elements
};
cudaError_t ntt_enqueue(const NttCall& call, cudaStream_t stream);

inline bool ntt_is_inverse(c2_ntt_kind kind) { return kind != C2_NTT_FORWARD && kind != C2_NTT_COSET_FORWARD; }
inline bool ntt_is_coset(c2_ntt_kind kind) {
    return kind == C2_NTT_COSET_FORWARD || kind == C2_NTT_COSET_INVERSE || kind == C2_NTT_COSET_INVERSE_OVER_Z;
}
inline bool ntt_is_over_z(c2_ntt_kind kind) {
    return kind == C2_NTT_INVERSE_OVER_Z || kind == C2_NTT_COSET_INVERSE_OVER_Z;
}
// w of order 2^bits for the kind's direction
inline Fr ntt_root(int bits, bool inverse_direction) {
    Fr w = root_of_unity(bits);
    return inverse_direction ? inverse(w) : w;
}

struct PassArgs;
cudaError_t launch_first(const PassArgs& args, int bits, cudaStream_t stream);
cudaError_t launch_middle(const PassArgs& args, cudaStream_t stream);
cudaError_t launch_last(const PassArgs& args, int bits, cudaStream_t stream);
cudaError_t launch_small(const NttCall& call, const Fr* roots, const Fr* pre, const Fr* post, cudaStream_t stream);

}  // namespace c2
