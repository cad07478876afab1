// What the plan asks of the two groups' translation units.
#pragma once

#include "msm/msm.h"

namespace c2 {

cudaError_t msm_g1_bytes(const c2_msm_plan& plan, size_t* bytes);
cudaError_t msm_g2_bytes(const c2_msm_plan& plan, size_t* bytes);

}  // namespace c2
