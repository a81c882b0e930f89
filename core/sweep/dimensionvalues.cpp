#include "sweep/dimensionvalues.h"

#include "sweep/normalquantile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>

namespace sweepscope::sweep {

namespace {

constexpr int significantDigits = 12;

double rounded(double value)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific,
                                   significantDigits - 1)
                         .ptr;
    double result = value;
    std::from_chars(text.data(), end, result);
    return result;
}

/// As many as an edit or a grid can handle at all.
constexpr double mostSpacings = 1e9;

/// How many deviations the range of a normal distribution reaches to both sides.
constexpr double normalReach = 4;

bool isWhole(double value)
{
    return std::floor(value) == value && std::fabs(value) <= largestExactInteger;
}

/// The part of a normal distribution below `deviations` from its mean.
double normalShare(double deviations)
{
    return 0.5 * std::erfc(-deviations / std::numbers::sqrt2);
}

std::string number(double value)
{
    return toText(ParameterValue(value));
}

std::string checkListed(const Dimension &dimension)
{
    if (dimension.values.empty())
        return "has no values: list at least one";
    const bool choice = dimension.kind == DimensionKind::Choice;
    const std::size_t firstType = dimension.values.front().index();
    std::set<ParameterValue> seen;
    for (const ParameterValue &value : dimension.values) {
        const bool isText = std::holds_alternative<std::string>(value);
        const bool isBoolean = std::holds_alternative<bool>(value);
        if (choice != (isText || isBoolean) || (choice && value.index() != firstType))
            return "mixes kinds of values: use only numbers, only strings, or only true and false";
        if (const auto *real = std::get_if<double>(&value); real != nullptr && !std::isfinite(*real))
            return "contains " + number(*real) + ": every value must be a finite number";
        if (isText && std::get<std::string>(value).find('\0') != std::string::npos)
            return "contains a string with a zero byte, which cannot be passed to a program";
        if (!seen.insert(canonical(value)).second)
            return "contains " + toText(value) + " twice: remove one";
    }
    return {};
}

std::string checkRange(const Dimension &dimension)
{
    const std::string range = "[" + number(dimension.low) + ", " + number(dimension.high) + "]";
    if (!std::isfinite(dimension.low) || !std::isfinite(dimension.high)
        || !std::isfinite(dimension.high - dimension.low))
        return "has the range " + range + ": both ends must be finite numbers";
    if (dimension.low > dimension.high)
        return "has a reversed range " + range + ": write the smaller end first, [" + number(dimension.high) + ", "
               + number(dimension.low) + "]";
    if (dimension.low == dimension.high)
        return "has an empty range " + range + ": its ends must differ; for a single value use a list";
    return {};
}

std::string checkIntegerRange(const Dimension &dimension, bool grid)
{
    if (!isWhole(dimension.low) || !isWhole(dimension.high))
        return "has an integer range whose ends are not integers up to 2^53: use a range of decimals for fractions";
    if (dimension.kind == DimensionKind::Integer)
        return dimension.step >= 1 ? "" : "has a step of " + std::to_string(dimension.step) + ": it must be at least 1";
    if (dimension.low < 1)
        return "has a logarithmic range that starts at " + number(dimension.low)
               + ": both ends must be at least 1; a range that includes 0 needs linear spacing";
    if (dimension.points < 0)
        return "has " + std::to_string(dimension.points) + " points: at least 1 is needed";
    if (dimension.points == 0)
        return grid ? "has no points: a grid needs their number, e.g. 5" : "";
    // The first two are the closest.
    if (dimension.points > 1
        && dimension.low * std::expm1(std::log(dimension.high / dimension.low) / (dimension.points - 1)) < 1)
        return "has " + std::to_string(dimension.points)
               + " points, which are too close together to be different integers: use fewer";
    return {};
}

std::string checkSteps(const Dimension &dimension)
{
    if (!std::isfinite(dimension.spacing) || dimension.spacing <= 0)
        return "has a step of " + number(dimension.spacing) + ": it must be above 0";
    if (dimension.spacing > dimension.high - dimension.low)
        return "has a step of " + number(dimension.spacing) + ", which is wider than the range";
    if ((dimension.high - dimension.low) / dimension.spacing > mostSpacings)
        return "has over 1,000,000,000 steps: leave out the step to draw from the whole range";
    return {};
}

