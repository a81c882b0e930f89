#pragma once

#include "ui/timeline/timelinepainter.h"

#include <QRect>
#include <QString>

#include <vector>

class QPainter;

namespace sweepscope::ui {

/// What a kind of mark means.
struct TimelineLegendEntry {
    enum class Mark { Trial, State, Icon, Hatched, Other };

    Mark mark = Mark::Trial;
    sweep::TrialState state = sweep::TrialState::Running;  ///< of Mark::State and Mark::Icon
    QString text;

    bool operator==(const TimelineLegendEntry &) const = default;
};

/// Returns the marks that are visible at this scale. Wide bars have the color of their trial, thin
/// ones that of their state; a failure has an icon in the color of its state.
std::vector<TimelineLegendEntry> timelineLegend(const Timeline &timeline, const TimelineScale &scale);

/// Paints one line; entries without room are left out.
void paintTimelineLegend(QPainter *painter, const std::vector<TimelineLegendEntry> &entries, const QRect &room,
                         const QPalette &palette);

}  // namespace sweepscope::ui
