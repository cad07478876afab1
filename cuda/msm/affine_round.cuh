// One round of batch-affine additions: every pair's sum by x3 = l^2 - x1 - x2, y3 = l (x1 - x3) - y1, l = (y2 - y1) /
// (x2 - x1), with one inversion for hundreds of pairs (Montgomery's trick): 5M + 1S a pair instead of XYZZ's 8M + 2S.
//
//   forward_products   thread t multiplies up its x2 - x1, storing each product so far
//   invert_products    the products of all threads are inverted, 8 to 32 to an inversion
//   backward_add       back through the pairs: each inverse, and the sum
//
// A denominator of zero would spoil the whole batch, so pairs with infinity, equal or opposite points are found by a
// one-word test and given another denominator.
#pragma once

#include "msm/pairs.cuh"

namespace c2 {

template <class F>
struct SpecialPair {
    F denominator, numerator;
    Affine<F> sum;
    bool known;  // sum is the result; otherwise numerator / denominator is the slope
};

template <class F>
__device__ __forceinline__ bool may_be_special(const F& x1, const F& x2, const F& difference) {
    return may_be_null(x1) | may_be_null(x2) | may_be_zero(difference);
}

template <class F>
__device__ __noinline__ void special_pair(const Source<F>* source, u32 ra, u32 rb, SpecialPair<F>* out) {
    Affine<F> a = source->load(ra), b = source->load(rb);
    out->known = true;
    set_one(out->denominator);
    out->numerator = out->denominator;
    a = negate_if((ra & SIGN) != 0, a);
    b = negate_if((rb & SIGN) != 0, b);
    if (is_infinity(a)) {
        out->sum = b;
    } else if (is_infinity(b)) {
        out->sum = a;
    } else {
        F dx = sub_lazy(b.x, a.x), yy = add(a.y, a.y);
        if (!is_zero(dx)) {
            out->known = false;
            out->denominator = dx;
            out->numerator = sub_lazy(b.y, a.y);
        } else if (is_zero(sub_lazy(b.y, a.y)) && !is_zero(yy)) {
            F xx = sqr(a.x);
            out->known = false;
            out->denominator = yy;
            out->numerator = add(add(xx, xx), xx);
        } else {
            set_infinity(out->sum);
        }
    }
}

__device__ __forceinline__ void copy_async(uint4* shared, const uint4* global) {
    u32 at = (u32)__cvta_generic_to_shared(shared);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(global) : "memory");
}
__device__ __forceinline__ void copy_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int left>
__device__ __forceinline__ void copy_async_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
}

// Shared memory of a warp's stage: both x of 32 pairs, each pair padded by one vector against bank conflicts.
template <class F>
struct Stage {
    static constexpr int PAIR = 2 * F::VECTORS + 1;
    static constexpr int WARP = 32 * PAIR;
    static constexpr size_t BYTES_PER_WARP = 2 * WARP * sizeof(uint4);
};
// The warp fetches the x of its 32 pairs together: neighbouring lanes take neighbouring 16 bytes, which reads 27.9 G
// records a second where a record a lane reads 14.4.
template <class F>
__device__ __forceinline__ void fetch_x(uint4* stage, const Source<F>& source, uint2 pair, u32 lane) {
    constexpr u32 V = F::VECTORS;
    u32 fresh;
    asm volatile("mov.u32 %0, %1;" : "=r"(fresh) : "r"(lane));  // keeps the index arithmetic out of long-lived registers
    u32 record = fresh / V, piece = fresh % V;
#pragma unroll
    for (u32 k = 0; k < 2 * V; k++) {
        u32 a = __shfl_sync(~0u, pair.x, record >> 1), b = __shfl_sync(~0u, pair.y, record >> 1);
        copy_async(stage + (record >> 1) * Stage<F>::PAIR + (record & 1) * V + piece,
                   source.x_at(record & 1 ? b : a) + piece);
        record += 32 / V;
        piece += 32 % V;
        if (piece >= V) {
            piece -= V;
            record++;
        }
    }
    copy_async_commit();
}

template <class F, int MIN_BLOCKS>
__global__ void __launch_bounds__(128, MIN_BLOCKS)
    forward_products(const __grid_constant__ Source<F> source, const uint2* __restrict__ pairs, const Round* __restrict__ round,
                     uint4* __restrict__ prefixes, uint4* __restrict__ products) {
    extern __shared__ uint4 shared[];
    const u32 count = round->pairs, T = round->threads;
    u32 t = threadIdx.x + blockIdx.x * 128, lane = threadIdx.x & 31;
    if (t - lane >= T) return;  // whole warps
    pairs += round->first_node - source.points;
    uint4* stage = shared + (threadIdx.x >> 5) * 2 * Stage<F>::WARP;
    const uint2 none = make_uint2(pairs[0].x, pairs[0].x);  // lanes past the end fetch something that exists
    int steps = (count - (t - lane) + T - 1) / T;
    F run;
    set_one(run);  // what lanes without a pair contribute
    uint2 now = t < count ? pairs[t] : none;
    fetch_x(stage, source, now, lane);
    uint2 next = steps > 1 && t + T < count ? pairs[t + T] : none;
#pragma unroll 1
    for (int i = 0; i < steps; i++) {
        u32 k = t + i * T;
        const uint4* mine = stage + (i & 1) * Stage<F>::WARP + lane * Stage<F>::PAIR;
        if (i + 1 < steps)
            fetch_x(stage + ((i + 1) & 1) * Stage<F>::WARP, source, next, lane);
        else
            copy_async_commit();
        uint2 pair = now;
        now = next;
        if (i + 2 < steps) next = k + 2 * T < count ? pairs[k + 2 * T] : none;
        copy_async_wait<1>();
        __syncwarp();
        F x1 = load_field<F>(mine, 1), x2 = load_field<F>(mine + F::VECTORS, 1), d = sub_lazy(x2, x1);
        if (k < count) {
            if (may_be_special(x1, x2, d)) {
                SpecialPair<F> special;
                special_pair(&source, pair.x, pair.y, &special);
                d = special.denominator;
            }
            if (i == 0) {
                run = reduce_4p(d);
            } else {
                store_field(prefixes + (size_t)(i - 1) * F::VECTORS * T + t, T, run);
                run = mul(d, run);
            }
        }
        __syncwarp();
    }
    copy_async_wait<0>();
    store_field(products + t, T, run);
}

