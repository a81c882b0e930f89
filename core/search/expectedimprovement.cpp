#include "search/expectedimprovement.h"

#include <cmath>
#include <numbers>

namespace sweepscope::search {

double scaledErfc(double x)
{
    if (x < 12)
        return std::exp(x * x) * std::erfc(x);
    // Asymptotic series (Abramowitz, Stegun, 7.1.23); from 12 on, its sixth term is below 1e-13.
    const double square = 2 * x * x;
    double term = 1;
    double sum = 1;
    for (int k = 1; k <= 8; ++k) {
        term *= -(2 * k - 1) / square;
        sum += term;
    }
    return sum / (x * std::sqrt(std::numbers::pi));
}

LogImprovement logExpectedImprovement(double mean, double deviation, double best)
{
    // With z, the density p and the distribution P of the standard normal, the improvement is deviation * (p + z P).
    const double z = (best - mean) / deviation;
    const double logDensity = -0.5 * (z * z + std::log(2 * std::numbers::pi));
    // P / p and 1 + z P / p.
    double quotient = 0;
    double rest = 0;
    if (z > 0) {
        quotient = 0.5 * std::erfc(-z / std::numbers::sqrt2) / std::exp(logDensity);
        rest = 1 + z * quotient;
    } else if (z > -100) {
        quotient = std::sqrt(std::numbers::pi / 2) * scaledErfc(-z / std::numbers::sqrt2);
        rest = 1 + z * quotient;
    } else {
        // Series in 1/z^2, which the difference above cannot resolve.
        const double w = 1 / (z * z);
        quotient = -(1 - w * (1 - w * (3 - 15 * w))) / z;
        rest = w * (1 - w * (3 - w * (15 - 105 * w)));
    }
    LogImprovement improvement;
    if (z > 30) {  // the density is 0 beside z
        improvement.value = std::log(deviation) + std::log(z);
        improvement.byMean = -1 / (z * deviation);
        return improvement;
    }
    improvement.value = logDensity + std::log(rest) + std::log(deviation);
    improvement.byMean = -quotient / rest / deviation;
    improvement.byDeviation = 1 / rest / deviation;
    return improvement;
}

}  // namespace sweepscope::search
