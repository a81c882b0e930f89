#include "search/truncatednormal.h"

#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sweepscope::search {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// No exception may leave a search: overflow gives infinity.
using QuietErrors =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

/// Logarithm of the probability above z >= 0. Beyond 25 / sqrt(2) from the asymptotic series of erfc (Abramowitz and
/// Stegun 7.1.23), whose relative error there is below 1e-16.
double logUpperTail(double z)
{
    const double x = z / std::numbers::sqrt2;
    if (x < 25)
        return std::log(0.5 * std::erfc(x));
    const double y = 1 / (2 * x * x);
    const double series = 1 + y * (-1 + y * (3 + y * (-15 + y * (105 - 945 * y))));
    return -x * x - std::log(2 * x * std::sqrt(std::numbers::pi)) + std::log(series);
}

/// Values farther out have less than 1e-16 of the mass.
constexpr double beyondAnyDigit = 8.5;
/// Where an interval is so narrow that its two tails are nearly equal.
constexpr double narrow = 1e-3;

}  // namespace

double logNormalDensity(double z)
{
    return -0.5 * z * z - halfLogTwoPi;
}

double logNormalMass(double a, double b)
{
    if (!(a < b))
        return -infinity;
    if (a + b < 0)
        return logNormalMass(-b, -a);  // from here on the larger part is above 0
    if (a < -beyondAnyDigit && b > beyondAnyDigit)
        return 0;
    const double width = b - a;
    if (width < narrow) {
        const double middle = a + 0.5 * width;
        return logNormalDensity(middle) + std::log(width) + std::log1p((middle * middle - 1) * width * width / 24);
    }
    if (a <= 0)
        return std::log1p(-0.5 * std::erfc(-a / std::numbers::sqrt2) - 0.5 * std::erfc(b / std::numbers::sqrt2));
    const double above = logUpperTail(a);
    return above + std::log(-std::expm1(logUpperTail(b) - above));
}

double truncatedNormalQuantile(double unit, double a, double b)
{
    // Measured from the nearer tail, so that a small probability keeps its digits.
    const double belowA = 0.5 * std::erfc(-a / std::numbers::sqrt2);
    const double belowB = 0.5 * std::erfc(-b / std::numbers::sqrt2);
    const double below = belowA + unit * (belowB - belowA);
    double z = 0;
    if (below < 0.5) {
        z = -std::numbers::sqrt2 * boost::math::erfc_inv(2 * below, QuietErrors());
    } else {
        const double aboveA = 0.5 * std::erfc(a / std::numbers::sqrt2);
        const double aboveB = 0.5 * std::erfc(b / std::numbers::sqrt2);
        z = std::numbers::sqrt2 * boost::math::erfc_inv(2 * (aboveA - unit * (aboveA - aboveB)), QuietErrors());
    }
    return std::clamp(z, a, b);
}

}  // namespace sweepscope::search
