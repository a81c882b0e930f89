#include "exporting/costtext.h"

#include "wording/sentence.h"

#include <cmath>
#include <cstdio>

namespace sweepscope::exporting {

namespace {

/// As prices are written, unless they are very small.
std::string priceText(double price)
{
    constexpr double smallest = 0.01;
    char text[64];
    if (price != 0 && std::abs(price) < smallest)
        return wording::number(price);
    std::snprintf(text, sizeof text, "%.2f", price);
    return text;
}

}  // namespace

std::string costText(const sweep::Cost &cost, const std::string &currency)
{
    std::string text;
    if (cost.price)
        text = priceText(*cost.price) + (currency.empty() ? "" : " " + currency);
    if (cost.carbonKg)
        text += (text.empty() ? "" : ", ") + wording::number(*cost.carbonKg) + " kg CO2";
    return text;
}

}  // namespace sweepscope::exporting
