#pragma once

#include "protocol/devicestatus.h"
#include "sweep/records.h"
#include "ui/timeline/attemptspans.h"

#include <QString>

#include <cstddef>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// An attempt on a device, the time that its job waits in the queue of a cluster, or the time between two attempts.
struct TimelineBar {
    enum class Kind { Attempt, Queue, Break };

    int trial = 0;
    int attempt = 0;
    Kind kind = Kind::Attempt;
    sweep::TrialState state = sweep::TrialState::Running;  ///< final or current state
    WallNs from = 0;
    WallNs to = 0;  ///< the present for a running attempt
    bool continues = false;
};

/// A trial of another sweep on the same devices.
struct OtherUse {
    qint64 sweepId = 0;
    WallNs from = 0;
    WallNs to = 0;
    std::vector<std::string> devices;
};

/// A device, or one of its lanes if several trials use it at once.
struct TimelineRow {
    std::string device;
    QString title;                    ///< empty for all lanes but the first
    std::vector<TimelineBar> bars;    ///< sorted by time, without overlaps
    std::vector<TimelineBar> breaks;  ///< sorted by time; a trial has no device meanwhile, so these appear in text only
    std::vector<OtherUse> others;     ///< sorted by time; of the device, in the row of its first lane
    double busy = 0;                  ///< share of the time, for the whole device
};

struct Timeline {
    std::vector<TimelineRow> rows;
    WallNs from = 0;
    WallNs to = 0;
    int attempts = 0;
    double busy = 0;   ///< of all devices
    double other = 0;  ///< likewise, while only other sweeps used them

    bool isEmpty() const { return rows.empty(); }
};

/// From the records and, for attempts that these do not cover, from `spans`. `to`: the end of the sweep, or the
/// present. `known`: devices of all machines; rows are in order of machines, that of the engine first. `others`: of other
/// sweeps, at any time and on any device.
Timeline makeTimeline(const std::vector<sweep::TrialRecord> &trials, const AttemptSpans &spans,
                      const std::vector<protocol::DeviceStatus> &known, WallNs to,
                      const std::vector<OtherUse> &others = {});

/// Adds when these trials of a sweep used devices between two times, as far as their records say: of each the last attempt.
void addUses(qint64 sweepId, const std::vector<sweep::TrialRecord> &trials, WallNs from, WallNs to,
             std::vector<OtherUse> &uses);

/// Returns the bar at a time, or the nearest one within `tolerance`; null if the device is idle there.
const TimelineBar *barAt(const TimelineRow &row, WallNs time, WallNs tolerance);

}  // namespace sweepscope::ui
