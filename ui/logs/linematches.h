#pragma once

#include <QRegularExpression>
#include <QString>

namespace sweepscope::ui {

/// Matches of a person's regular expression in a line. Empty matches do not count. Such an expression may take for ever, so
/// the callers work in slices and measure them.

/// CPU time of a slice of searching or counting: no frame feels it.
inline constexpr double searchSliceMs = 4;

/// CPU time of this thread. Unlike wall time it does not make a pattern look slow on a busy machine.
double threadCpuMs();

/// Whether PCRE gives up on this text, which it does after some tens of milliseconds. `neededMs`: what matching took; a quick
/// line is not tried again.
bool takesTooLong(const QRegularExpression &pattern, const QString &text, double neededMs);

int countMatches(const QRegularExpression &pattern, const QString &text);

/// First match at or after `from`, or, backwards, the last one that begins before it.
QRegularExpressionMatch findMatch(const QRegularExpression &pattern, const QString &text, qsizetype from, bool forward);

/// Calls `take` with each match, until it returns false.
template <typename Take>
void eachMatch(const QRegularExpression &pattern, const QString &text, Take take)
{
    QRegularExpressionMatchIterator matches = pattern.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() > 0 && !take(match))
            return;
    }
}

}  // namespace sweepscope::ui
