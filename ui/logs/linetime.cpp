#include "ui/logs/linetime.h"

#include <QDateTime>
#include <QLocale>

namespace sweepscope::ui {

namespace {

QDateTime local(WallNs time)
{
    return QDateTime::fromMSecsSinceEpoch(time / 1'000'000);
}

QString textOr(WallNs time, const QString &format)
{
    return time > 0 ? local(time).toString(format) : QStringLiteral("–");
}

}  // namespace

QString clockText(WallNs time)
{
    return textOr(time, QStringLiteral("HH:mm:ss"));
}

QString dayText(WallNs time)
{
    return time > 0 ? QLocale::c().toString(local(time).date(), QStringLiteral("d MMM")) : QString();
}

QString fullTimeText(WallNs time)
{
    return textOr(time, QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

bool isSameDay(WallNs a, WallNs b)
{
    return a <= 0 || b <= 0 || local(a).date() == local(b).date();
}

}  // namespace sweepscope::ui
