// How good the windows are that the cost model chooses: each MSM of a proof with the chosen window, with the ones around
// it, and with one window for all of them, h's. One line of JSON an MSM.
//
//   msm_window_bench [LG[,LG..] = 22,26]
//
// Seconds are medians of five after a warm-up, from the call to the folded sum. A window whose warm-up is slower than the
// best median by a quarter is not run again; where another window than the chosen one is the best, the two are run again
// in turn, so that a drift of the clock touches both. Scalars are random and of full size, points and scalars resident;
// "loss" is chosen_s / best_s - 1.
#include "figure.h"
#include "msm/msm.h"
#include "msm_cases.cuh"

using namespace cases;

// Terms as a part of 2^lg, for a circuit of PoRep (1.6 % of the values are of full size; nearly all variables are in A, a
// quarter in B) and of PoSt (99 %; three quarters in either), as in benches/peer/common. h is dense, and the same in both.
struct Kind {
    const char *shape, *msm;
    u32 group;
    double share;
    bool dense() const { return share == 1; }
};
static const Kind KINDS[] = {
    {"both", "h", 1, 1},
    {"porep", "l", 1, 0.016},
    {"porep", "a", 1, 0.016 * 0.997},
    {"porep", "b_g1", 1, 0.016 * 0.254},
    {"porep", "b_g2", 2, 0.016 * 0.254},
    {"post", "l", 1, 0.99},
    {"post", "a", 1, 0.99 * 0.756},
    {"post", "b_g1", 1, 0.99 * 0.725},
    {"post", "b_g2", 2, 0.99 * 0.725},
};

// A tail: n of the table's points, in order, spread at random.
static __global__ void choose(u32* indices, u64 n, u64 table) {
    u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    if (i < n) indices[i] = (u32)((i * table + mix(i) % table) / n);
}

template <class F>
struct Subject {
    u64 table;
    uint4 *points, *scalars;
    u32* indices;
    void *sums, *workspace = nullptr;
    size_t workspace_bytes = 0;

    explicit Subject(u64 table) : table(table) {
        MUST(cudaMalloc(&points, table * 32 * F::VECTORS));
        MUST(cudaMalloc(&scalars, table * 32));
        MUST(cudaMalloc(&indices, table * 4));
        MUST(cudaMallocHost(&sums, 1 << 20));
        fill_points<F>(MULTIPLES, table, points);
        fill_scalars<<<(u32)((table + 255) / 256), 256>>>(RANDOM, table, (u32*)scalars);
        MUST(cudaGetLastError());
    }
    Subject(const Subject&) = delete;
    ~Subject() {
        for (void* p : {(void*)points, (void*)scalars, (void*)indices, workspace}) cudaFree(p);
        cudaFreeHost(sums);
    }
    // bits 0: the model's choice
    c2_msm_plan plan(u64 n, u32 bits) {
        c2_msm_request request = {};
        request.n = n;
        request.points = table;
        request.group = F::FP_COUNT;
        request.window_bits = bits;
        request.rounds = request.grid = -1;
        c2_msm_plan plan;
        MUST(c2_msm_plan_make(&request, &plan));
        return plan;
    }
    void reserve(const c2_msm_plan& plan) {
        if (plan.workspace_bytes <= workspace_bytes) return;
        MUST(cudaFree(workspace));
        workspace = nullptr;
        workspace_bytes = plan.workspace_bytes;
        MUST(cudaMalloc(&workspace, workspace_bytes));
    }
    double once(const c2_msm_plan& plan, bool dense) {
        MUST(cudaDeviceSynchronize());
        const double start = figure::now();
        MUST((F::FP_COUNT == 1 ? c2_msm_g1_run : c2_msm_g2_run)(&plan, points, scalars, dense ? nullptr : indices, workspace,
                                                                workspace_bytes, sums, nullptr));
        MUST(cudaStreamSynchronize(nullptr));
        c2::Affine<F> r;
        (F::FP_COUNT == 1 ? c2_msm_g1_finish : c2_msm_g2_finish)(&plan, sums, &r);
        return figure::now() - start;
    }
};

