#pragma once

#include "series/feedseries.h"
#include "ui/live/devicefeed.h"
#include "ui/live/plotframe.h"
#include "ui/live/trialsource.h"
#include "ui/live/visiblecolumns.h"

namespace sweepscope::ui {

/// The plots of an attempt's devices and processes, below its curves.
class DeviceStrips {
public:
    /// `host`: of the attempt's processes; `devices`: null if unavailable. Both must outlive this.
    DeviceStrips(const TrialSource &source, const series::FeedSeries &host, const DeviceFeed *devices)
        : m_source(source), m_host(host), m_devices(devices)
    {}

    /// "gpu.utilization", "rank.cpu", …: the quantities with data, in display order.
    QStringList ids() const;
    /// Covers the range of the frame; `kept` caches columns between frames.
    PlotPanel panel(const QString &id, const PlotFrame &frame, int columns, VisibleColumns &kept) const;

private:
    const TrialSource &m_source;
    const series::FeedSeries &m_host;
    const DeviceFeed *m_devices;
};

}  // namespace sweepscope::ui
