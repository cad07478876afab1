// Rounds and XYZZ sums over G1.
#include "msm/accumulator_impl.cuh"

template struct c2::Accumulator<c2::Fp>;
