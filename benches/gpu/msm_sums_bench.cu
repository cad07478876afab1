// Times what an assignment's zeros and ones cost: the split into classes, and the sum of the points of its ones, half of
// them all, in G1 and G2. One line of JSON a figure, the median of seven after a warm-up, events around each.
//
//   msm_sums_bench [LG[,LG..] = 26]
//   msm_sums_bench phases [LG[,LG..]]     where the time of the sums goes
#include <functional>

#include "batch_add/batch_add.h"
#include "figure.h"
#include "msm_cases.cuh"
#include "split/split.h"

using namespace cases;

struct Memory {
    void* p;
    explicit Memory(u64 bytes) { MUST(cudaMalloc(&p, bytes)); }
    Memory(const Memory&) = delete;
    ~Memory() { cudaFree(p); }
    template <class T>
    T* as() const {
        return (T*)p;
    }
};

static double seconds(const std::function<void()>& enqueue) {
    cudaEvent_t begin, end;
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    std::vector<double> times;
    for (int i = 0; i < 8; i++) {
        MUST(cudaEventRecord(begin));
        enqueue();
        MUST(cudaEventRecord(end));
        MUST(cudaEventSynchronize(end));
        float ms;
        MUST(cudaEventElapsedTime(&ms, begin, end));
        if (i) times.push_back(ms * 1e-3);
    }
    cudaEventDestroy(begin), cudaEventDestroy(end);
    return figure::median(times);
}

template <class F>
static void bench_sum(int lg, bool phases) {
    const u64 n = 1ull << lg;
    Memory points(n * 32 * F::VECTORS);
    fill_points<F>(MULTIPLES, n, points.as<uint4>());
    std::vector<u32> ones;
    for (u64 i = 0; i < n; i++)
        if (mix(i) & 1) ones.push_back((u32)i);
    const u32 bounds[2] = {0, (u32)ones.size()};
    Memory indices(4 * ones.size()), starts(sizeof bounds);
    MUST(cudaMemcpy(indices.p, ones.data(), 4 * ones.size(), cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(starts.p, bounds, sizeof bounds, cudaMemcpyHostToDevice));
    Timer timer;
    c2_batch_add_plan plan = {};
    plan.entries = ones.size();
    plan.points = n;
    plan.groups = 1;
    plan.group = F::FP_COUNT;
    if (phases) {
        plan.mark = [](void* t, const char* phase, cudaStream_t s) { ((Timer*)t)->mark(phase, s); };
        plan.mark_context = &timer;
    }
    MUST(c2_batch_add_plan_make(&plan));
    Memory workspace(plan.workspace_bytes);
    std::vector<char> sums(plan.sums_bytes);
    auto enqueue = [&] {
        MUST((F::FP_COUNT == 1 ? c2_batch_add_g1_run : c2_batch_add_g2_run)(
            &plan, points.p, indices.as<u32>(), starts.as<u32>(), workspace.p, plan.workspace_bytes, sums.data(), nullptr));
    };
    if (phases) {
        enqueue();  // a warm-up
        timer.events.clear();
        timer.mark("begin", nullptr);
        enqueue();
        MUST(cudaDeviceSynchronize());
        timer.print(Group<F>::name(), lg);
        return;
    }
    char more[96];
    snprintf(more, sizeof more, ",\"ones\":%zu,\"rounds\":%u", ones.size(), plan.rounds);
    figure::print("batch_add", std::string(Group<F>::name()) + ", half ones", lg, seconds(enqueue), nullptr, 0, more);
}

static void bench_split(int lg) {
    const u64 n = 1ull << lg;
    // ones by a coin, two in a hundred full-size
    std::vector<u32> one_words(n / 32), other_words(n / 32);
    u64 others = 0;
    for (u64 i = 0; i < n; i++) {
        u64 h = mix(i);
        if (h % 100 >= 98)
            other_words[i / 32] |= 1u << (i % 32), others++;
        else if (h >> 63)
            one_words[i / 32] |= 1u << (i % 32);
    }
    Memory packed(32 * others), one_bits(n / 8), other_bits(n / 8), ones(4 * n), tail(4 * n), tail_scalars(32 * others);
    MUST(cudaMemcpy(one_bits.p, one_words.data(), n / 8, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(other_bits.p, other_words.data(), n / 8, cudaMemcpyHostToDevice));
    size_t bytes;
    MUST(c2_split_count_bytes(n, &bytes));
    Memory workspace(bytes);
    figure::print("split", "count and gather, two in a hundred full-size", lg, seconds([&] {
                      MUST(c2_split_count(n, one_bits.as<u32>(), other_bits.as<u32>(), nullptr, workspace.p, bytes, nullptr,
                                          nullptr));
                      MUST(c2_split_gather(packed.p, n, one_bits.as<u32>(), other_bits.as<u32>(), nullptr, 0, workspace.p,
                                           workspace.p, bytes, ones.as<u32>(), tail.as<u32>(), tail_scalars.p, nullptr,
                                           nullptr));
                  }));
}

int main(int argc, char** argv) {
    figure::start(argc, argv);
    const bool phases = argc > 1 && !strcmp(argv[1], "phases");
    const char* sizes = argc > 1 + phases ? argv[1 + phases] : "26";
    for (const char* p = sizes; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : nullptr) {
        const int lg = atoi(p);
        if (!phases) bench_split(lg);
        bench_sum<c2::Fp>(lg, phases);
        bench_sum<c2::Fp2>(lg, phases);
    }
    return 0;
}
