// The MSM on the device against known logarithms, in G1 and G2: small sizes densely, every kind of scalar and of point,
// every window and round count, then large sizes. Exit code 0 when all hold.
//
//   msm_test [largest lg of G1 = 20] [largest lg of G2 = 18]    0: not that group
//   msm_test few      a handful of small sizes, for compute-sanitizer
#include "msm/msm.h"
#include "msm_cases.cuh"

using namespace cases;

static int failures = 0, done = 0;

template <class F>
struct Bench {
    u64 capacity;
    uint4 *points = nullptr, *scalars = nullptr;
    void *workspace = nullptr, *sums = nullptr;
    u32* indices = nullptr;
    size_t workspace_bytes = 0;
    Points kind = POINT_KINDS;
    u64 filled = 0;

    explicit Bench(u64 n) : capacity(n) {
        MUST(cudaMalloc(&points, n * 32 * F::VECTORS));
        MUST(cudaMalloc(&scalars, n * 32));
        MUST(cudaMalloc(&indices, 4096 * 4));
        MUST(cudaMallocHost(&sums, 1 << 20));
    }
    ~Bench() {
        for (void* p : {(void*)points, (void*)scalars, workspace, (void*)indices}) cudaFree(p);
        cudaFreeHost(sums);
    }
    void check(u64 n, Scalars s, Points p, u32 window = 0, int rounds = -1, bool montgomery = false, bool indexed = false,
               int grid = -1) {
        if (p != kind || filled < n) {
            filled = n <= 65536 ? std::min<u64>(capacity, 65536) : n;
            fill_points<F>(p, filled, points);
            kind = p;
        }
        fill_scalars<<<(u32)((n + 255) / 256), 256>>>(s, n, (u32*)scalars);
        MUST(cudaGetLastError());
        std::vector<u32> index;
        if (indexed) {
            for (u64 i = 0; i < n; i++) index.push_back((u32)(mix(i + 9) % filled));
            MUST(cudaMemcpy(indices, index.data(), 4 * n, cudaMemcpyHostToDevice));
        }
        c2_msm_request request = {};
        request.n = n;
        request.points = filled;
        request.group = F::FP_COUNT;
        request.montgomery = montgomery;
        request.window_bits = window;
        request.rounds = rounds;
        request.grid = grid;
        c2_msm_plan plan;
        MUST(c2_msm_plan_make(&request, &plan));
        if (plan.workspace_bytes > workspace_bytes) {
            MUST(cudaFree(workspace));
            workspace_bytes = plan.workspace_bytes;
            MUST(cudaMalloc(&workspace, workspace_bytes));
        }
        MUST(cudaMemset(workspace, 0xa5, std::min<u64>(plan.workspace_bytes, 1 << 24)));
        MUST((F::FP_COUNT == 1 ? c2_msm_g1_run : c2_msm_g2_run)(&plan, points, scalars, indexed ? indices : nullptr,
                                                                workspace, plan.workspace_bytes, sums, nullptr));
        MUST(cudaDeviceSynchronize());
        c2::Affine<F> got, want = multiple<F>(logarithm_of_sum(s, p, n, indexed ? index.data() : nullptr, montgomery));
        (F::FP_COUNT == 1 ? c2_msm_g1_finish : c2_msm_g2_finish)(&plan, sums, &got);
        done++;
        if (memcmp(&got, &want, sizeof got)) {
            if (failures++ < 20)
                printf("FAIL %s n %llu scalars %s points %s window %u rounds %u of %d grid %u montgomery %d indexed %d\n",
                       Group<F>::name(), (unsigned long long)n, scalar_names[s], point_names[p], plan.window_bits,
                       plan.rounds, rounds, plan.grid_bits, montgomery, indexed);
        }
    }
};

template <class F>
static void run(int most_lg, bool quick) {
    {
        Bench<F> b(65536);
        for (u64 n = 1; n <= 40; n++) b.check(n, RANDOM, MULTIPLES, 0, -1, n & 1);
        for (u64 n = 41; n <= 4096; n = n * 5 / 4 + 1) b.check(n, RANDOM, MULTIPLES, 0, -1, n & 1, n & 2);
        for (int s = 0; s < SCALAR_KINDS; s++)
            for (int p = 0; p < POINT_KINDS; p++) {
                b.check(3000, (Scalars)s, (Points)p, 0, -1, s == RANDOM, p == FEW);
                b.check(3000, (Scalars)s, (Points)p, 5, 3);
                if (!quick) b.check(60000, (Scalars)s, (Points)p, 7, 8);
                b.check(60000, (Scalars)s, (Points)p, 11, 0);
                b.check(60000, (Scalars)s, (Points)p, 11, 2, false, false, 1);
            }
        for (u32 c = 2; c <= (quick ? 12 : 18); c++)
            for (int r = 0; r <= 8; r += 1 + 3 * (r > 1)) b.check(20000, RANDOM, c & 1 ? MULTIPLES : FEW, c, r, false, false, r ? c >= 4 && c % 2 : -1);
        for (u32 c = 19; c <= 24 && !quick; c++) b.check(20000, RANDOM, FEW, c, c % 3, false, false, c % 2);
    }
    printf("%s small: %d checks, %d failures\n", Group<F>::name(), done, failures);
    fflush(stdout);
    for (int lg = 18; lg <= most_lg; lg += lg + 1 == most_lg ? 1 : 2) {
        Bench<F> b(1ull << lg);
        b.check(1ull << lg, RANDOM, MULTIPLES);
        if (lg > 22) continue;
        for (Scalars s : {ZERO_99, ALL_EQUAL, TWO_VALUES, EDGES}) b.check(1ull << lg, s, MULTIPLES);
        b.check((1ull << lg) - 1, RANDOM, FEW);
    }
    printf("%s: %d checks, %d failures\n", Group<F>::name(), done, failures);
    fflush(stdout);
}

template <class F>
static void run_few() {
    Bench<F> b(4096);
    for (u64 n : {1, 100, 1024}) b.check(n, RANDOM, MULTIPLES, 0, -1, true);
    for (int grid = 0; grid <= 1; grid++)
        for (Scalars s : {RANDOM, ALL_EQUAL, EDGES}) b.check(4096, s, s == RANDOM ? MULTIPLES : FEW, 8, 2, false, true, grid);
}

int main(int argc, char** argv) {
    if (argc > 1 && !strcmp(argv[1], "few")) {
        run_few<c2::Fp>();
        run_few<c2::Fp2>();
        printf("msm_test few: %s, %d checks\n", failures ? "FAIL" : "ok", done);
        return failures != 0;
    }
    int g1 = argc > 1 ? atoi(argv[1]) : 20, g2 = argc > 2 ? atoi(argv[2]) : 18;
    bool quick = argc > 3;
    if (g1) run<c2::Fp>(g1, quick);
    if (g2) run<c2::Fp2>(g2, quick);
    printf("msm_test: %s, %d checks\n", failures ? "FAIL" : "ok", done);
    return failures != 0;
}
