// Signed digits on the host: for every cut of the 255 bits and every kind of scalar, the digits are in range and sum to
// the scalar again. And the model of what rounds leave, against counting.
#include "host_check.h"
#include "msm/digits.cuh"
#include "msm/plan.h"
#include "naive.h"

#include <vector>

using namespace c2;
using naive::Big;

static void check_scalar(const Windows& windows, const Big& s, bool montgomery) {
    u32 words[8], biased[DIGIT_WORDS];
    memcpy(words, s.v, 32);
    bool negative = biased_scalar(biased, words, montgomery, digit_bias(windows));
    Big sum;
    for (u32 w = windows.count; w-- > 0;) {
        u32 shift = w + 1 < windows.count ? windows.offset(w + 1) - windows.offset(w) : 0;
        for (u32 i = 0; i < shift; i++) sum = naive::add(sum, sum, naive::R);
        int d = digit_of(biased, windows, w), half = 1 << (windows.width(w) - 1);
        CHECK(d >= -half && d < half);
        Big m = naive::from_u64(d < 0 ? -d : d);
        sum = naive::add(sum, d < 0 ? naive::neg(m, naive::R) : m, naive::R);
    }
    if (negative) sum = naive::neg(sum, naive::R);
    Big want = naive::reduce(s, naive::R);
    if (montgomery) sum = naive::mul(sum, naive::radix(256, naive::R), naive::R);
    CHECK(equal(sum, want));
}

int main() {
    naive::Random rng = {7};
    Big r;
    memcpy(r.v, naive::R.m, 32);
    for (u32 count = 11; count <= 128; count++) {
        Windows windows = cut_windows(count);
        CHECK(windows.wide >= 1 && windows.wide <= count && windows.bits <= 24);
        CHECK(windows.offset(count - 1) + windows.width(count - 1) == bits_to_cut(count));
        CHECK(windows_of(windows.bits).count <= count);
        Big all;
        for (int i = 0; i < 4; i++) all.v[i] = ~0ull;
        check_scalar(windows, all, false);
        check_scalar(windows, r, false);
        for (u64 d = 0; d < 4; d++) {
            check_scalar(windows, naive::from_u64(d), d & 1);
            check_scalar(windows, naive::neg(naive::from_u64(d), naive::R), d & 2);
            // around r / 2, where the sign turns: (r - 1) / 2 is r shifted
            Big half;
            for (int i = 0; i < 4; i++) half.v[i] = r.v[i] >> 1 | (i < 3 ? r.v[i + 1] << 63 : 0);
            check_scalar(windows, naive::add(half, naive::from_u64(d), naive::R), false);
            check_scalar(windows, naive::sub(half, naive::from_u64(d), naive::R), false);
        }
        for (int i = 0; i < 20; i++) {
            Big s;
            for (int j = 0; j < 4; j++) s.v[j] = rng.next();
            check_scalar(windows, s, false);
            check_scalar(windows, naive::reduce(s, naive::R), true);
        }
    }
    for (double per_bucket : {0.5, 7.0, 40.0, 900.0})
        for (u32 rounds = 0; rounds <= 5; rounds++) {
            const u32 buckets = 20000;
            std::vector<u32> size(buckets);
            for (u64 i = 0; i < (u64)(per_bucket * buckets); i++) size[rng.next() % buckets]++;
            double left = 0;
            for (u32 m : size) left += (m + (1u << rounds) - 1) >> rounds;
            double mean = left / buckets, model = mean_after_rounds(per_bucket, rounds);
            CHECK(model > 0.97 * mean && model < 1.03 * mean);
            CHECK(left <= (double)entries_after((u64)(per_bucket * buckets), buckets, rounds));
        }
    for (u32 group = 1; group <= 2; group++)
        for (int lg = 0; lg <= 27; lg++) {
            MsmShape s = best_msm_shape(msm_policy(group), 132, 1ull << lg, 0, -1, -1, msm_policy(group).batch_entries);
            CHECK(s.windows.count >= 11 && s.per_batch >= 1 && s.per_batch <= s.windows.count && s.buckets.chunk > 0);
            CHECK(s.segment_bits <= s.set_bits());
            printf("G%u 2^%d: %u windows of %u bits, %u a batch, %u rounds, grid %u (%u rounds), segments 2^%u: %.2f ms\n",
                   group, lg, s.windows.count, s.windows.bits, s.per_batch, s.buckets.rounds, s.grid_bits, s.grid.rounds,
                   s.segment_bits, s.predicted_ns * 1e-6);
        }
    printf("host_digits: %s\n", failures ? "FAIL" : "ok");
    return failures != 0;
}
