#pragma once

#include "protocol/devicestatus.h"
#include "sweep/records.h"
#include "ui/timeline/attemptspans.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace sweepscope::ui {

/// An attempt on one device, or the time between two of them.
struct TimelineBar {
    enum class Kind { Attempt, Break };

    int trial = 0;
    int attempt = 0;
    Kind kind = Kind::Attempt;
    sweep::TrialState state = sweep::TrialState::Running;  ///< as it ended, or is
    WallNs from = 0;
    WallNs to = 0;  ///< of what goes on: the present
    bool goesOn = false;
};

/// A device; where several trials are on it at once, one of its lanes.
struct TimelineRow {
    std::string device;
    QString title;                    ///< empty from the second lane on
    std::vector<TimelineBar> bars;    ///< in order of time, none over another
    std::vector<TimelineBar> breaks;  ///< in order of time; none has the device, so they are told and not drawn
    double busy = 0;                  ///< share of the time, of the whole device
};

struct Timeline {
    std::vector<TimelineRow> rows;
    WallNs from = 0;
    WallNs to = 0;
    int attempts = 0;
    double busy = 0;  ///< of all devices

    bool isEmpty() const { return rows.empty(); }
};

/// From the records and, for attempts that these do not tell of, `spans`. `to`: the end of the sweep, or the present.
Timeline makeTimeline(const std::vector<sweep::TrialRecord> &trials, const AttemptSpans &spans,
                      const std::vector<protocol::DeviceStatus> &machine, WallNs to);

/// The bar at a time, or the nearest one within `tolerance` of it; null: the device is idle there.
const TimelineBar *barAt(const TimelineRow &row, WallNs time, WallNs tolerance);

}  // namespace sweepscope::ui