template <class F>
__global__ void __launch_bounds__(128)
    invert_products(const Round* __restrict__ round, uint4* products, uint4* prefixes) {
    const u32 T = round->threads, I = round->inversions;
    u32 t = threadIdx.x + blockIdx.x * 128;
    if (t >= I) return;
    F run = load_field<F>(products + t, T);
    u32 i = 0;
#pragma unroll 1
    for (u32 k = t + I; k < T; k += I, i++) {
        store_field(prefixes + (size_t)i * F::VECTORS * I + t, I, run);
        run = mul(run, load_field<F>(products + k, T));
    }
    run = inverse(run);
#pragma unroll 1
    for (; i > 0; i--) {
        u32 k = t + i * I;
        F e = load_field<F>(products + k, T), p = load_field<F>(prefixes + (size_t)(i - 1) * F::VECTORS * I + t, I);
        store_field(products + k, T, mul(run, p));
        run = mul(run, e);
    }
    store_field(products + t, T, run);
}

template <class F, int MIN_BLOCKS>
__global__ void __launch_bounds__(128, MIN_BLOCKS)
    backward_add(const __grid_constant__ Source<F> source, const uint2* __restrict__ pairs, const Round* __restrict__ round,
                 const uint4* __restrict__ prefixes, const uint4* __restrict__ inverses) {
    const u32 count = round->pairs, T = round->threads;
    u32 t = threadIdx.x + blockIdx.x * 128;
    if (t >= T || t >= count) return;
    const u32 first = round->first_node - source.points;
    pairs += first;
    uint4* out_x = source.node_x + (size_t)first * F::VECTORS;
    uint4* out_y = source.node_y + (size_t)first * F::VECTORS;
    int steps = (count - t + T - 1) / T;
    F run = load_field<F>(inverses + t, T);
    uint2 next = pairs[t + (steps - 1) * T];
#pragma unroll 1
    for (int i = steps - 1; i >= 0; i--) {
        u32 k = t + i * T;
        uint2 pair = next;
        F x1 = load_field<F>(source.x_at(pair.x), 1), x2 = load_field<F>(source.x_at(pair.y), 1);
        F y1, y2, numerator;
        // G1 asks for y at once, to have it when it is needed; G2 has no registers to keep it in
        constexpr bool EARLY = F::FP_COUNT == 1;
        if (EARLY) {
            y1 = load_field<F>(source.y_at(pair.x), 1);
            y2 = load_field<F>(source.y_at(pair.y), 1);
        }
        F inv = run;
        if (i > 0) {
            inv = load_field<F>(prefixes + (size_t)(i - 1) * F::VECTORS * T + t, T);
            next = pairs[k - T];
        }
        F d = sub_lazy(x2, x1);
        bool known = false, unusual = may_be_special(x1, x2, d);
        F x3, y3;
        if (EARLY) {
            y1 = negate_if((pair.x & SIGN) != 0, y1);
            numerator = sub_lazy(negate_if((pair.y & SIGN) != 0, y2), y1);
        }
        SpecialPair<F> special;
        if (unusual) {
            special_pair(&source, pair.x, pair.y, &special);
            d = special.denominator;
            numerator = special.numerator;
            if (special.known) {
                known = true;
                x3 = special.sum.x;
                y3 = special.sum.y;
            }
        }
        if (i > 0) {
            inv = mul(run, inv);
            run = mul(d, run);
        }
        if (!EARLY) {
            y1 = negate_if((pair.x & SIGN) != 0, load_field<F>(source.y_at(pair.x), 1));
            if (unusual)
                numerator = special.numerator;
            else
                numerator = sub_lazy(negate_if((pair.y & SIGN) != 0, load_field<F>(source.y_at(pair.y), 1)), y1);
        }
        if (!known) {
            F slope = mul(numerator, inv);
            x3 = sub(sub(sqr(slope), x1), x2);
            y3 = sub(mul(sub_lazy(x1, x3), slope), y1);
        }
        store_field(out_x + (size_t)k * F::VECTORS, 1, x3);
        store_field(out_y + (size_t)k * F::VECTORS, 1, y3);
    }
}

}  // namespace c2
