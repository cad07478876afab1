// Times of the transforms and the quotient, one JSON line a figure.
//   usage: ntt_bench [lg ...]      default: 16 18 20 22 23 24 25 26 27
// Median of 7 after two warm-up runs, events around each, random values; "gmul_s" is the multiplications that the
// algorithm needs over that time, to be held against the line "fr_mul", which is what the multiplier gives.
#include <cstdlib>
#include <functional>

#include "figure.h"
#include "ntt/ntt.h"
#include "ntt/plan.h"
#include "ntt_check.cuh"
#include "quotient/quotient.h"

static double median_seconds(const std::function<void()>& body) {
    cudaEvent_t begin, end;
    REQUIRE_CUDA(cudaEventCreate(&begin));
    REQUIRE_CUDA(cudaEventCreate(&end));
    std::vector<double> times;
    for (int i = 0; i < 9; i++) {
        REQUIRE_CUDA(cudaEventRecord(begin));
        body();
        REQUIRE_CUDA(cudaEventRecord(end));
        REQUIRE_CUDA(cudaEventSynchronize(end));
        float ms;
        REQUIRE_CUDA(cudaEventElapsedTime(&ms, begin, end));
        if (i >= 2) times.push_back(ms * 1e-3);
    }
    cudaEventDestroy(begin), cudaEventDestroy(end);
    return figure::median(times);
}
static void print(const char* what, const char* variant, int lg, double seconds, double multiplications) {
    char rate[64];
    snprintf(rate, sizeof rate, ",\"gmul_s\":%.2f", multiplications / seconds * 1e-9);
    figure::print(what, variant, lg, seconds, nullptr, 0, rate);
}

template <int LANES>
static __global__ void __launch_bounds__(128) multiply(Fr* out, const Fr* in, int rounds) {
    size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    Fr x[LANES], w = load(in + threadIdx.x);
    for (int i = 0; i < LANES; i++) x[i] = load(in + 128 * (i + 1) + threadIdx.x);
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int i = 0; i < LANES; i++) x[i] = mul(w, x[i]);
    Fr sum = x[0];
    for (int i = 1; i < LANES; i++) sum = add(sum, x[i]);
    store(out + thread, sum);
}
template <int LANES>
static void bench_multiplication(const char* variant) {
    int sms, blocks, rounds = 2000;
    REQUIRE_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    REQUIRE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiply<LANES>, 128, 0));
    size_t threads = (size_t)sms * blocks * 128;
    DeviceVector in(1024), out(threads);
    fill(in, 3);
    double s = median_seconds([&] { multiply<LANES><<<sms * blocks, 128>>>(out.p, in.p, rounds); });
    print("fr_mul", variant, 0, s / ((double)threads * rounds * LANES), 1);
}

// Per element, as the passes are laid out (plan.h): 4 of 8 in a radix-8 stage, 7 of 8 before all but the first.
static double multiplications(int lg, bool coset) {
    c2::NttPlan plan = c2::ntt_plan(lg);
    double per_element = coset ? 1 : 0;
    for (int p = 0; p < plan.passes; p++) {
        int stages = plan.bits[p] / 3, rest = plan.bits[p] % 3;
        per_element += stages * 0.5 + (stages - 1) * 0.875 + (p > 0 ? 1 : 0);
        per_element += rest == 1 ? 0.5 : rest == 2 ? 1 : 0;
    }
    if (plan.passes == 3) per_element += 0.25;
    return per_element * (double)((size_t)1 << lg);
}

int main(int argc, char** argv) {
    std::vector<int> sizes;
    for (int i = 1; i < argc; i++) sizes.push_back(atoi(argv[i]));
    if (sizes.empty()) sizes = {16, 18, 20, 22, 23, 24, 25, 26, 27};
    figure::start(argc, argv);
    fprintf(stderr, "%s\n", c2_ntt_policy());

    bench_multiplication<1>("1 lane");
    bench_multiplication<2>("2 lanes");
    for (int lg : sizes) {
        size_t n = (size_t)1 << lg, bytes;
        REQUIRE_CUDA(c2_ntt_tables_bytes(lg, &bytes));
        void* tables;
        c2_ntt_domain domain;
        REQUIRE_CUDA(cudaMalloc(&tables, bytes));
        double build = median_seconds([&] { REQUIRE_CUDA(c2_ntt_tables_build(lg, tables, bytes, &domain, 0)); });
        DeviceVector a(n), b(n), work(2 * n);
        fill(a, 1), fill(b, 2);
        const char* names[] = {"forward", "inverse", "coset forward", "coset inverse"};
        for (int kind = 0; kind < 4; kind++) {
            double s = median_seconds(
                [&] { REQUIRE_CUDA(c2_ntt_run(&domain, (c2_ntt_kind)kind, a.p, a.p, work.p, n * sizeof(Fr), 0)); });
            print("ntt", names[kind], lg, s, multiplications(lg, kind >= 2));
        }
        double s = median_seconds(
            [&] { REQUIRE_CUDA(c2_quotient_run(&domain, a.p, b.p, nullptr, work.p, 2 * n * sizeof(Fr), 0)); });
        print("quotient", "six transforms", lg, s, 3 * multiplications(lg, false) + 3 * multiplications(lg, true) + n);
        print("ntt_tables", "build", lg, build, 0);
        cudaFree(tables);
    }
    return 0;
}
