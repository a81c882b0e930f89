#pragma once

#include "schedule/machinenow.h"
#include "schedule/memoryestimate.h"
#include "schedule/sweepplan.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <vector>

/// Predicts whether the trials of a sweep with the built-in worker fit into the memory of this machine.
namespace sweepscope::schedule {

/// Measures the trial with these parameters.
using MemoryMeasurement = std::function<Expected<sweep::MemoryProfile>(const sweep::ParameterSet &)>;

/// Runs `sweepscope-worker memory` for each trial, on the CPU and for a few seconds. `cancelled` and `baseFolder`, the
/// sweep file's folder, must outlive the result.
MemoryMeasurement measurementBy(const std::filesystem::path &worker, const sweep::SweepSpec &spec,
                                const std::filesystem::path &baseFolder, const std::atomic<bool> &cancelled);

/// Returns parameters of the trials that may need most memory: the largest sizes and the optimizer with the most state,
/// once for each model and data set of the space, at most four. One empty set if no parameter of the space affects the
/// memory.
std::vector<sweep::ParameterSet> heaviestPoints(const sweep::SweepSpec &spec);

struct MemoryPlan {
    sweep::ParameterSet point;  ///< of the largest trial: parameters that change the memory
    sweep::MemoryProfile profile;
    std::vector<MemoryEstimate> estimates;  ///< the sweep's own layout first; for each model of GPU
};

/// Returns the memory of the largest trial. Errors: those of the measurement, and Unsupported for a sweep that runs a
/// command. Takes no devices. May be called on any thread.
Expected<MemoryPlan> planMemory(const sweep::SweepSpec &spec, const MachineNow &machine, const SweepPlan &plan,
                                const MemoryMeasurement &measure);

}  // namespace sweepscope::schedule
