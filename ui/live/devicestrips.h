#pragma once

#include "series/feedseries.h"
#include "ui/live/devicefeed.h"
#include "ui/live/plotframe.h"
#include "ui/live/trialsource.h"
#include "ui/live/visiblecolumns.h"

namespace sweepscope::ui {

/// The plots of an attempt's devices and processes below its curves: which there can be, and what they show.
class DeviceStrips {
public:
    /// `host`: of the attempt's processes; `devices`: null when there is nothing to read. Both outlive this.
    DeviceStrips(const TrialSource &source, const series::FeedSeries &host, const DeviceFeed *devices)
        : m_source(source), m_host(host), m_devices(devices)
    {}

    /// "gpu.utilization", "rank.cpu", … of which something was measured, in the order in which they are shown.
    QStringList ids() const;
    /// Over the range of the frame; `kept`: columns from frame to frame.
    PlotPanel panel(const QString &id, const PlotFrame &frame, int columns, VisibleColumns &kept) const;

private:
    const TrialSource &m_source;
    const series::FeedSeries &m_host;
    const DeviceFeed *m_devices;
};

}  // namespace sweepscope::ui
