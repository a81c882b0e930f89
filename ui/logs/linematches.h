#pragma once

#include <QRegularExpression>
#include <QString>

namespace sweepscope::ui {

/// Matches of a user's regular expression in a line. Empty matches do not count. Such an expression may take forever,
/// so callers work in slices and measure them.

/// CPU time of a slice of searching or counting: short enough not to delay a frame.
inline constexpr double searchSliceMs = 4;

/// CPU time of this thread. Unlike wall time, it does not make a pattern look slow on a busy machine.
double threadCpuMs();

/// Whether PCRE gives up on this text, which it does after some tens of milliseconds. `neededMs`: time that matching
/// took; a fast line is not tried again.
bool takesTooLong(const QRegularExpression &pattern, const QString &text, double neededMs);

int countMatches(const QRegularExpression &pattern, const QString &text);

/// Returns the first match at or after `from`; backward, the last one that begins before it.
QRegularExpressionMatch findMatch(const QRegularExpression &pattern, const QString &text, qsizetype from, bool forward);

/// Calls `take` for each match until it returns false.
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
