#pragma once

#include "sweep/records.h"

#include <QStringList>

#include <vector>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// Names of the metrics that trials of this sweep have reported: the objective first, if it was, and none that describe a
/// step rather than a model.
QStringList reportedMetrics(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials);

/// Metrics that `command`, as the form has it, has reported: in the sweep with this id, if there is one, or else in the
/// newest sweep that runs it. Empty if unknown.
QStringList metricsOfCommand(const protocol::EngineClient &client, qint64 sweepId, const QString &command);

}  // namespace sweepscope::ui
