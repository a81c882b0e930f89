#pragma once

/// Normal distributions truncated to an interval, accurate in the tails, where differences of the distribution function
/// are zero or noise.
namespace sweepscope::search {

/// log(sqrt(2 pi))
inline constexpr double halfLogTwoPi = 0.918938533204672741780329736406;

/// Returns the logarithm of the standard normal density at z.
double logNormalDensity(double z);

/// Returns the logarithm of the probability that a standard normal variable lies in [a, b]. Accurate to 1e-12 of the
/// probability, even far in the tails. Minus infinity if b <= a.
double logNormalMass(double a, double b);

/// Returns the `unit`-quantile, 0 to 1, of a standard normal distribution truncated to [a, b].
double truncatedNormalQuantile(double unit, double a, double b);

}  // namespace sweepscope::search
