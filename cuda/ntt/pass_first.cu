// First and middle passes. A file of its own because each instance takes the compiler a while.
#include "ntt/enqueue.h"
#include "ntt/launch.cuh"

namespace c2 {

cudaError_t launch_first(const PassArgs& args, int bits, cudaStream_t stream) {
    switch (bits) {
        case 6: return launch_pass<Role::FIRST, 6>(args, stream);
        case 7: return launch_pass<Role::FIRST, 7>(args, stream);
        case 8: return launch_pass<Role::FIRST, 8>(args, stream);
        case 9: return launch_pass<Role::FIRST, 9>(args, stream);
        case 10: return launch_pass<Role::FIRST, 10>(args, stream);
        default: return cudaErrorInvalidValue;
    }
}

cudaError_t launch_middle(const PassArgs& args, cudaStream_t stream) {
    return launch_pass<Role::MIDDLE, NTT_POLICY.middle_bits>(args, stream);
}

}  // namespace c2
