#include "ui/plot/axistickers.h"

#include "ui/models/valuetext.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr std::array roundSeconds{1e-6,   1e-5,   1e-4,   1e-3,    2e-3,    5e-3,     0.01,     0.02,     0.05,
                                  0.1,    0.2,    0.5,    1.,      2.,      5.,       10.,      15.,      30.,
                                  60.,    120.,   300.,   600.,    900.,    1800.,    3600.,    7200.,    10800.,
                                  21600., 43200., 86400., 172800., 604800., 2592000., 7776000., 31536000.};

int decimalsFor(double resolution)
{
    return resolution >= 1 ? 0 : std::min(6, static_cast<int>(std::ceil(-std::log10(resolution) - 1e-9)));
}

/// More digits of a percentage say nothing.
int digitsIn(const DisplayUnit &unit, int digits)
{
    return unit.text == QLatin1String("%") ? std::min(digits, 3) : digits;
}

double utcOffset(double time)
{
    return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(time * 1000)).offsetFromUtc();
}

/// 90 -> "1:30", 3750 -> "1:02:30", 12.5 -> "0:12.5"
QString durationText(double seconds, int decimals)
{
    const double scale = std::pow(10.0, decimals);
    const auto units = static_cast<qint64>(std::llround(std::abs(seconds) * scale));
    const auto perSecond = static_cast<qint64>(scale);
    const qint64 whole = units / perSecond;
    QString text = whole >= 3600
                       ? QStringLiteral("%1:%2:").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
                       : QStringLiteral("%1:").arg(whole / 60);
    text += QStringLiteral("%1").arg(whole % 60, 2, 10, QLatin1Char('0'));
    if (decimals > 0)
        text += QStringLiteral(".%1").arg(units % perSecond, decimals, 10, QLatin1Char('0'));
    return seconds < 0 ? QChar(0x2212) + text : text;
}

QString clockText(double time, int decimals, bool seconds)
{
    const double scale = std::pow(10.0, decimals);
    const double rounded = std::round(time * scale) / scale;
    const auto whole = static_cast<qint64>(std::floor(rounded + 0.25 / scale));
    const QDateTime when = QDateTime::fromSecsSinceEpoch(whole);
    QString text = when.toString(seconds ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
    if (decimals > 0) {
        const auto fraction = static_cast<qint64>(std::llround((rounded - static_cast<double>(whole)) * scale));
        text += QStringLiteral(".%1").arg(std::max<qint64>(fraction, 0), decimals, 10, QLatin1Char('0'));
    }
    return text;
}

}  // namespace

TimeTicker::TimeTicker()
{
    setTickCount(7);
}

double TimeTicker::getTickStep(const QCPRange &range)
{
    const double wanted = range.size() / (mTickCount + 1e-10);
    m_step = roundSeconds.back() * std::max(1.0, std::round(wanted / roundSeconds.back()));
    for (const double step : roundSeconds) {
        if (step >= wanted) {
            m_step = step;
            break;
        }
    }
    return m_step;
}

int TimeTicker::getSubTickCount(double tickStep)
{
    if (tickStep == 15 || tickStep == 900 || tickStep == 30 || tickStep == 1800 || tickStep == 10800
        || tickStep == 21600)
        return 2;
    return tickStep == 2 || tickStep == 120 || tickStep == 7200 || tickStep == 172800 ? 1 : 4;
}

QVector<double> TimeTicker::createTickVector(double tickStep, const QCPRange &range)
{
    const double origin = m_start ? *m_start : -utcOffset(range.center());
    QVector<double> ticks;
    const double first = std::floor((range.lower - origin) / tickStep);
    for (int i = 0; i < 200; ++i) {
        ticks.append(origin + (first + i) * tickStep);
        if (ticks.last() > range.upper)
            break;
    }
    return ticks;
}

QString TimeTicker::getTickLabel(double tick, const QLocale &locale, QChar, int)
{
    const int decimals = decimalsFor(m_step);
    if (m_start)
        return durationText(tick - *m_start, decimals);
    if (m_step >= 86400)
        return locale.toString(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(tick)).date(),
                               QStringLiteral("d MMM"));
    return clockText(tick, decimals, m_step < 60);
}

QString TimeTicker::exactText(double time, double secondsPerPixel) const
{
    const int decimals = std::min(3, decimalsFor(secondsPerPixel));
    return m_start ? durationText(time - *m_start, decimals) : clockText(time, decimals, true);
}

