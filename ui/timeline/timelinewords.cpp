#include "ui/timeline/timelinewords.h"

#include "ui/models/valuetext.h"
#include "ui/theme/stateappearance.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace sweepscope::ui {

namespace {

struct TimelineWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::TimelineView)
};

constexpr qsizetype mostBreaks = 3;  // listed in a text

QString breakText(const TimelineBar &pause)
{
    const bool isPaused = pause.state == sweep::TrialState::Paused;
    if (pause.continues)
        return (isPaused ? TimelineWords::tr("trial %1 is paused")
                         : TimelineWords::tr("trial %1 is waiting for its retry"))
            .arg(pause.trial);
    return isPaused
               ? TimelineWords::tr("trial %1 was paused").arg(pause.trial)
               : TimelineWords::tr("trial %1 waited for its retry, attempt %2").arg(pause.trial).arg(pause.attempt);
}

/// Returns the trials of this device, past or planned, that were between two attempts.
QStringList breaksAt(const TimelineRow &row, WallNs time)
{
    QStringList texts;
    for (const TimelineBar &pause : row.breaks) {
        if (pause.from > time || pause.to < time)
            continue;
        if (texts.size() == mostBreaks)
            return texts << QStringLiteral("…");
        texts << breakText(pause);
    }
    return texts;
}

}  // namespace

QString barText(const TimelineBar &bar)
{
    if (bar.kind == TimelineBar::Kind::Queue)
        return (bar.continues ? TimelineWords::tr("Trial %1 · its job has been waiting for %2, since %3")
                              : TimelineWords::tr("Trial %1 · its job waited for %2, from %3"))
            .arg(QString::number(bar.trial), durationText(toSeconds(bar.to - bar.from)), dateTimeText(bar.from));
    QString text = TimelineWords::tr("Trial %1 · %2").arg(bar.trial).arg(stateText(bar.state));
    if (bar.attempt > 1 || (bar.state == sweep::TrialState::Paused && !bar.continues))
        text += TimelineWords::tr(" · attempt %1").arg(bar.attempt);
    text += TimelineWords::tr(" · %1 from %2").arg(durationText(toSeconds(bar.to - bar.from)), dateTimeText(bar.from));
    return text;
}

QString idleText(const Timeline &timeline, std::size_t index, WallNs time)
{
    const TimelineRow &row = timeline.rows[index];
    const auto after = std::ranges::upper_bound(row.bars, time, {}, &TimelineBar::from);
    const WallNs from = after == row.bars.begin() ? timeline.from : std::prev(after)->to;
    const WallNs to = after == row.bars.end() ? timeline.to : after->from;
    const auto used =
        std::ranges::find_if(row.others, [time](const OtherUse &use) { return use.from <= time && use.to >= time; });
    if (used != row.others.end())
        return TimelineWords::tr("used by sweep #%1 for %2, from %3")
            .arg(QString::number(used->sweepId), durationText(toSeconds(used->to - used->from)),
                 dateTimeText(used->from));
    QStringList texts{
        TimelineWords::tr("idle for %1, from %2").arg(durationText(toSeconds(to - from)), dateTimeText(from))};
    texts += breaksAt(row, time);
    return texts.join(QStringLiteral(" · "));
}

}  // namespace sweepscope::ui
