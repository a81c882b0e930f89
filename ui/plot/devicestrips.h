#pragma once

#include "ui/plot/attemptreadings.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/trialsource.h"
#include "ui/plot/visiblecolumns.h"

namespace sweepscope::ui {

/// The plots of an attempt's devices and processes, below its curves.
class DeviceStrips {
public:
    /// Both must outlive this.
    DeviceStrips(const TrialSource &source, const AttemptReadings &readings) : m_source(source), m_readings(readings) {}

    /// "gpu.utilization", "rank.cpu", …: the quantities with data, in display order.
    QStringList ids() const;
    /// Covers the range of the frame; `kept` caches columns between frames.
    PlotPanel panel(const QString &id, const PlotFrame &frame, int columns, VisibleColumns &kept) const;

private:
    const TrialSource &m_source;
    const AttemptReadings &m_readings;
};

}  // namespace sweepscope::ui
