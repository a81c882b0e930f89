#include "sweep/normalquantile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using sweepscope::sweep::normalQuantile;

namespace {

double shareBelow(double z)
{
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace

TEST_CASE("the normal quantile inverts erfc, from the far tail to the middle")
{
    for (double exponent = -300; exponent <= std::log10(0.5); exponent += 0.01) {
        const double share = std::pow(10, exponent);
        const double z = normalQuantile(share);
        // A relative error of z is z² times as large in its share.
        CHECK(std::fabs(shareBelow(z) / share - 1) < 1e-15 * (4 + z * z));
    }
    for (double share = 0.001; share < 1; share += 0.001)
        CHECK(std::fabs(shareBelow(normalQuantile(share)) - share) < 1e-15);
}

TEST_CASE("the normal quantile has the values of tables")
{
    CHECK(normalQuantile(0.5) == 0);
    CHECK(std::fabs(normalQuantile(0.975) - 1.959963984540054) < 1e-15);
    CHECK(std::fabs(normalQuantile(0.995) - 2.5758293035489) < 1e-13);
    CHECK(normalQuantile(0.25) == -normalQuantile(0.75));
}
