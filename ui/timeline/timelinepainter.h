#pragma once

#include "ui/timeline/timelinerows.h"

#include <QFont>
#include <QPalette>
#include <QRect>

class QPainter;

namespace sweepscope::ui {

/// Where times and rows are on the screen.
struct TimelineScale {
    WallNs from = 0;
    WallNs to = 1;
    QRect area;        ///< of the bars; titles are left of it, the axis above
    int scrolled = 0;  ///< pixels of rows above the area
    int rowHeight = rowHeightIn(0, 0);

    /// Few rows in a high view are higher.
    static int rowHeightIn(int height, std::size_t rows);

    double xOf(WallNs time) const;
    WallNs timeAt(double x) const;
    /// -1: none.
    int rowAt(int y, std::size_t rows) const;
    int topOf(std::size_t row) const { return area.top() + static_cast<int>(row) * rowHeight - scrolled; }
};

/// What is marked.
struct TimelineMarks {
    int hoveredTrial = 0;
    int selectedTrial = 0;
    int selectedAttempt = 0;
    bool hasFocus = false;
};

/// Draws the rows that can be seen. Bars that would be thinner than a pixel are drawn together.
void paintTimeline(QPainter *painter, const Timeline &timeline, const TimelineScale &scale, const TimelineMarks &marks,
                   const QPalette &palette, const QFont &font);

}  // namespace sweepscope::ui