DisplayUnit displayUnit(const QString &unit, double largest)
{
    const double size = std::abs(largest);
    if (unit == QLatin1String("B")) {
        if (size >= 1024.0 * 1024 * 1024)
            return {1 / (1024.0 * 1024 * 1024), QStringLiteral("GiB")};
        return {1 / (1024.0 * 1024), QStringLiteral("MiB")};
    }
    if (unit == QLatin1String("s") && size > 0 && size < 1) {
        if (size < 1e-3)
            return {1e6, QStringLiteral("µs")};
        return {1e3, QStringLiteral("ms")};
    }
    return {1, unit};
}

std::optional<int> commonDecimals(const std::vector<double> &values, const DisplayUnit &unit, int digits)
{
    double largest = 0;
    double smallest = HUGE_VAL;
    for (const double value : values) {
        const double shown = std::abs(value * unit.factor);
        if (!std::isfinite(shown) || shown == 0)
            continue;
        largest = std::max(largest, shown);
        smallest = std::min(smallest, shown);
    }
    const int most = digitsIn(unit, digits) - 1 - (largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) : 0);
    constexpr double tiny = 1e-4;  // needs an exponent
    if (largest >= 1e7 || (largest > 0 && largest < tiny) || smallest < std::pow(10.0, 1 - most))
        return std::nullopt;
    const auto rounded = [](double value, int decimals) {
        return std::round(value * std::pow(10.0, decimals)) / std::pow(10.0, decimals);
    };
    int decimals = std::max(0, most);
    while (decimals > 0 && std::ranges::all_of(values, [&](double value) {
               const double shown = value * unit.factor;
               return !std::isfinite(shown)
                      || std::abs(rounded(shown, decimals - 1) - rounded(shown, most)) < std::pow(10.0, -most - 1);
           }))
        --decimals;
    return decimals;
}

QString valueText(double value, const DisplayUnit &unit, int digits, std::optional<int> decimals)
{
    if (!std::isfinite(value))
        return numberText(value);
    const double shown = value == 0 ? 0 : value * unit.factor;  // and not "-0"
    constexpr double groupedFrom = 9'999;
    constexpr int digitsOfNumbers = 5;  // in numberText()
    const bool isShort = std::abs(shown) < groupedFrom;
    const int significant = digitsIn(unit, digits);
    const QString number = isShort && decimals ? QString::number(shown, 'f', *decimals)
                           : isShort && significant < digitsOfNumbers
                               ? QString::number(shown, 'g', std::abs(shown) < 999 ? significant : 4)
                               : numberText(shown);
    return unit.text.isEmpty() || unit.text == QLatin1String("%") ? number + unit.text
                                                                  : number + QChar(0x202f) + unit.text;
}

double UnitTicker::getTickStep(const QCPRange &range)
{
    return QCPAxisTicker::getTickStep(QCPRange(range.lower * m_factor, range.upper * m_factor)) / m_factor;
}

QString UnitTicker::getTickLabel(double tick, const QLocale &, QChar, int)
{
    const double shown = tick * m_factor;
    return QString::number(std::abs(shown) < 1e-12 ? 0.0 : shown, 'g', 6);
}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange &range)
{
    const double low = range.lower * factor();
    const double high = range.upper * factor();
    if (low <= 0 || high / low < 5)
        return QCPAxisTicker::createTickVector(tickStep, range);
    const double decades = std::log10(high / low);
    const int skip = std::max(1, static_cast<int>(std::round(decades / 6)));
    QVector<double> ticks;
    for (int exponent = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, exponent) <= high;
         exponent += skip) {
        ticks.append(std::pow(10.0, exponent) / factor());
        if (decades < 2.5)
            ticks << 2 * std::pow(10.0, exponent) / factor() << 5 * std::pow(10.0, exponent) / factor();
    }
    return ticks;
}

double StepTicker::getTickStep(const QCPRange &range)
{
    const double step = QCPAxisTicker::getTickStep(range);
    constexpr double notWhole = 2.5;
    return step == notWhole ? 5 : std::max(1.0, step);
}

QString StepTicker::getTickLabel(double tick, const QLocale &locale, QChar, int)
{
    return locale.toString(static_cast<qlonglong>(std::llround(tick)));
}

}  // namespace sweepscope::ui
