#pragma once

namespace sweepscope::sweep {

/// Returns the z below which a standard normal variable is with this probability, which must be above 0 and below 1. Its
/// error is a few units of the last digit of z, or near 0 of the probability.
///
/// Newton's method on the logarithm of the distribution function. That function is concave, and the start is at most z
/// because of Chernoff's bound, P(Z < z) <= exp(-z² / 2) / 2 for z <= 0; so every iterate is at most z, and they converge.
double normalQuantile(double probability);

}  // namespace sweepscope::sweep
