#pragma once

#include "sweep/records.h"

#include <QStringList>

#include <vector>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// Returns the names of metrics that trials of this sweep have reported: the objective first, if reported, and none
/// that describe a step rather than a model.
QStringList reportedMetrics(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials);

/// Returns the metrics that `command`, as in the form, has reported: in the sweep with this id, if it exists, or else
/// in the newest sweep that runs the command. Empty if unknown.
QStringList metricsOfCommand(const protocol::EngineClient &client, qint64 sweepId, const QString &command);

}  // namespace sweepscope::ui
