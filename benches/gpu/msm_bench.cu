// Times the MSM, points and scalars resident, no tables: one line of JSON a figure, the median of seven.
//
//   msm_bench time GROUP LG[,LG..] [SCALARS]     SCALARS: random zero99 equal two bits ..
//   msm_bench phases GROUP LG                    where the time goes
//   msm_bench sweep GROUP LG FROM TO [ROUNDS]    every window size from FROM to TO
#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include "msm/msm.h"
#include "msm_cases.cuh"

using namespace cases;

struct Timer {
    std::vector<std::pair<std::string, cudaEvent_t>> events;
    void mark(const char* phase, cudaStream_t stream) {
        cudaEvent_t e;
        MUST(cudaEventCreate(&e));
        MUST(cudaEventRecord(e, stream));
        events.push_back({phase, e});
    }
};

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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
    void prepare(u32 window, int rounds, Timer* timer = nullptr) {
        c2_msm_request request = {};
        request.n = request.points = n;
        request.group = F::FP_COUNT;
        request.window_bits = window;
        request.rounds = rounds;
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
    // wall time of run, wait and finish
    double once() {
        double t = now();
        MUST((F::FP_COUNT == 1 ? c2_msm_g1_run : c2_msm_g2_run)(&plan, points, scalars, nullptr, workspace,
                                                                workspace_bytes, sums, nullptr));
        MUST(cudaStreamSynchronize(nullptr));
        c2::Affine<F> r;
        (F::FP_COUNT == 1 ? c2_msm_g1_finish : c2_msm_g2_finish)(&plan, sums, &r);
        return now() - t;
    }
    double median(int times) {
        once();
        std::vector<double> t;
        for (int i = 0; i < times; i++) t.push_back(once());
        std::sort(t.begin(), t.end());
        return t[times / 2];
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
            double t = s.median(7);
            printf("{\"what\":\"msm_%s\",\"lg\":%d,\"scalars\":\"%s\",\"ours_s\":%.6f,\"window\":%u,\"per_batch\":%u,"
                   "\"rounds\":%u,\"chunk\":%u,\"segment\":%u,\"predicted_s\":%.6f,\"workspace_gb\":%.2f}\n",
                   Group<F>::name(), lg, scalar_names[kind], t, s.plan.window_bits, s.plan.windows_per_batch,
                   s.plan.rounds, s.plan.chunk, s.plan.segment_bits, s.plan.predicted_ms * 1e-3,
                   s.plan.workspace_bytes * 1e-9);
        } else if (mode == "phases") {
            Timer timer;
            s.prepare(0, -1, nullptr);
            s.median(1);
            s.prepare(0, -1, &timer);
            timer.mark("begin", nullptr);
            s.once();
            std::map<std::string, double> sum;
            double total = 0;
            for (size_t i = 1; i < timer.events.size(); i++) {
                float ms;
                MUST(cudaEventElapsedTime(&ms, timer.events[i - 1].second, timer.events[i].second));
                sum[timer.events[i].first] += ms;
                total += ms;
            }
            printf("{\"what\":\"phases_%s\",\"lg\":%d,\"window\":%u,\"per_batch\":%u,\"rounds\":%u,\"total_ms\":%.3f",
                   Group<F>::name(), lg, s.plan.window_bits, s.plan.windows_per_batch, s.plan.rounds, total);
            for (auto& [name, ms] : sum) printf(",\"%s\":%.3f", name.c_str(), ms);
            printf("}\n");
        } else {
            for (int c = atoi(argv[4]); c <= atoi(argv[5]); c++) {
                s.prepare(c, argc > 6 ? atoi(argv[6]) : -1);
                printf("{\"what\":\"sweep_%s\",\"lg\":%d,\"window\":%d,\"per_batch\":%u,\"rounds\":%u,\"chunk\":%u,"
                       "\"ms\":%.3f,\"predicted_ms\":%.3f}\n",
                       Group<F>::name(), lg, c, s.plan.windows_per_batch, s.plan.rounds, s.plan.chunk, s.median(3) * 1e3,
                       s.plan.predicted_ms);
            }
        }
        fflush(stdout);
    }
}

int main(int argc, char** argv) {
    if (argc < 4) return 1;
    std::string mode = argv[1];
    if (atoi(argv[2]) == 1)
        bench<c2::Fp>(mode, argc, argv);
    else
        bench<c2::Fp2>(mode, argc, argv);
    return 0;
}
