// Last passes. A file of its own because each instance takes the compiler a while.
#include "ntt/enqueue.h"
#include "ntt/launch.cuh"

namespace c2 {

cudaError_t launch_last(const PassArgs& args, int bits, cudaStream_t stream) {
    switch (bits) {
        case 5: return launch_pass<Role::LAST, 5>(args, stream);
        case 6: return launch_pass<Role::LAST, 6>(args, stream);
        case 7: return launch_pass<Role::LAST, 7>(args, stream);
        case 8: return launch_pass<Role::LAST, 8>(args, stream);
        case 9: return launch_pass<Role::LAST, 9>(args, stream);
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace c2
