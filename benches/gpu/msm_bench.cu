// Times the MSM, points and scalars resident, no tables: one line of JSON a figure, the median of seven.
//
//   msm_bench time GROUP LG[,LG..] [SCALARS]     SCALARS: random zero99 equal two bits ..
//   msm_bench phases GROUP LG[,LG..] [GRID]      where the time goes
//   msm_bench sweep GROUP LG FROM TO [GRID]      every window size from FROM to TO
#include "figure.h"
#include "msm/msm.h"
#include "msm/policy.h"
#include "msm_cases.cuh"

using namespace cases;

template <class F>
struct Subject {
    u64 n;
    uint4 *points, *scalars;
    void *workspace = nullptr, *sums;
    size_t workspace_bytes = 0;
    c2_msm_plan plan;

    explicit Subject(u64 n, Scalars kind) : n(n) {
        MUST(cudaMalloc(&points, n * 32 * F::VECTORS));
        MUST(cudaMalloc(&scalars, n * 32));
        MUST(cudaMallocHost(&sums, 1 << 20));
        fill_points<F>(MULTIPLES, n, points);
        fill_scalars<<<(u32)((n + 255) / 256), 256>>>(kind, n, (u32*)scalars);
        MUST(cudaGetLastError());
    }
    ~Subject() {
        for (void* p : {(void*)points, (void*)scalars, workspace}) cudaFree(p);
        cudaFreeHost(sums);
    }
    void prepare(u32 window, int rounds, int grid = -1, Timer* timer = nullptr) {
        c2_msm_request request = {};
        request.n = request.points = n;
        request.group = F::FP_COUNT;
        request.window_bits = window;
        request.rounds = rounds;
        request.grid = grid;
        if (timer) {
            request.mark = [](void* t, const char* phase, cudaStream_t s) { ((Timer*)t)->mark(phase, s); };
            request.mark_context = timer;
        }
        MUST(c2_msm_plan_make(&request, &plan));
        if (plan.workspace_bytes > workspace_bytes) {
            MUST(cudaFree(workspace));
            workspace_bytes = plan.workspace_bytes;
            MUST(cudaMalloc(&workspace, workspace_bytes));
        }
    }
    std::string describe() const {
        char text[400];
        snprintf(text, sizeof text,
                 "\"windows\":%u,\"window\":%u,\"per_batch\":%u,\"rounds\":%u,\"chunk\":%u,\"grid\":%u,\"grid_rounds\":%u,"
                 "\"segment\":%u,\"predicted_s\":%.6f,\"workspace_gb\":%.2f",
                 plan.windows, plan.window_bits, plan.windows_per_batch, plan.rounds, plan.chunk, plan.grid_bits,
                 plan.grid_rounds, plan.segment_bits, plan.predicted_ms * 1e-3, plan.workspace_bytes * 1e-9);
        return text;
    }
    // wall time of run, wait and finish
    double once() {
        const double start = figure::now();
        MUST((F::FP_COUNT == 1 ? c2_msm_g1_run : c2_msm_g2_run)(&plan, points, scalars, nullptr, workspace,
                                                                workspace_bytes, sums, nullptr));
        MUST(cudaStreamSynchronize(nullptr));
        c2::Affine<F> r;
        (F::FP_COUNT == 1 ? c2_msm_g1_finish : c2_msm_g2_finish)(&plan, sums, &r);
        return figure::now() - start;
    }
    double median(int times) {
        once();
        std::vector<double> t;
        for (int i = 0; i < times; i++) t.push_back(once());
        return figure::median(t);
    }
};

template <class F>
static void bench(const std::string& mode, int argc, char** argv) {
    Scalars kind = RANDOM;
    if (mode == "time" && argc > 4)
        for (int k = 0; k < SCALAR_KINDS; k++)
            if (!strcmp(argv[4], scalar_names[k])) kind = (Scalars)k;
    for (char* p = argv[3]; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : nullptr) {
        int lg = atoi(p);
        Subject<F> s(1ull << lg, kind);
        if (mode == "time") {
            s.prepare(0, -1);
            const std::string what = std::string("msm_") + Group<F>::name();
            figure::print(what.c_str(), scalar_names[kind], lg, s.median(7), nullptr, 0, "," + s.describe());
        } else if (mode == "phases") {
            Timer timer;
            const int grid = argc > 4 ? atoi(argv[4]) : -1;
            s.prepare(0, -1, grid);
            s.median(1);
            s.prepare(0, -1, grid, &timer);
            timer.mark("begin", nullptr);
            s.once();
            timer.print(Group<F>::name(), lg, "," + s.describe());
        } else {
            for (int c = atoi(argv[4]); c <= atoi(argv[5]); c++) {
                s.prepare(c, -1, argc > 6 ? atoi(argv[6]) : -1);
                printf("{\"what\":\"sweep_%s\",\"lg\":%d,\"ms\":%.3f,%s}\n", Group<F>::name(), lg, s.median(3) * 1e3,
                       s.describe().c_str());
            }
        }
        fflush(stdout);
    }
}

int main(int argc, char** argv) {
    if (argc < 4) return 1;
    figure::start(argc, argv);
    // for experiments: another batch size, another L2 fetch granularity
    if (const char* lg = getenv("BATCH_LG"))
        for (u32 g = 1; g <= 2; g++) const_cast<c2::MsmPolicy&>(c2::msm_policy(g)).batch_entries = 1ull << atoi(lg);
    if (const char* bytes = getenv("L2_FETCH")) MUST(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, atoi(bytes)));
    std::string mode = argv[1];
    if (atoi(argv[2]) == 1)
        bench<c2::Fp>(mode, argc, argv);
    else
        bench<c2::Fp2>(mode, argc, argv);
    return 0;
}
