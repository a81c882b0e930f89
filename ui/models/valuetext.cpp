#include "ui/models/valuetext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int significantDigits = 5;
constexpr double groupedFrom = 10'000;
constexpr double exponentFrom = 1e9;

struct ValueWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Value)
};

QString twoDigits(qint64 number)
{
    return u"%1"_s.arg(number, 2, 10, QLatin1Char('0'));
}

}  // namespace

QString meanText(double mean, double error, int runs)
{
    constexpr int digitsOfError = 2;
    const QString count = u" (%1)"_s.arg(runs);
    return runs > 1 ? numberText(mean) + u" ± "_s + QString::number(error, 'g', digitsOfError) + count
                    : numberText(mean) + count;
}

QString numberText(double value)
{
    if (std::isnan(value))
        return u"NaN"_s;
    if (std::isinf(value))
        return value > 0 ? u"∞"_s : u"−∞"_s;
    if (value == 0)
        return u"0"_s;  // not "-0"
    const QString digits = QString::number(value, 'g', significantDigits);
    if (std::abs(value) < groupedFrom - 1)
        return digits;
    const double rounded = digits.toDouble();
    if (std::abs(rounded) < groupedFrom || std::abs(rounded) >= exponentFrom)
        return digits;
    const bool isWhole = rounded == std::trunc(rounded);
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(rounded, 'f', isWhole ? 0 : 1);
}

QString parameterText(const sweep::ParameterValue &value)
{
    if (const auto *number = std::get_if<double>(&value))
        return numberText(*number);
    return exactText(value);
}

QString exactText(const sweep::ParameterValue &value)
{
    return QString::fromStdString(sweep::toText(value));
}

QString durationText(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return {};
    if (seconds < 0.9995)
        return ValueWords::tr("%1 ms").arg(seconds * 1000, 0, 'f', 0);
    if (seconds < 9.95)
        return ValueWords::tr("%1 s").arg(seconds, 0, 'f', 1);
    const auto whole = static_cast<qint64>(std::llround(std::min(seconds, 1e15)));
    if (whole < 60)
        return ValueWords::tr("%1 s").arg(whole);
    if (whole < 3600)
        return ValueWords::tr("%1 min %2 s").arg(whole / 60).arg(twoDigits(whole % 60));
    if (whole < 86400)
        return ValueWords::tr("%1 h %2 min").arg(whole / 3600).arg(twoDigits(whole % 3600 / 60));
    return ValueWords::tr("%1 d %2 h").arg(whole / 86400).arg(whole % 86400 / 3600);
}

QString sentenceText(const QString &text)
{
    return text.isEmpty() ? text : text.front().toUpper() + text.sliced(1);
}

QString fileSizeText(qint64 bytes)
{
    return bytes == 1 ? ValueWords::tr("1 byte") : QLocale().formattedDataSize(bytes);
}

QString elapsedText(double seconds)
{
    if (seconds >= 0 && seconds < 60)
        return ValueWords::tr("%1 s").arg(static_cast<int>(seconds));
    return durationText(seconds);
}

QString timeLeftText(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return {};
    if (seconds < 10)
        return ValueWords::tr("a few seconds left");
    if (seconds < 55)
        return ValueWords::tr("about %1 s left").arg(qRound(seconds / 5) * 5);
    if (seconds < 3600)
        return ValueWords::tr("about %1 min left").arg(qMax(1, qRound(seconds / 60)));
    if (seconds < 86400) {
        const auto minutes = static_cast<qint64>(std::llround(seconds / 300)) * 5;
        return ValueWords::tr("about %1 h %2 min left").arg(minutes / 60).arg(twoDigits(minutes % 60));
    }
    const auto hours = static_cast<qint64>(std::llround(std::min(seconds, 1e15) / 3600));
    return ValueWords::tr("about %1 d %2 h left").arg(hours / 24).arg(hours % 24);
}

QString dateTimeText(WallNs time)
{
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(time / 1'000'000), QLocale::ShortFormat);
}

QString momentText(WallNs time, WallNs now)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(time / 1'000'000);
    const QDate today = QDateTime::fromMSecsSinceEpoch(now / 1'000'000).date();
    if (when.date() == today)
        return QLocale().toString(when, u"HH:mm"_s);
    return QLocale().toString(when, when.date().year() == today.year() ? u"d MMM, HH:mm"_s : u"d MMM yyyy, HH:mm"_s);
}

}  // namespace sweepscope::ui
