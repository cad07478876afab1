// Split and batch addition on the device: classes, bitmaps and gathers against the host's, sums of ones against known
// logarithms in G1 and G2, and both together with the tail's MSM against the whole sum.
//
//   msm_sums_test          all
//   msm_sums_test few      a handful of small sizes, for compute-sanitizer
#include <algorithm>

#include "batch_add/batch_add.h"
#include "msm/msm.h"
#include "msm/policy.h"
#include "msm_cases.cuh"
#include "split/cut.h"
#include "split/split.h"

using namespace cases;

static int failures = 0;
#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            if (failures++ < 20) printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                       \
    } while (0)

template <class T>
struct Device {
    T* p;
    explicit Device(u64 n) { MUST(cudaMalloc(&p, std::max<u64>(n, 1) * sizeof(T))); }
    explicit Device(const std::vector<T>& v) : Device(v.size()) {
        MUST(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Device() { cudaFree(p); }
    std::vector<T> get(u64 n) const {
        std::vector<T> v(n);
        MUST(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

// An assignment: half zero, 47 % one, the rest anything; in the form asked for.
struct Words {
    u32 w[8];
};
static Words element(u64 i, bool montgomery) {
    static const u32 ONE[8] = {0xfffffffe, 0x00000001, 0x00034802, 0x5884b7fa, 0xecbc4ff5, 0x998c4fef, 0xacc5056f, 0x1824b159};
    Words e = {};
    u64 h = mix(i + 3) % 100;
    if (h >= 98)
        scalar(RANDOM, i, e.w);
    else if (h >= 51) {
        if (montgomery)
            memcpy(e.w, ONE, 32);
        else
            e.w[0] = 1;
    }
    return e;
}
static bool kept(u64 i) { return mix(i + 11) % 4 != 0; }

template <class F>
static naive::Big sum_of_ones(Points kind, const std::vector<u32>& index, u64 from, u64 to) {
    naive::Big sum;
    for (u64 i = from; i < to; i++) {
        int64_t k = logarithm(kind, index[i]);
        naive::Big b = naive::from_u64(k < 0 ? -k : k);
        sum = naive::add(sum, k < 0 ? naive::neg(b, naive::R) : b, naive::R);
    }
    return sum;
}

template <class F>
static std::vector<c2::Affine<F>> add(const uint4* points, u64 table, const u32* indices, const std::vector<u32>& starts) {
    c2_batch_add_plan plan = {};
    plan.entries = starts.back();
    plan.points = table;
    plan.groups = starts.size() - 1;
    plan.group = F::FP_COUNT;
    MUST(c2_batch_add_plan_make(&plan));
    Device<char> workspace(plan.workspace_bytes);
    Device<u32> start(starts);
    std::vector<char> sums(plan.sums_bytes);
    MUST((F::FP_COUNT == 1 ? c2_batch_add_g1_run : c2_batch_add_g2_run)(&plan, points, indices, start.p, workspace.p,
                                                                        plan.workspace_bytes, sums.data(), nullptr));
    MUST(cudaDeviceSynchronize());
    std::vector<c2::Affine<F>> r(plan.groups);
    (F::FP_COUNT == 1 ? c2_batch_add_g1_finish : c2_batch_add_g2_finish)(&plan, sums.data(), r.data());
    return r;
}

template <class F>
static void check_groups(u64 n, Points kind, std::vector<u32> starts) {
    Device<uint4> points(n * 2 * F::VECTORS);
    fill_points<F>(kind, n, points.p);
    std::vector<u32> index(starts.back());
    for (u64 i = 0; i < index.size(); i++) index[i] = mix(i + 1) % n;
    Device<u32> indices(index);
    auto got = add<F>(points.p, n, indices.p, starts);
    for (u64 g = 0; g + 1 < starts.size(); g++) {
        auto want = multiple<F>(sum_of_ones<F>(kind, index, starts[g], starts[g + 1]));
        CHECK(!memcmp(&got[g], &want, sizeof want));
    }
}

// split, sums of ones, MSM of the tail: together the whole sum
template <class F>
static void check_split(u64 n, bool with_density, bool montgomery) {
    std::vector<Words> z(n);
    std::vector<u32> density((n + 31) / 32), ones, tail;
    u32 first = 5, dense = 0;
    std::vector<Words> tail_scalars, dense_scalars, packed;
    std::vector<u32> one_words(density.size()), other_words(density.size());
    for (u64 i = 0; i < n; i++) {
        z[i] = element(i, montgomery);
        u64 kind = mix(i + 3) % 100;
        if (kind >= 98) {
            other_words[i / 32] |= 1u << (i % 32);
            packed.push_back(z[i]);
        } else if (kind >= 51) {
            one_words[i / 32] |= 1u << (i % 32);
        }
        if (with_density && !kept(i)) continue;
        density[i / 32] |= 1u << (i % 32);
        dense_scalars.push_back(z[i]);
        u32 point = first + dense++;
        if (kind >= 98) {
            tail.push_back(point);
            tail_scalars.push_back(z[i]);
        } else if (kind >= 51) {
            ones.push_back(point);
        }
    }
    Device<Words> scalars(z), got_scalars(n), got_dense(n);
    Device<u32> bits(density), one_bits(one_words), other_bits(other_words), got_ones(n), got_tail(n);
    size_t bytes;
    MUST(c2_split_count_bytes(n, &bytes));
    Device<char> workspace(bytes);
    c2_split_counts counts;
    const u32* kept_bits = with_density ? bits.p : nullptr;
    MUST(c2_split_count(n, one_bits.p, other_bits.p, kept_bits, workspace.p, bytes, &counts, nullptr));
    MUST(c2_split_gather(scalars.p, n, one_bits.p, other_bits.p, kept_bits, first, workspace.p, nullptr, bytes,
                         got_ones.p, got_tail.p, got_scalars.p, got_dense.p, nullptr));
    MUST(cudaDeviceSynchronize());
    CHECK(counts.dense == dense && counts.ones == ones.size() && counts.tail == tail.size());
    CHECK(got_ones.get(ones.size()) == ones && got_tail.get(tail.size()) == tail);
    auto words = got_scalars.get(tail.size());
    CHECK(!memcmp(words.data(), tail_scalars.data(), 32 * words.size()));
    words = got_dense.get(dense);
    CHECK(!memcmp(words.data(), dense_scalars.data(), 32 * words.size()));
    // the same from packed scalars
    Device<char> of_all(bytes);
    Device<Words> packed_scalars(packed.empty() ? std::vector<Words>(1) : packed), from_packed(n);
    MUST(c2_split_count(n, one_bits.p, other_bits.p, nullptr, of_all.p, bytes, nullptr, nullptr));
    MUST(c2_split_gather(packed_scalars.p, n, one_bits.p, other_bits.p, kept_bits, first, workspace.p, of_all.p, bytes,
                         got_ones.p, got_tail.p, from_packed.p, nullptr, nullptr));
    MUST(cudaDeviceSynchronize());
    words = from_packed.get(tail.size());
    CHECK(!memcmp(words.data(), tail_scalars.data(), 32 * words.size()));
    for (u32 step : {1u, 7u, 64u, 1000u}) {
        u32 count = (first + dense) / step + 2;
        Device<u32> cuts(count);
        MUST(c2_split_cut(got_tail.p, counts.tail, step, count, cuts.p, nullptr));
        auto got = cuts.get(count);
        for (u32 k = 0; k < count; k++)
            CHECK(got[k] == (u32)(std::lower_bound(tail.begin(), tail.end(), k * step) - tail.begin()));
    }

    u64 table = first + dense;
    Device<uint4> points(table * 2 * F::VECTORS);
    fill_points<F>(MULTIPLES, table, points.p);
    auto sum = add<F>(points.p, table, got_ones.p, {0, counts.ones});
    auto expected = multiple<F>(sum_of_ones<F>(MULTIPLES, ones, 0, ones.size()));
    CHECK(!memcmp(&sum[0], &expected, sizeof expected));
    if (tail.empty()) return;
    c2_msm_request request = {};
    request.n = counts.tail;
    request.points = table;
    request.group = F::FP_COUNT;
    request.montgomery = montgomery;
    request.rounds = request.grid = -1;
    c2_msm_plan plan;
    MUST(c2_msm_plan_make(&request, &plan));
    Device<char> room(plan.workspace_bytes);
    std::vector<char> sums(plan.sums_bytes);
    MUST((F::FP_COUNT == 1 ? c2_msm_g1_run : c2_msm_g2_run)(&plan, points.p, got_scalars.p, got_tail.p, room.p,
                                                            plan.workspace_bytes, sums.data(), nullptr));
    MUST(cudaDeviceSynchronize());
    c2::Affine<F> got;
    (F::FP_COUNT == 1 ? c2_msm_g1_finish : c2_msm_g2_finish)(&plan, sums.data(), &got);
    naive::Big log;
    for (u64 i = 0; i < tail.size(); i++) {
        naive::Big s;
        memcpy(s.v, tail_scalars[i].w, 32);
        log = naive::add(log, naive::mul(s, naive::from_u64(tail[i] + 1), naive::R), naive::R);
    }
    if (montgomery) log = naive::mul(log, naive::inverse(naive::radix(256, naive::R), naive::R), naive::R);
    auto tail_want = multiple<F>(log);
    CHECK(!memcmp(&got, &tail_want, sizeof got));
}

template <class F>
static void run() {
    for (Points kind : {MULTIPLES, FEW, EQUAL, OPPOSITE}) {
        for (u32 n : {1u, 2u, 3u, 31u, 32u, 33u, 1000u, 5000u}) check_groups<F>(5000, kind, {0, n});
        check_groups<F>(5000, kind, {0, 0, 7, 7, 2000, 2001, 9000, 9000});
    }
    check_groups<F>(100000, MULTIPLES, {0, 3000000});
    check_groups<F>(100000, MULTIPLES, {0, 500000, 500001, 2000000, 2000000, 3000000});
    for (u64 n : {1ull, 31ull, 32ull, 33ull, 1000ull, 100000ull})
        for (int how = 0; how < 4; how++) check_split<F>(n, how & 1, how & 2);
    printf("%s sums: %d failures\n", Group<F>::name(), failures);
    fflush(stdout);
}

// 2^10 to 2^14, in rounds even where these would not pay
template <class F>
static void run_few() {
    const_cast<c2::MsmPolicy&>(c2::msm_policy(F::FP_COUNT)).round_ns = 0;
    for (u32 lg : {10u, 12u, 14u}) {
        const u32 n = 1u << lg;
        check_groups<F>(n, lg == 12 ? OPPOSITE : MULTIPLES, {0, 5, 5, n / 2, n});
        check_split<F>(n + lg - 10, lg != 10, lg == 12);
    }
}

int main(int argc, char** argv) {
    const bool few = argc > 1 && !strcmp(argv[1], "few");
    few ? run_few<c2::Fp>() : run<c2::Fp>();
    few ? run_few<c2::Fp2>() : run<c2::Fp2>();
    printf("msm_sums_test: %s\n", failures ? "FAIL" : "ok");
    return failures != 0;
}
