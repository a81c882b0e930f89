#include "ui/logs/linematches.h"

#include <ctime>

namespace sweepscope::ui {

double threadCpuMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

bool takesTooLong(const QRegularExpression &pattern, const QString &text, double neededMs)
{
    constexpr double suspiciousMs = 3;  // for a line, which has at most 16 KB
    return neededMs > suspiciousMs && !pattern.match(text).isValid();
}

int countMatches(const QRegularExpression &pattern, const QString &text)
{
    int count = 0;
    eachMatch(pattern, text, [&count](const QRegularExpressionMatch &) { return ++count > 0; });
    return count;
}

QRegularExpressionMatch findMatch(const QRegularExpression &pattern, const QString &text, qsizetype from, bool forward)
{
    QRegularExpressionMatch result;
    QRegularExpressionMatchIterator matches = pattern.globalMatch(text, forward ? from : 0);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() == 0)
            continue;
        if (forward)
            return match;
        if (match.capturedStart() >= from)
            break;
        result = match;
    }
    return result;
}

}  // namespace sweepscope::ui
