// How many entries a bucket keeps after r rounds, on average: random digits fill buckets by Poisson's law, and a round
// turns m entries into ceil(m/2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace c2 {

static constexpr uint32_t MAX_ROUNDS = 8;

inline double mean_after_rounds(double per_bucket, uint32_t rounds) {
    const double size = (double)(1u << rounds), deviation = std::sqrt(per_bucket);
    if (per_bucket > 64 * size || deviation > 2 * size)  // ceil adds half on average
        return per_bucket / size + 0.5 * (1 - 1 / size);
    double mean = 0;
    if (per_bucket < 40) {
        double p = std::exp(-per_bucket);
        const int last = (int)(per_bucket + 12 * deviation + 12);
        for (int m = 1; m <= last; m++) {
            p *= per_bucket / m;
            mean += p * std::ceil(m / size);
        }
        return mean;
    }
    // Poisson's law is nearly the normal one here; E ceil(m / size) is the sum over k >= 0 of P(m > k size). Planning is
    // on the way of every MSM, so only the k near the mean are looked at.
    const int first = std::max(0, (int)((per_bucket - 6 * deviation) / size));
    mean = first;
    for (int k = first; k * size < per_bucket + 6 * deviation; k++)
        mean += 0.5 * std::erfc((k * size + 0.5 - per_bucket) / (deviation * 1.4142135623730951));
    return mean;
}

}  // namespace c2
