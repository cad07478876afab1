// Where a reference leads: the table of points, or the nodes that the rounds have made from them.
//
// A reference is an index and a sign. Indices below `points` are the caller's table (x and y together); the ones above
// are nodes, whose x and y lie in two arrays, so that a pass that wants only x reads only x.
#pragma once

#include "curve/point.cuh"
#include "msm/digits.cuh"

namespace c2 {

template <class F>
__device__ __forceinline__ F load_field(const uint4* p, size_t stride) {
    F r;
    u32* w = reinterpret_cast<u32*>(&r);
#pragma unroll
    for (int j = 0; j < F::VECTORS; j++) {
        uint4 q = p[j * stride];
        w[4 * j] = q.x;
        w[4 * j + 1] = q.y;
        w[4 * j + 2] = q.z;
        w[4 * j + 3] = q.w;
    }
    return r;
}
template <class F>
__device__ __forceinline__ void store_field(uint4* p, size_t stride, const F& a) {
    const u32* w = reinterpret_cast<const u32*>(&a);
#pragma unroll
    for (int j = 0; j < F::VECTORS; j++) p[j * stride] = make_uint4(w[4 * j], w[4 * j + 1], w[4 * j + 2], w[4 * j + 3]);
}
template <class F>
__device__ __forceinline__ Xyzz<F> load_xyzz(const uint4* p) {
    constexpr int V = F::VECTORS;
    return {load_field<F>(p, 1), load_field<F>(p + V, 1), load_field<F>(p + 2 * V, 1), load_field<F>(p + 3 * V, 1)};
}
template <class F>
__device__ __forceinline__ void store_xyzz(uint4* p, const Xyzz<F>& a) {
    constexpr int V = F::VECTORS;
    store_field(p, 1, a.x);
    store_field(p + V, 1, a.y);
    store_field(p + 2 * V, 1, a.zz);
    store_field(p + 3 * V, 1, a.zzz);
}

template <class F>
struct Source {
    const uint4* table;
    uint4 *node_x, *node_y;
    u32 points;

    __device__ __forceinline__ const uint4* x_at(u32 ref) const {
        u32 i = ref & ~SIGN;
        return i < points ? table + (size_t)i * (2 * F::VECTORS) : node_x + (size_t)(i - points) * F::VECTORS;
    }
    __device__ __forceinline__ const uint4* y_at(u32 ref) const {
        u32 i = ref & ~SIGN;
        return i < points ? table + (size_t)i * (2 * F::VECTORS) + F::VECTORS
                          : node_y + (size_t)(i - points) * F::VECTORS;
    }
    __device__ __forceinline__ Affine<F> load(u32 ref) const {  // without its sign
        return {load_field<F>(x_at(ref), 1), load_field<F>(y_at(ref), 1)};
    }
};

}  // namespace c2
