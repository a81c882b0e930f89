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

/// A sweep that is under way, and what a plan of it needs of each of its trials. Nothing: it is not, or there is none.
std::optional<schedule::FinishedSweep> sweepUnderWay(const protocol::EngineClient &client, qint64 id);

}  // namespace sweepscope::ui
