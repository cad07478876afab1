// The tile of a block: 2^K rows by 2^(11-K) columns in shared memory, and how rows and digits correspond.
#pragma once

#include "ntt/memory.cuh"
#include "ntt/policy.cuh"

namespace c2 {

// Every stage reads and writes groups of eight elements in place, so that one barrier per exchange is enough. Halves of
// 16 bytes lie in two planes; eight threads, which access a plane together, must hit eight different slots modulo 8.
// They differ in column, in low row bits or in bits 3.. of the row, depending on the stage: the swizzle mixes all three.
template <int K>
struct Tile {
    static constexpr int ELEMENTS = 1 << NTT_POLICY.lg_tile;
    static constexpr int LG_COLUMNS = NTT_POLICY.lg_tile - K, COLUMNS = 1 << LG_COLUMNS, ROWS = 1 << K;

    uint4* low;
    __device__ __forceinline__ explicit Tile(uint4* shared) : low(shared) {}

    static __device__ __forceinline__ u32 slot(u32 row, u32 column) {
        u32 mix = LG_COLUMNS >= 3   ? column & 7
                  : LG_COLUMNS == 2 ? (column << 1) | ((row >> 3) & 1)
                  : LG_COLUMNS == 1 ? (column << 2) | ((row >> 3) & 3)
                                    : (row >> 3) & 7;
        return (column << K) | (row ^ mix);
    }
    __device__ __forceinline__ Fr get(u32 row, u32 column) const {
        u32 s = slot(row, column);
        return fr_of(low[s], low[s + ELEMENTS]);
    }
    __device__ __forceinline__ void put(u32 row, u32 column, const Fr& a) const {
        u32 s = slot(row, column);
        low[s] = low_half(a);
        low[s + ELEMENTS] = high_half(a);
    }
};

// The base-8 digits of x, `count` of them, in the opposite order.
static __host__ __device__ __forceinline__ u32 reverse_octal(u32 x, int count) {
    u32 r = 0;
#pragma unroll
    for (int i = 0; i < count; i++) {
        r = (r << 3) | (x & 7);
        x >>= 3;
    }
    return r;
}

}  // namespace c2
