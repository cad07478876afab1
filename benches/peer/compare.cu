// Our kernels beside sppark's, in one process and alternating: one JSON line a figure.
//   usage: compare [fp_mul] [ntt LG,LG..] [quotient LG,LG..] [msm_g1 LG,LG..]
// Wall time from the call to the end of the stream on both sides, median of 7 after one warm-up each. Points and scalars
// are on the device, no precomputed tables. Results of the MSM are compared; transforms are in different orders, and ours
// are tested elsewhere.
#include <functional>

#include "field/fp.cuh"
#include "figure.h"
#include "msm/msm.h"
#include "msm_cases.cuh"
#include "ntt/ntt.h"
#include "ntt_check.cuh"
#include "quotient/quotient.h"
#include "sppark.h"

static int failures = 0;

static void print(const char* what, const char* variant, int lg, double ours, double peer) {
    figure::print(what, variant, lg, ours, "sppark 0.1.16", peer);
}
// The two sides in turn, so that a drift of the clock or of the card touches both.
static void compare(const char* what, const char* variant, int lg, const std::function<double()>& ours,
                    const std::function<double()>& peer) {
    std::vector<double> a, b;
    for (int i = 0; i < 8; i++) {
        double s = ours(), t = peer();
        if (i) a.push_back(s), b.push_back(t);
    }
    print(what, variant, lg, figure::median(a), figure::median(b));
}
static double timed(const std::function<cudaError_t()>& enqueue) {
    REQUIRE_CUDA(cudaDeviceSynchronize());
    const double start = figure::now();
    REQUIRE_CUDA(enqueue());
    REQUIRE_CUDA(cudaDeviceSynchronize());
    return figure::now() - start;
}

template <class F>
static __global__ void __launch_bounds__(128) multiply(F* out, const F* in, int rounds) {
    F x = in[threadIdx.x], w = in[128 + threadIdx.x];
#pragma unroll 1
    for (int r = 0; r < rounds; r++) x = mul(w, x);
    out[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = x;
}
template <class F>
static double rate() {
    const int rounds = 2000;
    int sms, blocks;
    REQUIRE_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    REQUIRE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiply<F>, 128, 0));
    size_t threads = (size_t)sms * blocks * 128;
    F *in, *out;
    REQUIRE_CUDA(cudaMalloc(&in, 256 * sizeof(F)));
    REQUIRE_CUDA(cudaMalloc(&out, threads * sizeof(F)));
    std::vector<u32> words(256 * sizeof(F) / 4);
    for (size_t i = 0; i < words.size(); i++) words[i] = (u32)splitmix(i) >> 4;  // below both moduli
    REQUIRE_CUDA(cudaMemcpy(in, words.data(), 256 * sizeof(F), cudaMemcpyHostToDevice));
    double best = 1e9;
    for (int i = 0; i < 7; i++)
        best = std::min(best, timed([&] {
                            multiply<F><<<sms * blocks, 128>>>(out, in, rounds);
                            return cudaGetLastError();
                        }));
    cudaFree(in), cudaFree(out);
    return (double)threads * rounds / best;
}

