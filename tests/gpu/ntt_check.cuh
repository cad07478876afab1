// What the transform tests share: random vectors made on the device, and the value of a polynomial at a point from its
// coefficients (Horner) or from its values on a coset (barycentric formula), at any size.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "field/fr.cuh"
#include "ntt/memory.cuh"

using namespace c2;

#define REQUIRE_CUDA(call)                                                                                  \
    do {                                                                                                    \
        cudaError_t error = (call);                                                                         \
        if (error != cudaSuccess) {                                                                         \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                \
            exit(2);                                                                                        \
        }                                                                                                   \
    } while (0)

struct DeviceVector {
    Fr* p = nullptr;
    size_t n;
    explicit DeviceVector(size_t count) : n(count) {
        REQUIRE_CUDA(cudaMalloc(&p, count * sizeof(Fr)));
        REQUIRE_CUDA(cudaMemset(p, 0xff, count * sizeof(Fr)));  // no valid element: what is not written shows
    }
    DeviceVector(const DeviceVector&) = delete;
    ~DeviceVector() { cudaFree(p); }
    std::vector<Fr> host() const {
        std::vector<Fr> h(n);
        REQUIRE_CUDA(cudaMemcpy(h.data(), p, n * sizeof(Fr), cudaMemcpyDeviceToHost));
        return h;
    }
};

static __host__ __device__ inline u64 splitmix(u64 z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}
// Canonical, one in eight of them 0, 1 (Montgomery), r - 1 or small.
static __host__ __device__ inline Fr random_fr(u64 seed, u64 index) {
    Fr a;
    u64 state = splitmix(seed) ^ (index * 0xd1342543de82ef95);
    for (int i = 0; i < 8; i += 2) {
        u64 w = splitmix(state + i);
        a.v[i] = (u32)w;
        a.v[i + 1] = (u32)(w >> 32);
    }
    u32 kind = a.v[7] >> 24;
    a.v[7] &= 0x3fffffff;
    if (kind < 32) {
        if (kind % 4 == 0) return fr_zero();
        if (kind % 4 == 1) return fr_one();
        if (kind % 4 == 2) return sub(fr_zero(), Fr{{1, 0, 0, 0, 0, 0, 0, 0}});
        for (int i = 1; i < 8; i++) a.v[i] = 0;
    }
    return a;
}

static __global__ void fill_kernel(Fr* p, size_t n, u64 seed) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        store(p + i, random_fr(seed, i));
}
static void fill(DeviceVector& v, u64 seed) { fill_kernel<<<1024, 256>>>(v.p, v.n, seed); }

static __global__ void product_kernel(Fr* out, const Fr* a, const Fr* b, size_t n) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        store(out + i, mul(load(a + i), load(b + i)));
}
static __global__ void differences_kernel(const Fr* a, const Fr* b, size_t n, unsigned long long* count) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        bool same = true;
        for (int w = 0; w < 8; w++) same = same && a[i].v[w] == b[i].v[w];
        if (!same) atomicAdd(count, 1ull);
    }
}
static unsigned long long differences(const DeviceVector& a, const DeviceVector& b) {
    unsigned long long *d, h;
    REQUIRE_CUDA(cudaMalloc(&d, 8));
    REQUIRE_CUDA(cudaMemset(d, 0, 8));
    differences_kernel<<<1024, 256>>>(a.p, b.p, a.n, d);
    REQUIRE_CUDA(cudaMemcpy(&h, d, 8, cudaMemcpyDeviceToHost));
    cudaFree(d);
    return h;
}

// Partial sums, one per thread: of x[i] z^i, or of v[k] g w^k / (z - g w^k).
static __global__ void horner_kernel(Fr* sums, const Fr* x, size_t n, Fr z) {
    size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x, threads = (size_t)gridDim.x * blockDim.x;
    Fr power = pow(z, thread), step = pow(z, threads), sum = fr_zero();
    for (size_t i = thread; i < n; i += threads) {
        sum = add(sum, mul(load(x + i), power));
        power = mul(step, power);
    }
    store(sums + thread, sum);
}
static __device__ Fr fermat_inverse(const Fr& a) {
    Fr r = fr_one();
    for (int i = 255; i >= 0; i--) {
        u32 e = i / 32 == 0 ? 0xffffffff : i / 32 == 1 ? fr_words::R(1) - 1 : fr_words::R(i / 32);
        r = sqr(r);
        if ((e >> (i % 32)) & 1) r = mul(a, r);
    }
    return r;
}
static __global__ void barycentric_kernel(Fr* sums, const Fr* v, size_t n, Fr z, Fr g, Fr w) {
    size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x, threads = (size_t)gridDim.x * blockDim.x;
    Fr point = mul(g, pow(w, thread)), step = pow(w, threads), sum = fr_zero();
    for (size_t k = thread; k < n; k += threads) {
        Fr t = mul(fermat_inverse(sub(z, point)), point);
        sum = add(sum, mul(load(v + k), t));
        point = mul(step, point);
    }
    store(sums + thread, sum);
}

static constexpr int SUM_BLOCKS = 528, SUM_THREADS = 256;
static Fr add_up(const DeviceVector& sums) {
    Fr total = fr_zero();
    for (const Fr& s : sums.host()) total = add(total, s);
    return total;
}
static Fr value_from_coefficients(const Fr* x, size_t n, const Fr& z) {
    DeviceVector sums(SUM_BLOCKS * SUM_THREADS);
    horner_kernel<<<SUM_BLOCKS, SUM_THREADS>>>(sums.p, x, n, z);
    REQUIRE_CUDA(cudaGetLastError());
    return add_up(sums);
}
// P(z) = (z^n - g^n) / (n g^n) sum of P(g w^k) g w^k / (z - g w^k)
static Fr value_from_values(const Fr* v, int lg, const Fr& z, const Fr& g) {
    size_t n = (size_t)1 << lg;
    DeviceVector sums(SUM_BLOCKS * SUM_THREADS);
    barycentric_kernel<<<SUM_BLOCKS, SUM_THREADS>>>(sums.p, v, n, z, g, root_of_unity(lg));
    REQUIRE_CUDA(cudaGetLastError());
    Fr gn = pow(g, n), scale = mul(inverse(gn), sub(pow(z, n), gn));
    for (int i = 0; i < lg; i++) scale = mul(fr_from<fr_words::HALF>(), scale);
    return mul(scale, add_up(sums));
}
static bool same(const Fr& a, const Fr& b) { return !memcmp(a.v, b.v, sizeof a.v); }
