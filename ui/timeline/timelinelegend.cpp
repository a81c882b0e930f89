#include "ui/timeline/timelinelegend.h"

#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/trialcolors.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <set>

namespace sweepscope::ui {

namespace {

constexpr int swatch = 10;

struct TimelineLegendWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::TimelineLegend)
};

void paintSwatch(QPainter *painter, const TimelineLegendEntry &entry, const QRect &place, const QPalette &palette)
{
    painter->setPen(Qt::NoPen);
    switch (entry.mark) {
    case TimelineLegendEntry::Mark::Trial:  // several, because each trial has its own
        for (int part = 0; part < 2; ++part) {
            painter->fillRect(
                QRect(place.left() + part * place.width() / 2, place.top(), place.width() / 2, place.height()),
                trialColor(part + 1));
        }
        break;
    case TimelineLegendEntry::Mark::State:
        painter->fillRect(place, stateColor(entry.state));
        break;
    case TimelineLegendEntry::Mark::Icon:
        stateIcon(entry.state).paint(painter, place);
        break;
    case TimelineLegendEntry::Mark::Other:
        painter->fillRect(place, palette.color(QPalette::Midlight));
        break;
    case TimelineLegendEntry::Mark::Hatched:
        painter->setPen(palette.color(QPalette::Text));
        painter->setBrush(QBrush(palette.color(QPalette::Text), Qt::BDiagPattern));
        painter->drawRect(place.adjusted(0, 0, -1, -1));
        break;
    }
}

}  // namespace

std::vector<TimelineLegendEntry> timelineLegend(const Timeline &timeline, const TimelineScale &scale)
{
    using Mark = TimelineLegendEntry::Mark;
    bool hasWide = false;
    bool hasQueue = false;
    bool hasPause = false;
    bool hasOther = false;
    std::set<sweep::TrialState> states;
    std::set<sweep::TrialState> icons;
    for (const TimelineRow &row : timeline.rows) {
        hasOther |= std::ranges::any_of(
            row.others, [&scale](const OtherUse &use) { return use.to >= scale.from && use.from <= scale.to; });
        for (const TimelineBar &bar : row.bars) {
            if (bar.to < scale.from || bar.from > scale.to)
                continue;
            if (scale.xOf(bar.to) - scale.xOf(bar.from) < thinnestBar)
                states.insert(bar.state);
            else if (bar.kind == TimelineBar::Kind::Queue)
                hasQueue = true;
            else
                hasWide = true;
            if (sweep::brokeDown(bar.state))
                icons.insert(bar.state);  // however wide the bar is
            hasPause |= bar.state == sweep::TrialState::Paused && bar.continues;
        }
    }
    std::vector<TimelineLegendEntry> entries;
    if (hasWide)
        entries.push_back({Mark::Trial, {}, TimelineLegendWords::tr("Each color is a trial")});
    if (hasQueue)
        entries.push_back({Mark::Hatched, {}, TimelineLegendWords::tr("Job in the queue")});
    if (hasPause)
        entries.push_back({Mark::Hatched, {}, TimelineLegendWords::tr("Paused")});
    for (const sweep::TrialState state : states)
        entries.push_back({Mark::State, state, stateText(state)});
    if (hasOther)
        entries.push_back({Mark::Other, {}, TimelineLegendWords::tr("Used by another sweep")});
    for (const sweep::TrialState state : icons) {
        if (!states.contains(state))
            entries.push_back({Mark::Icon, state, stateText(state)});
    }
    return entries;
}

void paintTimelineLegend(QPainter *painter, const std::vector<TimelineLegendEntry> &entries, const QRect &room,
                         const QPalette &palette)
{
    const QFontMetrics metrics = painter->fontMetrics();
    int left = room.left() + spacing::small;
    for (const TimelineLegendEntry &entry : entries) {
        const int width = swatch + spacing::tiny + metrics.horizontalAdvance(entry.text);
        if (left + width > room.right())
            return;
        paintSwatch(painter, entry, QRect(left, room.center().y() - swatch / 2, swatch, swatch), palette);
        painter->setPen(subtleTextColor(palette));
        painter->drawText(QRect(left + swatch + spacing::tiny, room.top(), width, room.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        left += width + spacing::large;
    }
}

}  // namespace sweepscope::ui