struct Tables {
    c2_ntt_domain domain;
    void* memory;
    explicit Tables(int lg) {
        size_t bytes;
        REQUIRE_CUDA(c2_ntt_tables_bytes(lg, &bytes));
        REQUIRE_CUDA(cudaMalloc(&memory, bytes));
        REQUIRE_CUDA(c2_ntt_tables_build(lg, memory, bytes, &domain, 0));
    }
    ~Tables() { cudaFree(memory); }
};
static void compare_ntt(int lg) {
    const size_t n = (size_t)1 << lg;
    Tables tables(lg);
    DeviceVector x(n), work(n), y(n);
    fill(x, 1), fill(y, 1);
    for (int coset = 0; coset < 2; coset++)
        compare("ntt", coset ? "coset forward" : "forward", lg,
                [&] {
                    return timed([&] {
                        return c2_ntt_run(&tables.domain, coset ? C2_NTT_COSET_FORWARD : C2_NTT_FORWARD, x.p, x.p,
                                          work.p, n * sizeof(Fr), 0);
                    });
                },
                [&] { return sppark_ntt_seconds(y.p, lg, coset); });
}
static void compare_quotient(int lg) {
    const size_t n = (size_t)1 << lg;
    Tables tables(lg);
    DeviceVector a(n), b(n), work(2 * n), pa(n), pb(n), pc(n);
    fill(a, 1), fill(b, 2), fill(pa, 1), fill(pb, 2), fill(pc, 3);
    compare("quotient", "values on the device", lg,
            [&] {
                return timed([&] {
                    return c2_quotient_run(&tables.domain, a.p, b.p, nullptr, work.p, 2 * n * sizeof(Fr), 0);
                });
            },
            [&] { return sppark_quotient_seconds(pa.p, pb.p, pc.p, lg); });
}
// points[i] = C + i G for a fixed C of full size: distinct points, of which no partial sum meets the next one. sppark
// does not return from sums in which that happens often, as with plain multiples of G.
static constexpr u32 POINTS_A_THREAD = 64;
static __global__ void __launch_bounds__(128) fill_points(Affine<Fp>* points, u64 n, Affine<Fp> start) {
    u64 base = (blockIdx.x * (u64)128 + threadIdx.x) * POINTS_A_THREAD;
    Affine<Fp> g;
    set_generator(g);
    Xyzz<Fp> a;
    set_infinity(a);
    for (int bit = 31; bit >= 0; bit--) {
        double_in_place(a);
        if ((base >> bit) & 1) add_in_place(a, g);
    }
    add_in_place(a, start);
    for (u64 i = base; i < base + POINTS_A_THREAD && i < n; i++) {
        Affine<Fp> p = to_affine(a);
        points[i] = {canonical(p.x), canonical(p.y)};
        add_in_place(a, g);
    }
}

static void compare_msm(int lg) {
    const u64 n = 1ull << lg;
    Affine<Fp>* points;
    uint4* scalars;
    void *workspace, *sums;
    REQUIRE_CUDA(cudaMalloc(&points, n * 96));
    REQUIRE_CUDA(cudaMalloc(&scalars, n * 32));
    naive::Big offset;
    for (int i = 0; i < 4; i++) offset.v[i] = splitmix(i) >> (i == 3 ? 2 : 0);
    fill_points<<<(u32)((n / POINTS_A_THREAD + 127) / 128), 128>>>(points, n, cases::multiple<Fp>(offset));
    REQUIRE_CUDA(cudaGetLastError());
    cases::fill_scalars<<<(u32)((n + 255) / 256), 256>>>(cases::RANDOM, n, (u32*)scalars);
    c2_msm_request request = {};
    request.n = request.points = n;
    request.group = 1;
    request.rounds = request.grid = -1;
    c2_msm_plan plan;
    REQUIRE_CUDA(c2_msm_plan_make(&request, &plan));
    REQUIRE_CUDA(cudaMalloc(&workspace, plan.workspace_bytes));
    REQUIRE_CUDA(cudaMallocHost(&sums, plan.sums_bytes));
    u32 ours[24], peers[24];
    SpparkMsm* peer = sppark_msm_new(n);
    compare("msm_g1", "random", lg,
            [&] {
                return timed([&] {
                    cudaError_t e = c2_msm_g1_run(&plan, points, scalars, nullptr, workspace, plan.workspace_bytes, sums, 0);
                    if (e == cudaSuccess) e = cudaStreamSynchronize(0);
                    if (e == cudaSuccess) c2_msm_g1_finish(&plan, sums, ours);
                    return e;
                });
            },
            [&] { return sppark_msm_seconds(peer, points, scalars, n, peers); });
    if (memcmp(ours, peers, 96)) {
        fprintf(stderr, "msm_g1 at 2^%d: the two results differ\n", lg);
        failures++;
    }
    sppark_msm_free(peer);
    cudaFreeHost(sums), cudaFree(workspace), cudaFree(scalars), cudaFree(points);
}

static void for_sizes(const char* list, void (*body)(int)) {
    for (const char* p = list; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : nullptr) body(atoi(p));
}

int main(int argc, char** argv) {
    figure::start(argc, argv);
    for (int i = 1; i < argc; i++) {
        std::string what = argv[i];
        const char* list = i + 1 < argc ? argv[i + 1] : "";
        if (what == "fp_mul") {
            print("fp_mul", "one product", 0, 1 / rate<Fp>(), 1 / sppark_fp_mul_rate());
            print("fr_mul", "one product", 0, 1 / rate<Fr>(), 1 / sppark_fr_mul_rate());
        }
        if (what == "ntt") for_sizes(list, compare_ntt);
        if (what == "quotient") for_sizes(list, compare_quotient);
        if (what == "msm_g1") for_sizes(list, compare_msm);
    }
    return failures != 0;
}