std::string checkNormal(const Dimension &dimension, bool grid)
{
    if (!std::isfinite(dimension.mean) || !std::isfinite(dimension.deviation) || dimension.deviation <= 0)
        return "has a mean of " + number(dimension.mean) + " and a standard deviation of " + number(dimension.deviation)
               + ": both must be finite, the deviation above 0";
    const bool isLog = dimension.kind == DimensionKind::LogNormal;
    if (!std::isfinite(dimension.high - dimension.low) || (isLog && dimension.low <= 0))
        return std::string("reaches numbers that are too large or too small")
               + (isLog ? ": mean and deviation are those of the natural logarithm" : "");
    if (dimension.points < 0)
        return "has " + std::to_string(dimension.points) + " points: at least 1 is needed";
    if (dimension.points == 0 && grid)
        return "has no points: a grid needs their number, e.g. 5";
    // Values are closest in the middle.
    const double apart = dimension.points > 0 ? 0.5 / dimension.points : 0.5;
    const DimensionValues values(dimension);
    if (values.sample(0.5 - apart) == values.sample(0.5 + apart))
        return "has a standard deviation of " + number(dimension.deviation) + ", too small for "
               + (dimension.points > 0 ? "its points to differ" : "values to differ");
    return {};
}

std::string checkFloatRange(const Dimension &dimension, bool grid)
{
    if (dimension.kind == DimensionKind::Log && dimension.low <= 0)
        return "has a logarithmic range that starts at " + number(dimension.low)
               + ": both ends must be greater than 0; a range that includes 0 needs linear spacing";
    if (dimension.points < 0)
        return "has " + std::to_string(dimension.points) + " points: at least 1 is needed";
    if (dimension.points == 0)
        return grid ? "has no points: a grid needs their number, e.g. 5" : "";
    if (dimension.points > 1) {
        const double intervals = dimension.points - 1;
        const double spacing = dimension.kind == DimensionKind::Log
                                   ? (std::log(dimension.high) - std::log(dimension.low)) / intervals
                                   : (dimension.high - dimension.low)
                                         / (intervals * std::max(std::fabs(dimension.low), std::fabs(dimension.high)));
        if (spacing < 2e-11)
            return "has " + std::to_string(dimension.points)
                   + " points, which are too close together to differ: use fewer";
    }
    return {};
}

}  // namespace

DimensionValues::DimensionValues(const Dimension &dimension) : m_dimension(&dimension)
{
    switch (dimension.kind) {
    case DimensionKind::List:
    case DimensionKind::Choice:
        m_size = dimension.values.size();
        break;
    case DimensionKind::Linear:
    case DimensionKind::Log:
    case DimensionKind::Normal:
    case DimensionKind::LogNormal:
        m_size = static_cast<std::uint64_t>(dimension.points);
        break;
    case DimensionKind::Integer:
        m_size = static_cast<std::uint64_t>(static_cast<std::int64_t>(dimension.high)
                                            - static_cast<std::int64_t>(dimension.low))
                     / static_cast<std::uint64_t>(dimension.step)
                 + 1;
        break;
    case DimensionKind::LogInteger:
        m_size = dimension.points > 0 ? static_cast<std::uint64_t>(dimension.points)
                                      : static_cast<std::uint64_t>(dimension.high - dimension.low) + 1;
        break;
    case DimensionKind::Stepped:
        // 0.3 is three steps of 0.1.
        m_size =
            static_cast<std::uint64_t>(std::floor((dimension.high - dimension.low) / dimension.spacing + 1e-9)) + 1;
        break;
    }
}

ParameterValue DimensionValues::at(std::uint64_t index) const
{
    switch (m_dimension->kind) {
    case DimensionKind::List:
    case DimensionKind::Choice:
        return m_dimension->values[index];
    case DimensionKind::Integer:
        return static_cast<std::int64_t>(m_dimension->low)
               + static_cast<std::int64_t>(index * static_cast<std::uint64_t>(m_dimension->step));
    case DimensionKind::LogInteger:
        if (m_dimension->points == 0 || index == 0)
            return static_cast<std::int64_t>(m_dimension->low) + static_cast<std::int64_t>(index);
        if (index + 1 == m_size)
            return static_cast<std::int64_t>(m_dimension->high);
        return static_cast<std::int64_t>(
            std::llround(m_dimension->low
                         * std::exp(std::log(m_dimension->high / m_dimension->low) * static_cast<double>(index)
                                    / static_cast<double>(m_size - 1))));
    case DimensionKind::Stepped:
        return nearest(m_dimension->low + static_cast<double>(index) * m_dimension->spacing);
    case DimensionKind::Normal:
    case DimensionKind::LogNormal:  // the midpoints of equally probable parts
        return sample((static_cast<double>(index) + 0.5) / static_cast<double>(m_size));
    case DimensionKind::Linear:
    case DimensionKind::Log:
        break;
    }
    if (index == 0)
        return m_dimension->low;
    if (index + 1 == m_size)
        return m_dimension->high;
    return sample(static_cast<double>(index) / static_cast<double>(m_size - 1));
}