struct Timed {
    c2_msm_plan plan;
    double seconds;
};

static constexpr int RUNS = 5;

template <class F>
static Timed measure(Subject<F>& subject, const Kind& kind, const c2_msm_plan& plan, double give_up) {
    subject.reserve(plan);
    const double warm_up = subject.once(plan, kind.dense());
    if (warm_up > give_up) return {plan, warm_up};
    std::vector<double> seconds;
    for (int i = 0; i < RUNS; i++) seconds.push_back(subject.once(plan, kind.dense()));
    return {plan, figure::median(seconds)};
}

template <class F>
static void bench(Subject<F>& subject, const Kind& kind, int lg, u32& shared_bits) {
    const u64 n = (u64)(kind.share * (double)subject.table);
    choose<<<(u32)((n + 255) / 256), 256>>>(subject.indices, n, subject.table);
    MUST(cudaGetLastError());

    const double never = 1e9;
    std::vector<Timed> all = {measure(subject, kind, subject.plan(n, 0), never)};
    const c2_msm_plan chosen = all[0].plan;
    if (kind.dense()) shared_bits = chosen.window_bits;
    size_t best = 0;
    for (u32 bits = std::max(chosen.window_bits, 8u) - 4; bits <= std::min(chosen.window_bits + 4, 24u); bits++) {
        const c2_msm_plan plan = subject.plan(n, bits);
        if (plan.window_bits != bits || plan.windows == chosen.windows) continue;  // some widths no even cut comes to
        all.push_back(measure(subject, kind, plan, 1.25 * all[best].seconds));
        if (all.back().seconds < all[best].seconds) best = all.size() - 1;
    }
    double chosen_s = all[0].seconds, best_s = chosen_s;
    if (best) {
        std::vector<double> ours, others;
        for (int i = 0; i < RUNS; i++) {
            ours.push_back(subject.once(chosen, kind.dense()));
            others.push_back(subject.once(all[best].plan, kind.dense()));
        }
        chosen_s = figure::median(ours);
        best_s = std::min(chosen_s, figure::median(others));
        if (best_s == chosen_s) best = 0;
    }
    const u32 best_bits = all[best].plan.window_bits;
    const c2_msm_plan shared = subject.plan(n, shared_bits);
    const double shared_s = shared.windows == chosen.windows ? chosen_s : measure(subject, kind, shared, never).seconds;

    std::sort(all.begin(), all.end(), [](const Timed& a, const Timed& b) { return a.plan.window_bits < b.plan.window_bits; });
    std::string sweep;
    for (const Timed& t : all) {
        char text[48];
        snprintf(text, sizeof text, "%s[%u,%.6g]", sweep.empty() ? "" : ",", t.plan.window_bits, t.seconds);
        sweep += text;
    }
    printf("{\"what\":\"window\",\"shape\":\"%s\",\"msm\":\"%s\",\"lg\":%d,\"n\":%llu,\"chosen_bits\":%u,\"chosen_s\":%.6g,"
           "\"best_bits\":%u,\"best_s\":%.6g,\"shared_bits\":%u,\"shared_s\":%.6g,\"loss\":%.4f,\"sweep\":[%s],%s}\n",
           kind.shape, kind.msm, lg, (unsigned long long)n, chosen.window_bits, chosen_s, best_bits, best_s, shared_bits,
           shared_s, chosen_s / best_s - 1, sweep.c_str(), figure::origin.c_str());
    fflush(stdout);
}

template <class F>
static void bench_all(int lg, u32& shared_bits) {
    Subject<F> subject(1ull << lg);
    for (const Kind& kind : KINDS)
        if (kind.group == F::FP_COUNT) bench(subject, kind, lg, shared_bits);
}

int main(int argc, char** argv) {
    figure::start(argc, argv);
    for (const char* p = argc > 1 ? argv[1] : "22,26"; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : nullptr) {
        u32 shared_bits = 0;
        bench_all<c2::Fp>(atoi(p), shared_bits);
        bench_all<c2::Fp2>(atoi(p), shared_bits);
    }
    return 0;
}
