// The peer's side of compare.cu. Compiled against the headers of the sppark crate that supraseal-c2 pulls in.
#include "sppark.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <ff/bls12-381.hpp>

#include <ec/jacobian_t.hpp>
#include <ec/xyzz_t.hpp>

#ifndef FEATURE_BLS12_381
#error "build with FEATURE_BLS12_381"
#endif
typedef jacobian_t<fp_t> point_t;
typedef xyzz_t<fp_t> bucket_t;
typedef bucket_t::affine_t affine_t;
typedef fr_t scalar_t;

#include <msm/pippenger.cuh>
#include <ntt/ntt.cuh>

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static void check(const RustError& error, const char* what) {
    if (error.code == 0) return;
    fprintf(stderr, "sppark: %s: error %d\n", what, error.code);
    exit(2);
}
static void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "sppark: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

template <class F>
static __global__ void __launch_bounds__(128) multiply(F* out, const F* in, int rounds) {
    F x = in[threadIdx.x], w = in[128 + threadIdx.x];
#pragma unroll 1
    for (int r = 0; r < rounds; r++) x *= w;
    out[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = x;
}
template <class F>
static double rate() {
    const int rounds = 2000;
    int sms, blocks;
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "attribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiply<F>, 128, 0), "occupancy");
    size_t threads = (size_t)sms * blocks * 128;
    F *in, *out;
    check(cudaMalloc(&in, 256 * sizeof(F)), "malloc");
    check(cudaMalloc(&out, threads * sizeof(F)), "malloc");
    std::vector<uint32_t> words(256 * sizeof(F) / 4);
    uint64_t state = 1;
    for (uint32_t& w : words) w = (uint32_t)((state = state * 6364136223846793005ull + 1442695040888963407ull) >> 32) >> 4;
    check(cudaMemcpy(in, words.data(), 256 * sizeof(F), cudaMemcpyHostToDevice), "copy");
    double best = 1e9;
    for (int i = 0; i < 7; i++) {
        check(cudaDeviceSynchronize(), "synchronize");
        double t = now();
        multiply<F><<<sms * blocks, 128>>>(out, in, rounds);
        check(cudaDeviceSynchronize(), "multiply");
        best = std::min(best, now() - t);
    }
    cudaFree(in), cudaFree(out);
    return (double)threads * rounds / best;
}
double sppark_fp_mul_rate() { return rate<fp_t>(); }
double sppark_fr_mul_rate() { return rate<fr_t>(); }

double sppark_ntt_seconds(void* values, uint32_t lg, bool coset) {
    const gpu_t& gpu = select_gpu(0);
    gpu.select();
    stream_t& stream = gpu;
    check(cudaDeviceSynchronize(), "synchronize");
    double t = now();
    NTT::Base_dev_ptr(stream, (fr_t*)values, lg, NTT::InputOutputOrder::NR, NTT::Direction::forward,
                      coset ? NTT::Type::coset : NTT::Type::standard);
    stream.sync();
    return now() - t;
}

// What supraseal-c2 enqueues for one circuit once a, b and c are on the device, without its two pointwise kernels.
double sppark_quotient_seconds(void* a, void* b, void* c, uint32_t lg) {
    typedef NTT::InputOutputOrder Order;
    typedef NTT::Direction Direction;
    typedef NTT::Type Type;
    const gpu_t& gpu = select_gpu(0);
    gpu.select();
    stream_t& stream = gpu;
    check(cudaDeviceSynchronize(), "synchronize");
    double t = now();
    for (void* values : {a, b, c}) {
        NTT::Base_dev_ptr(stream, (fr_t*)values, lg, Order::NR, Direction::inverse, Type::standard);
        NTT::Base_dev_ptr(stream, (fr_t*)values, lg, Order::RN, Direction::forward, Type::coset);
    }
    NTT::Base_dev_ptr(stream, (fr_t*)a, lg, Order::NN, Direction::inverse, Type::coset);
    stream.sync();
    return now() - t;
}

// A device pointer that sppark uses and does not own.
template <class T>
struct Borrowed {
    T* pointer;
    T& operator[](size_t i) const { return pointer[i]; }
};
template <class T>
struct is_device_ptr<Borrowed<T>> {
    static const bool value{true};
};

struct SpparkMsm {
    msm_t<bucket_t, point_t, affine_t, scalar_t> msm;
    explicit SpparkMsm(size_t n) : msm(nullptr, n) {}
};
SpparkMsm* sppark_msm_new(size_t n) { return new SpparkMsm(n); }
void sppark_msm_free(SpparkMsm* msm) { delete msm; }
double sppark_msm_seconds(SpparkMsm* m, const void* points, const void* scalars, size_t n, void* result) {
    check(cudaDeviceSynchronize(), "synchronize");
    point_t sum;
    double t = now();
    check(m->msm.invoke(sum, Borrowed<affine_t>{(affine_t*)points}, n,
                        Borrowed<scalar_t>{(scalar_t*)scalars}, false),
          "msm");
    t = now() - t;
    affine_t affine = sum;
    memcpy(result, &affine, 96);
    return t;
}
