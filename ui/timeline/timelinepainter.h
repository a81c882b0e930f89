#pragma once

#include "ui/timeline/timelinerows.h"

#include <QFont>
#include <QFontMetrics>
#include <QPalette>
#include <QRect>

class QPainter;

namespace sweepscope::ui {

/// Maps times and rows to the screen.
struct TimelineScale {
    WallNs from = 0;
    WallNs to = 1;
    QRect area;        ///< of the bars; titles are to the left, the axis is above
    int scrolled = 0;  ///< pixels of rows above the area
    int rowHeight = rowHeightIn(0, 0);

    /// Of the line below `area`.
    static int legendHeight();
    /// A few rows in a high view get more height.
    static int rowHeightIn(int height, std::size_t rows);

    double xOf(WallNs time) const;
    WallNs timeAt(double x) const;
    /// -1 if there is none.
    int rowAt(int y, std::size_t rows) const;
    int topOf(std::size_t row) const { return area.top() + static_cast<int>(row) * rowHeight - scrolled; }
};

/// In pixels: thinner bars are drawn with their neighbours.
inline constexpr double thinnestBar = 2;

/// The marked bars.
struct TimelineMarks {
    int hoveredTrial = 0;
    int selectedTrial = 0;
    int selectedAttempt = 0;
    bool hasFocus = false;
};

/// What a bar of `width` px shows of its state and number. What went wrong keeps its icon, the others their number.
struct BarLabel {
    bool hasIcon = false;
    QString text;
};
BarLabel barLabel(const TimelineBar &bar, double width, const QFontMetrics &metrics);

/// Draws the rows that can be seen. Bars that would be thinner than a pixel are drawn together.
void paintTimeline(QPainter *painter, const Timeline &timeline, const TimelineScale &scale, const TimelineMarks &marks,
                   const QPalette &palette, const QFont &font);

}  // namespace sweepscope::ui
