#include "ui/timeline/timeaxis.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr WallNs second = 1'000'000'000;
constexpr WallNs minute = 60 * second;
constexpr WallNs hour = 60 * minute;
constexpr WallNs day = 24 * hour;
constexpr std::array steps{second,  2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
                           minute,  2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
                           hour,    2 * hour,   3 * hour,   6 * hour,    12 * hour,   day,
                           2 * day, 7 * day,    14 * day,   30 * day,    90 * day,    365 * day};

}  // namespace

std::vector<TimeTick> timeTicks(WallNs from, WallNs to, int most)
{
    std::vector<TimeTick> ticks;
    if (to <= from || most < 1)
        return ticks;
    const auto fits = std::find_if(steps.begin(), steps.end(), [&](WallNs step) { return (to - from) / step < most; });
    const WallNs step = fits == steps.end() ? (to - from) / most + 1 : *fits;
    const WallNs zone = QDateTime::fromMSecsSinceEpoch(from / 1'000'000).offsetFromUtc() * second;
    const QString format = step < minute ? u"HH:mm:ss"_s : step < day ? u"HH:mm"_s : u"d MMM"_s;
    for (WallNs time = (from + zone + step - 1) / step * step - zone; time <= to; time += step)
        ticks.push_back({time, QLocale().toString(QDateTime::fromMSecsSinceEpoch(time / 1'000'000), format)});
    return ticks;
}

}  // namespace sweepscope::ui
