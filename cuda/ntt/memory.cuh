// Moving elements: 32 bytes as two 16-byte accesses.
#pragma once

#include "field/fr.cuh"

namespace c2 {

static __device__ __forceinline__ Fr fr_of(const uint4& low, const uint4& high) {
    return Fr{{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
}
static __device__ __forceinline__ uint4 low_half(const Fr& a) { return make_uint4(a.v[0], a.v[1], a.v[2], a.v[3]); }
static __device__ __forceinline__ uint4 high_half(const Fr& a) { return make_uint4(a.v[4], a.v[5], a.v[6], a.v[7]); }

static __device__ __forceinline__ Fr load(const Fr* p) {
    const uint4* q = reinterpret_cast<const uint4*>(p);
    return fr_of(q[0], q[1]);
}
static __device__ __forceinline__ void store(Fr* p, const Fr& a) {
    uint4* q = reinterpret_cast<uint4*>(p);
    q[0] = low_half(a);
    q[1] = high_half(a);
}

}  // namespace c2
