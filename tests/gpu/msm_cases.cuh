// Inputs with known logarithms for the MSM tests and benches: point i is log(i) G, scalars are a function of their index
// that host and device both compute, and the expected sum is (sum of s_i log(i)) G.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "curve/generator.cuh"
#include "msm/digits.cuh"
#include "msm/source.cuh"
#include "naive.h"

#define MUST(call)                                                                                      \
    do {                                                                                                \
        cudaError_t error_ = (call);                                                                    \
        if (error_ != cudaSuccess) {                                                                    \
            printf("FAIL %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));      \
            exit(2);                                                                                    \
        }                                                                                               \
    } while (0)

namespace cases {

using c2::u32;
using c2::u64;

enum Scalars { RANDOM, ZERO_99, ALL_EQUAL, TWO_VALUES, EDGES, ANY_256_BITS, BITS, SMALL, SCALAR_KINDS };
static const char* const scalar_names[] = {"random", "zero99", "equal", "two", "edges", "any256", "bits", "small"};
enum Points { MULTIPLES, FEW, EQUAL, OPPOSITE, POINT_KINDS };
static const char* const point_names[] = {"multiples", "few", "equal", "opposite"};

C2_HD u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

C2_HD void random_scalar(u64 seed, u64 i, u32* s) {
    for (int k = 0; k < 4; k++) {
        u64 z = mix((4 * i + k + seed) * 0x9e3779b97f4a7c15 + 1);
        s[2 * k] = (u32)z;
        s[2 * k + 1] = (u32)(z >> 32);
    }
}
C2_HD void scalar(Scalars kind, u64 i, u32* s) {
    const u32* r = c2::ScalarModulus::p();
    u64 h = mix((i + 77) * 0x9e3779b97f4a7c15);
    random_scalar(12345, kind == ALL_EQUAL ? 0 : kind == TWO_VALUES ? h % 2 : i, s);
    if (kind != ANY_256_BITS) {
        s[7] &= 0x7fffffff;
        c2::subtract_if_not_below(s, r);
    }
    bool zero = (kind == ZERO_99 && h % 100) || kind == BITS || kind == SMALL || kind == EDGES;
    if (zero)
        for (int k = 0; k < 8; k++) s[k] = 0;
    if (kind == BITS) s[0] = h % 2;
    if (kind == SMALL) s[0] = h % 65536;
    if (kind != EDGES) return;
    switch (h % 8) {
        case 0: break;
        case 1: s[0] = 1; break;
        case 2: s[0] = 2; break;
        case 3: case 4: case 5: case 6:
            for (int k = 0; k < 8; k++) s[k] = r[k];
            if (h % 8 < 5) s[0] -= h % 8 == 3 ? 1 : 0;  // r - 1; r itself
            if (h % 8 >= 5) {                           // (r - 1) / 2, (r + 1) / 2
                for (int k = 0; k < 8; k++) s[k] = (r[k] >> 1) | (k < 7 ? r[k + 1] << 31 : 0);
                s[0] += h % 8 == 6;
            }
            break;
        default:  // all ones in every window
            for (int k = 0; k < 8; k++) s[k] = k < 7 ? 0xffffffff : 0x3fffffff;
    }
}

C2_HD int64_t logarithm(Points kind, u64 i) {
    switch (kind) {
        case MULTIPLES: return (int64_t)i + 1;
        case FEW: return (int64_t)(mix(i + 5) % 7) - 3;
        case EQUAL: return 3;
        default: return i % 2 ? -(int64_t)(1 + i / 2 % 3) : (int64_t)(1 + i / 2 % 3);
    }
}

static __global__ void fill_scalars(Scalars kind, u64 n, u32* out) {
    u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    if (i < n) scalar(kind, i, out + 8 * i);
}

template <class F>
struct Group;
template <>
struct Group<c2::Fp> {
    static const char* name() { return "g1"; }
};
template <>
struct Group<c2::Fp2> {
    static const char* name() { return "g2"; }
};

template <class F>
c2::Affine<F> multiple(const naive::Big& k) {
    c2::Affine<F> g;
    c2::set_generator(g);
    c2::Xyzz<F> a;
    c2::set_infinity(a);
    for (int bit = 255; bit >= 0; bit--) {
        c2::double_in_place(a);
        if ((k.v[bit / 64] >> (bit % 64)) & 1) c2::add_in_place(a, g);
    }
    return c2::to_affine(a);
}

// points[i] = logarithm(kind, i) G, on the device (cases.cu)
template <class F>
void fill_points(Points kind, u64 n, uint4* points);

// sum of scalar(i) * logarithm(index(i)) mod r, exactly
inline naive::Big logarithm_of_sum(Scalars kind, Points points, u64 n, const u32* indices, bool montgomery) {
    const u32 threads = n < 65536 ? 1 : 16;
    std::vector<naive::Big> part(threads);
    std::vector<std::thread> pool;
    for (u32 t = 0; t < threads; t++)
        pool.emplace_back([=, &part] {
            u64 acc[2][6] = {};  // plus, minus
            for (u64 i = t; i < n; i += threads) {
                u32 s[8];
                u64 w[4];
                scalar(kind, i, s);
                memcpy(w, s, 32);
                int64_t k = logarithm(points, indices ? indices[i] : i);
                u64* a = acc[k < 0];
                unsigned __int128 c = 0;
                for (int j = 0; j < 6; j++) {
                    c += (unsigned __int128)(j < 4 ? w[j] : 0) * (u64)(k < 0 ? -k : k) + a[j];
                    a[j] = (u64)c;
                    c >>= 64;
                }
            }
            naive::Big sum[2];
            for (int sign = 0; sign < 2; sign++)
                for (int j = 5; j >= 0; j--) {
                    for (int b = 0; b < 64; b++) sum[sign] = naive::add(sum[sign], sum[sign], naive::R);
                    sum[sign] = naive::add(sum[sign], naive::from_u64(acc[sign][j]), naive::R);
                }
            part[t] = naive::sub(sum[0], sum[1], naive::R);
        });
    naive::Big total;
    for (u32 t = 0; t < threads; t++) {
        pool[t].join();
        total = naive::add(total, part[t], naive::R);
    }
    return montgomery ? naive::mul(total, naive::inverse(naive::radix(256, naive::R), naive::R), naive::R) : total;
}

// Events at the ends of phases, printed as one line of JSON; a round's phases also by round.
struct Timer {
    std::vector<std::pair<std::string, cudaEvent_t>> events;
    void mark(const char* phase, cudaStream_t stream) {
        cudaEvent_t e;
        MUST(cudaEventCreate(&e));
        MUST(cudaEventRecord(e, stream));
        events.push_back({phase, e});
    }
    void print(const char* what, int lg, const std::string& more = "") const {
        std::map<std::string, double> sum;
        double total = 0;
        int round = 0;
        for (size_t i = 1; i < events.size(); i++) {
            float ms;
            MUST(cudaEventElapsedTime(&ms, events[i - 1].second, events[i].second));
            const std::string& phase = events[i].first;
            if (phase == "lists") round = 0;
            if (phase == "forward") round++;
            sum[phase] += ms;
            if (phase == "forward" || phase == "invert" || phase == "backward")
                sum[phase + std::to_string(round)] += ms;
            total += ms;
        }
        printf("{\"what\":\"phases_%s\",\"lg\":%d%s,\"total_ms\":%.3f", what, lg, more.c_str(), total);
        for (auto& [name, ms] : sum) printf(",\"%s\":%.3f", name.c_str(), ms);
        printf("}\n");
    }
};

}  // namespace cases