std::optional<std::uint64_t> DimensionValues::indexOf(const ParameterValue &value) const
{
    if (m_dimension->kind == DimensionKind::List || m_dimension->kind == DimensionKind::Choice) {
        const ParameterValue wanted = canonical(value);
        const auto found = std::ranges::find(m_dimension->values, wanted,
                                             [](const ParameterValue &listed) { return canonical(listed); });
        if (found == m_dimension->values.end())
            return std::nullopt;
        return static_cast<std::uint64_t>(found - m_dimension->values.begin());
    }
    const std::optional<double> number = numberOf(value);
    if (isContinuous() || !number || *number < m_dimension->low || *number > m_dimension->high)
        return std::nullopt;
    const double distance = *number - m_dimension->low;
    double steps = distance;
    if (m_dimension->kind == DimensionKind::Integer)
        steps = distance / static_cast<double>(m_dimension->step);
    else if (m_dimension->kind == DimensionKind::Stepped)
        steps = std::nearbyint(distance / m_dimension->spacing);
    else if (m_dimension->points > 1)
        steps = std::nearbyint(std::log(*number / m_dimension->low) / std::log(m_dimension->high / m_dimension->low)
                               * static_cast<double>(m_size - 1));
    if (std::floor(steps) != steps || steps >= static_cast<double>(m_size))
        return std::nullopt;
    const auto index = static_cast<std::uint64_t>(steps);
    return numberOf(at(index)) == number ? std::optional(index) : std::nullopt;
}

std::uint64_t DimensionValues::indexAt(double unit) const
{
    if (m_dimension->kind != DimensionKind::LogInteger || m_dimension->points > 0)
        return std::min(static_cast<std::uint64_t>(unit * static_cast<double>(m_size)), m_size - 1);
    const double low = std::log(m_dimension->low - 0.5);
    const double high = std::log(m_dimension->high + 0.5);
    const double drawn = std::nearbyint(std::exp(low + unit * (high - low)));
    return static_cast<std::uint64_t>(std::clamp(drawn - m_dimension->low, 0.0, static_cast<double>(m_size - 1)));
}

bool DimensionValues::contains(const ParameterValue &value) const
{
    if (!isContinuous())
        return indexOf(value).has_value();
    const std::optional<double> number = numberOf(value);
    return number && *number >= m_dimension->low && *number <= m_dimension->high;
}

double DimensionValues::sample(double unit) const
{
    const double low = m_dimension->low;
    const double high = m_dimension->high;
    if (isNormal(m_dimension->kind)) {
        const double outside = normalShare(-normalReach);
        const double share = outside + std::clamp(unit, 0.0, 1.0) * (1 - 2 * outside);
        const double drawn = m_dimension->mean + m_dimension->deviation * normalQuantile(share);
        return nearest(m_dimension->kind == DimensionKind::LogNormal ? std::exp(drawn) : drawn);
    }
    const double value = m_dimension->kind == DimensionKind::Log
                             ? std::exp(std::log(low) + unit * (std::log(high) - std::log(low)))
                             : low + unit * (high - low);
    return nearest(value);
}

double DimensionValues::unitOf(double number) const
{
    const double line = sweep::isLogarithmic(m_dimension->kind) ? std::log(number) : number;
    double unit = 0;
    if (isNormal(m_dimension->kind)) {
        const double outside = normalShare(-normalReach);
        unit = (normalShare((line - m_dimension->mean) / m_dimension->deviation) - outside) / (1 - 2 * outside);
    } else {
        const bool isLog = m_dimension->kind == DimensionKind::Log;
        const double low = isLog ? std::log(m_dimension->low) : m_dimension->low;
        const double high = isLog ? std::log(m_dimension->high) : m_dimension->high;
        unit = (line - low) / (high - low);
    }
    return std::clamp(unit, 0.0, 1.0);
}

double DimensionValues::nearest(double number) const
{
    return std::clamp(rounded(number), m_dimension->low, m_dimension->high);
}

void setNormal(Dimension &dimension, double mean, double deviation)
{
    const bool isLog = dimension.kind == DimensionKind::LogNormal;
    const auto end = [&](double deviations) {
        const double place = mean + deviations * deviation;
        return rounded(isLog ? std::exp(place) : place);
    };
    dimension.mean = mean;
    dimension.deviation = deviation;
    dimension.low = end(-normalReach);
    dimension.high = end(normalReach);
}

std::string checkDimension(const Dimension &dimension, bool grid)
{
    if (dimension.kind == DimensionKind::List || dimension.kind == DimensionKind::Choice)
        return checkListed(dimension);
    if (isNormal(dimension.kind))
        return checkNormal(dimension, grid);
    std::string problem = checkRange(dimension);
    if (!problem.empty())
        return problem;
    if (isWhole(dimension.kind))
        return checkIntegerRange(dimension, grid);
    return dimension.kind == DimensionKind::Stepped ? checkSteps(dimension) : checkFloatRange(dimension, grid);
}

}  // namespace sweepscope::sweep
