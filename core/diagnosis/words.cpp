#include "diagnosis/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace sweepscope::diagnosis {

std::string number(double value)
{
    char text[32];
    // Three digits say enough, but "1.2e+03 MHz" is hard to read.
    const bool isLarge = std::abs(value) >= 999.5 && std::abs(value) < 1e6;
    std::snprintf(text, sizeof text, isLarge ? "%.0f" : "%.3g", value);
    return text;
}

std::string withUnit(double value, const std::string &unit)
{
    return number(value) + (unit.empty() || unit == "%" ? "" : " ") + unit;
}

std::string percent(double share)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.0f%%", 100 * share);
    return text;
}

std::string duration(double seconds)
{
    if (std::abs(seconds) < 1e-3)
        return number(seconds * 1e6) + " µs";
    return std::abs(seconds) < 1 ? number(seconds * 1e3) + " ms" : number(seconds) + " s";
}

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 != 0)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace sweepscope::diagnosis
