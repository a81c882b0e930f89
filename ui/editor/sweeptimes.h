#pragma once

#include "schedule/sweepplan.h"

#include <QtGlobal>

#include <optional>
#include <vector>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// What the last sweeps took: of each trial only what tells its time, and of each sweep enough for a median.
std::vector<schedule::FinishedSweep> finishedSweeps(const protocol::EngineClient &client);

/// A sweep that was launched, and what a plan of its definition needs of each of its trials. nullopt: there is no such sweep.
std::optional<schedule::FinishedSweep> launchedSweep(const protocol::EngineClient &client, qint64 id);

}  // namespace sweepscope::ui
