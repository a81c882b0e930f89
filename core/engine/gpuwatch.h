#pragma once

#include "facts/fact.h"
#include "node/deviceremarks.h"
#include "schedule/gpuchoice.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// Decides from the sampler's readings what prevents assigning a GPU to a trial: whether it works, who else uses it,
/// and whether the memory of our last trial on it is free again. Time is a parameter.
class GpuWatch {
public:
    using Time = std::chrono::steady_clock::time_point;
    /// Returns whether a process belongs to one of our attempts.
    using IsOurs = std::function<bool(pid_t)>;
    /// Returns whether the process still exists; a list of processes may be seconds old.
    using IsAlive = std::function<bool(pid_t)>;

    GpuWatch(IsOurs isOurs, IsAlive isAlive) : m_isOurs(std::move(isOurs)), m_isAlive(std::move(isAlive)) {}

    /// Our first trial on this GPU begins.
    void assigned(const std::string &gpuId, const node::DeviceSnapshot &snapshot);
    /// The last one has ended.
    void released(const std::string &gpuId, Time now);

    /// Returns the states by id, only for GPUs with something to report. `held`: GPUs used by our trials. `since`:
    /// ignore earlier readings.
    std::map<std::string, schedule::GpuState> states(const std::vector<device::Device> &gpus,
                                                     const node::DeviceSnapshot &snapshot,
                                                     const std::function<bool(const std::string &)> &isHeld, Time since,
                                                     Time now);
    /// Returns the new warnings since the last call: GpuDraining for memory that is not released.
    facts::Facts takeWarnings();

private:
    struct Drain {
        Time released;
        std::optional<double> before;  ///< bytes in use before the first trial started
        bool warned = false;
    };
    void findForeignUse(schedule::GpuState &state, const node::GpuSnapshot &seen, bool isHeld) const;
    double bytesOfOthers(const node::GpuSnapshot &seen) const;
    void updateDrain(schedule::GpuState &state, const device::Device &gpu, const node::GpuSnapshot &seen, Time now);

    IsOurs m_isOurs;
    IsAlive m_isAlive;
    std::map<std::string, std::optional<double>> m_before;  ///< of the GPUs in use by our trials
    std::map<std::string, Drain> m_draining;
    facts::Facts m_warnings;
};

}  // namespace sweepscope::engine
