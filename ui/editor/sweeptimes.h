#pragma once

#include "device/sweepplan.h"

#include <QtGlobal>

#include <optional>
#include <vector>

namespace sweepscope::client {
class EngineClient;
}

namespace sweepscope::ui {

/// What the last sweeps took: of each trial only what tells its time, and of each sweep enough for a median.
std::vector<device::FinishedSweep> finishedSweeps(const client::EngineClient &client);

/// A sweep that is under way, and what a plan of it needs of each of its trials. Nothing: it is not, or there is none.
std::optional<device::FinishedSweep> sweepUnderWay(const client::EngineClient &client, qint64 id);

}  // namespace sweepscope::ui
