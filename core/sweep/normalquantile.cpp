#include "sweep/normalquantile.h"

#include <cmath>
#include <numbers>

namespace sweepscope::sweep {

double normalQuantile(double probability)
{
    if (probability > 0.5)
        return -normalQuantile(1 - probability);
    double z = -std::sqrt(-2 * std::log(2 * probability));
    double step = 0;
    do {
        const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
        const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
        step = std::log(probability / below) * below / density;
        z += step;
    } while (std::fabs(step) > 1e-9);  // the next one would be less than 1e-16
    return z;
}

}  // namespace sweepscope::sweep
