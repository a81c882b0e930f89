#pragma once

#include "ui/plot/plotfeeds.h"

#include <QStringList>

namespace sweepscope::tests {

/// Reads everything written so far and returns the resulting frame.
inline ui::PlotFrame frameOf(ui::PlotFeeds &feeds, const ui::PlotRequest &request = {})
{
    while (feeds.poll())
        feeds.frame(request);  // reads, too
    return feeds.frame(request);
}

inline QStringList namesOf(const ui::PlotPanel &panel)
{
    QStringList names;
    for (const ui::PlotCurve &curve : panel.curves)
        names.append(curve.name);
    return names;
}

}  // namespace sweepscope::tests
