#include "ui/editor/scalepicture.h"

#include "sweep/dimensionvalues.h"
#include "ui/theme/palettes.h"

#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr std::uint64_t mostDots = 40;
constexpr double mostTicks = 10;
constexpr double spanOfLogarithm = 20;  ///< max divided by min of a list, from which its scale is logarithmic

constexpr qreal dotRadius = 2.5;
constexpr qreal tickLength = 5;
constexpr qreal minorTickLength = 3;
constexpr qreal barHeight = 3;

struct Scale {
    double low;
    double high;
    bool isLog;

    double place(double value) const
    {
        return isLog ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    }
    bool has(double value) const
    {
        const double hair = 1e-9;
        return place(value) > -hair && place(value) < 1 + hair;
    }
};

std::optional<double> number(const sweep::ParameterValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&value); real && std::isfinite(*real))
        return *real;
    return std::nullopt;
}

void addDecades(ScalePicture &picture, const Scale &scale)
{
    const int first = static_cast<int>(std::floor(std::log10(scale.low)));
    const int last = static_cast<int>(std::ceil(std::log10(scale.high)));
    for (int power = first; power <= last; ++power) {
        const double decade = std::pow(10.0, power);
        for (int times = 1; times < 10; ++times) {
            if (scale.has(times * decade))
                (times == 1 ? picture.ticks : picture.minorTicks).push_back(scale.place(times * decade));
        }
    }
    if (last - first > mostTicks)
        picture.minorTicks.clear();
}

/// Adds ticks at 1, 2 or 5 times a power of ten.
void addSteps(ScalePicture &picture, const Scale &scale)
{
    const double span = scale.high - scale.low;
    const double power = std::pow(10.0, std::floor(std::log10(span / mostTicks)));
    double step = 10 * power;
    for (const double times : {1.0, 2.0, 5.0}) {
        if (span / (times * power) <= mostTicks) {
            step = times * power;
            break;
        }
    }
    const double first = std::ceil(scale.low / step) * step;
    for (int i = 0; i <= static_cast<int>(mostTicks) && scale.has(first + i * step); ++i)
        picture.ticks.push_back(scale.place(first + i * step));
}

}  // namespace

std::optional<ScalePicture> scalePictureOf(const sweep::Dimension &dimension, sweep::SearchMethod method)
{
    const bool grid = method == sweep::SearchMethod::Grid;
    if (dimension.kind == sweep::DimensionKind::Choice || !sweep::checkDimension(dimension, grid).empty())
        return std::nullopt;
    const sweep::DimensionValues values(dimension);
    ScalePicture picture;
    picture.isContinuous = (!grid && values.isContinuous()) || values.size() > mostDots;
    Scale scale{dimension.low, dimension.high, sweep::isLogarithmic(dimension.kind)};
    std::vector<double> numbers;
    if (!picture.isContinuous) {
        for (std::uint64_t i = 0; i < values.size(); ++i) {
            const std::optional<double> found = number(values.at(i));
            if (!found)
                return std::nullopt;
            numbers.push_back(*found);
        }
    }
    if (dimension.kind == sweep::DimensionKind::List) {
        if (numbers.empty())
            return std::nullopt;  // too many
        const auto [low, high] = std::ranges::minmax(numbers);
        scale = {low, high, low > 0 && high / low >= spanOfLogarithm};
    }
    if (!(scale.low < scale.high) || !std::isfinite(scale.high - scale.low))
        return std::nullopt;
    for (const double value : numbers)
        picture.values.push_back(scale.place(value));
    if (scale.isLog)
        addDecades(picture, scale);
    else
        addSteps(picture, scale);
    return picture;
}

void paintScale(QPainter &painter, const QRectF &area, const ScalePicture &picture, const QPalette &palette)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal left = area.left() + dotRadius;
    const qreal width = area.width() - 2 * dotRadius;
    const qreal line = std::floor(area.center().y()) - 0.5;
    const auto at = [&](double place) { return left + place * width; };
    painter.setPen(QPen(subtleTextColor(palette), 1));
    painter.drawLine(QPointF(at(0), line), QPointF(at(1), line));
    const auto drawTicks = [&](const std::vector<double> &places, qreal length) {
        for (const double place : places)
            painter.drawLine(QPointF(at(place), line), QPointF(at(place), line + length));
    };
    drawTicks(picture.ticks, tickLength);
    QColor faint = subtleTextColor(palette);
    faint.setAlphaF(0.4F);
    painter.setPen(QPen(faint, 1));
    drawTicks(picture.minorTicks, minorTickLength);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.brush(QPalette::Link));
    if (picture.isContinuous)
        painter.drawRoundedRect(QRectF(at(0), line - barHeight, width, barHeight), 1, 1);
    for (const double place : picture.values)
        painter.drawEllipse(QPointF(at(place), line), dotRadius, dotRadius);
    painter.restore();
}

}  // namespace sweepscope::ui
