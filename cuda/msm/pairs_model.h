// How many entries a bucket keeps after r rounds, on average: random digits fill buckets by Poisson's law, and a round
// turns m entries into ceil(m/2).
#pragma once

#include <cmath>
#include <cstdint>

namespace c2 {

static constexpr uint32_t MAX_ROUNDS = 8;

inline double mean_after_rounds(double per_bucket, uint32_t rounds) {
    const double size = (double)(1u << rounds);
    if (per_bucket > 64 * size) return per_bucket / size + 0.5 * (1 - 1 / size);  // ceil adds half on average
    double mean = 0, p = std::exp(-per_bucket);
    const int last = (int)(per_bucket + 12 * std::sqrt(per_bucket) + 12);
    if (p > 0) {
        for (int m = 1; m <= last; m++) {
            p *= per_bucket / m;
            mean += p * std::ceil(m / size);
        }
        return mean;
    }
    // too many for the recurrence to start at zero: the normal density
    for (int m = 1; m <= last; m++) {
        double z = (m - per_bucket) / std::sqrt(per_bucket);
        mean += std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979 * per_bucket) * std::ceil(m / size);
    }
    return mean;
}

}  // namespace c2
