#pragma once

#include "schedule/sweepplan.h"

#include <QtGlobal>

#include <optional>
#include <vector>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// Returns the durations of the last sweeps: for each trial only what gives its time, and enough trials for a median.
std::vector<schedule::FinishedSweep> finishedSweeps(const protocol::EngineClient &client);

/// Returns a launched sweep with what a plan needs of each of its trials; nullopt if there is none.
std::optional<schedule::FinishedSweep> launchedSweep(const protocol::EngineClient &client, qint64 id);

}  // namespace sweepscope::ui
