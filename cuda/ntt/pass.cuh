// One pass of a transform: 2^K-point transforms down the columns of a tile, with everything that is folded into it.
//
//   load      eight elements per thread, times the pass's factor (plan.h): a row of a table, or another vector
//   stages    radix 8, the tile exchanged through shared memory in between; factors of the inner stages from a table
//   rest      a last stage of radix 2 or 4 where K is no multiple of 3
//   store     digit-reversed, so that the pass leaves its output digit in natural order; the last pass canonical, the
//             others in [0, 2r), as the next one begins with a multiplication
//
// Bound by the multiplier: at K = 9, 11 multiplications for 8 elements and stage (7 factors, 4 in the butterfly) and
// one of the pass, 12 an element and transform at 2^27. They run at 85 % of what the multiplier gives alone (sm_90); the
// rest are waits for its own results, with 16 warps on an SM. Memory traffic, 64 bytes per element and pass, is a fifth
// of the time and overlaps with the other blocks of the SM.
//
// Threads to data: thread (q, column) has rows q' + e 2^j, e = 0..7. Columns are the fast index where they are
// neighbours in memory; the last pass reads along rows, so there rows are the fast index until its last stage.
#pragma once

#include "ntt/butterfly.cuh"
#include "ntt/tile.cuh"

namespace c2 {

enum class Role { FIRST, MIDDLE, LAST };

struct PassArgs {
    const Fr* src;
    Fr* dst;
    int lg;            // of the whole transform
    int first_bits;    // digits already transformed by the first pass, for the middle and last one
    const Fr* factor;  // null: none
    const Fr* column;  // middle: column factors
    const Fr* inner;   // factors between stages
    const Fr* post;    // last: per output row, or null
    const Fr* minus;   // last: a vector to subtract, or null
    bool factor_is_vector;  // first: `factor` has one element per element of src
    ButterflyRoots roots;
};

// Where the elements of a tile lie: element (row, column) at in + row * in_row + column * in_column, likewise out for
// output rows; factors at factor + row * factor_row + column * factor_column.
struct TileAddress {
    u32 in, in_row, in_column;
    u32 out, out_row, out_column;
    u32 factor, factor_row, factor_column;
};

template <Role ROLE, int K>
static __device__ __forceinline__ TileAddress tile_address(const PassArgs& a, u32 tile) {
    constexpr int LG_COLUMNS = Tile<K>::LG_COLUMNS;
    TileAddress t;
    if constexpr (ROLE == Role::FIRST) {
        t.in = t.out = tile << LG_COLUMNS;
        t.in_row = t.out_row = 1u << (a.lg - K);
        t.in_column = t.out_column = 1;
        t.factor = a.factor_is_vector ? t.in : 0;
        t.factor_row = a.factor_is_vector ? t.in_row : 1;
        t.factor_column = a.factor_is_vector ? 1 : 0;
    } else if constexpr (ROLE == Role::MIDDLE) {
        int lg_stride = a.lg - a.first_bits - K;  // 2^lg_stride columns side by side
        u32 batch = tile >> (lg_stride - LG_COLUMNS);
        t.in = t.out = (batch << (a.lg - a.first_bits)) + ((tile << LG_COLUMNS) & ((1u << lg_stride) - 1));
        t.in_row = t.out_row = 1u << lg_stride;
        t.in_column = t.out_column = 1;
        t.factor = batch << K;
        t.factor_row = 1;
        t.factor_column = 0;
    } else {
        u32 k1 = tile >> (a.first_bits - LG_COLUMNS);
        u32 k0 = (tile << LG_COLUMNS) & ((1u << a.first_bits) - 1);
        t.in_column = 1u << (a.lg - a.first_bits);
        t.in = k0 * t.in_column + (k1 << K);
        t.in_row = 1;
        t.out = k0 + (k1 << a.first_bits);
        t.out_row = 1u << (a.lg - K);
        t.out_column = 1;
        bool two_passes = a.lg - a.first_bits == K;
        t.factor = two_passes ? t.in : k1 << K;
        t.factor_row = 1;
        t.factor_column = two_passes ? t.in_column : 0;
    }
    return t;
}

template <Role ROLE, int K>
__global__ void __launch_bounds__(NTT_THREADS, NTT_POLICY.blocks_per_sm) ntt_pass(const PassArgs a) {
    using T = Tile<K>;
    constexpr int STAGES = K / 3, REST = K % 3;  // radix-8 stages, bits left for the last one
    constexpr bool LAST = ROLE == Role::LAST, MIDDLE = ROLE == Role::MIDDLE;
    extern __shared__ uint4 shared[];
    const T tile(shared);
    Fr* second = reinterpret_cast<Fr*>(shared + 2 * T::ELEMENTS);  // factors of the second stage

    const TileAddress at = tile_address<ROLE, K>(a, blockIdx.x);
    const u32 thread = threadIdx.x;
    constexpr u32 GROUPS = T::ROWS / 8;
    const u32 by_column_q = thread >> T::LG_COLUMNS, by_column_c = thread & (T::COLUMNS - 1);
    u32 q = LAST ? thread & (GROUPS - 1) : by_column_q, column = LAST ? thread / GROUPS : by_column_c;

    Fr x[8];
    {
        const Fr* src = a.src + (at.in + q * at.in_row + column * at.in_column);
#pragma unroll
        for (int e = 0; e < 8; e++) x[e] = load(src + (size_t)(e * GROUPS) * at.in_row);
    }
    // The second stage's factors: one of 64, in the middle pass times the factor of the column.
    if constexpr (STAGES >= 2) {
        constexpr u32 COUNT = MIDDLE ? 64 * T::COLUMNS : 64;
        for (u32 i = thread; i < COUNT; i += NTT_THREADS) {
            if constexpr (MIDDLE) {
                u32 batch = at.factor >> K, first = at.in & (at.in_row - 1);
                Fr w = load(a.column + (batch * at.in_row + first + (i & (T::COLUMNS - 1))));
                store(second + i, mul(w, load(a.inner + (i >> T::LG_COLUMNS))));
            } else {
                store(second + i, load(a.inner + i));
            }
        }
    }

    const Fr* factor = a.factor ? a.factor + (at.factor + q * at.factor_row + column * at.factor_column) : nullptr;
    size_t factor_step = (size_t)GROUPS * at.factor_row;
    const Fr* inner = a.inner;
#pragma unroll(NTT_POLICY.stages_unrolled)
    for (int s = 0; s < STAGES; s++) {
        if (factor) {
            if (s == 0 || (MIDDLE && s == 1)) {
                x[0] = mul(load(factor), x[0]);
            } else {
                x[0] = canonical(x[0]);
            }
#pragma unroll
            for (int e = 1; e < 8; e++) x[e] = mul(load(factor + e * factor_step), x[e]);
        }
        dft8(x, a.roots);
        if (REST == 0 && s == STAGES - 1) break;

        int lg_step = K - 3 * (s + 1);  // rows between a thread's elements
        u32 row = ((q >> lg_step) << (lg_step + 3)) | (q & ((1u << lg_step) - 1));
#pragma unroll
        for (int e = 0; e < 8; e++) tile.put(row + (e << lg_step), column, x[e]);
        __syncthreads();
        if (s == STAGES - 1) break;

        if (LAST && REST == 0 && s == STAGES - 2) q = by_column_q, column = by_column_c;
        lg_step -= 3;
        u32 done = q >> lg_step;  // the output digits so far
        row = (done << (lg_step + 3)) | (q & ((1u << lg_step) - 1));
#pragma unroll
        for (int e = 0; e < 8; e++) x[e] = tile.get(row + (e << lg_step), column);
        factor_step = (size_t)8 << (3 * s);
        if (s == 0) {
            factor = second + (MIDDLE ? (done << T::LG_COLUMNS) + column : done);
            if (MIDDLE) factor_step <<= T::LG_COLUMNS;
        } else {
            factor = inner + done;
        }
        inner += (size_t)64 << (3 * s);
    }

    if constexpr (REST != 0) {
        // Two transforms of 4 or four of 2 on eight neighbouring rows.
        constexpr int RADIX = 1 << REST;
        q = by_column_q, column = by_column_c;
        const Fr* rest = a.inner;
#pragma unroll
        for (int s = 1; s < STAGES; s++) rest += (size_t)64 << (3 * (s - 1));
        rest += q * (8 / RADIX);
#pragma unroll
        for (int e = 0; e < 8; e++) {
            x[e] = tile.get(8 * q + e, column);
            x[e] = e % RADIX ? mul(load(rest + (((size_t)(e % RADIX) << (3 * STAGES)) + e / RADIX)), x[e])
                             : canonical(x[e]);
        }
        if constexpr (RADIX == 4) {
            dft4(x[0], x[1], x[2], x[3], a.roots);
            dft4(x[4], x[5], x[6], x[7], a.roots);
        } else {
#pragma unroll
            for (int e = 0; e < 8; e += 2) butterfly_lazy(x[e], x[e + 1]);
        }
    }

    // Row 8 q + e holds output digits (first, .., last) from its top; the output row has them the other way round.
    constexpr int RADIX = 1 << REST;
    const u32 out_q = reverse_octal(q * (8 / RADIX), STAGES);
#pragma unroll
    for (int e = 0; e < 8; e++) {
        u32 row = REST == 0 ? reverse_octal(q, STAGES - 1) + (e << (3 * (STAGES - 1)))
                            : out_q + ((e / RADIX) << (3 * (STAGES - 1))) + ((e % RADIX) << (3 * STAGES));
        size_t to = at.out + (size_t)row * at.out_row + column * at.out_column;
        if constexpr (LAST) {
            x[e] = a.post ? mul(load(a.post + row), x[e]) : canonical(x[e]);
            if (a.minus) x[e] = sub(x[e], load(a.minus + to));
        }
        store(a.dst + to, x[e]);
    }
}

}  // namespace c2
