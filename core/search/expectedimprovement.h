#pragma once

namespace sweepscope::search {

/// Logarithm of the expected improvement below `best` of a normal distribution, and its derivatives by mean and
/// deviation. Exact far from the best value too, where the improvement itself is 0 in floating-point numbers.
struct LogImprovement {
    double value = 0;
    double byMean = 0;
    double byDeviation = 0;
};
LogImprovement logExpectedImprovement(double mean, double deviation, double best);

/// exp(x^2) erfc(x), without overflow; x >= 0.
double scaledErfc(double x);

}  // namespace sweepscope::search
