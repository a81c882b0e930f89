#pragma once

#include "engine/deviceremarks.h"
#include "facts/fact.h"
#include "schedule/gpuchoice.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What stands in the way of giving a GPU to a trial, by what the sampler reads of it: whether it works, who else is on it,
/// and whether the memory of our last trial on it is free again. Time is handed in.
class GpuWatch {
public:
    using Time = std::chrono::steady_clock::time_point;
    /// Whether a process belongs to an attempt of ours.
    using IsOurs = std::function<bool(pid_t)>;
    /// Whether there is such a process still; a list of processes may be seconds old.
    using IsAlive = std::function<bool(pid_t)>;

    GpuWatch(IsOurs isOurs, IsAlive isAlive) : m_isOurs(std::move(isOurs)), m_isAlive(std::move(isAlive)) {}

    /// The first trial of ours on this GPU begins.
    void given(const std::string &gpuId, const DeviceLook &look);
    /// The last one has ended.
    void released(const std::string &gpuId, Time now);

    /// By id, of those of whom there is something to say. `held`: GPUs on which trials of ours are. `since`: what was
    /// read before is not known any more.
    std::map<std::string, schedule::GpuState> states(const std::vector<device::Device> &gpus, const DeviceLook &look,
                                                     const std::function<bool(const std::string &)> &isHeld, Time since,
                                                     Time now);
    /// What came up since the last call: GpuDraining, of memory that is not given back.
    facts::Facts takeWarnings();

private:
    struct Drain {
        Time released;
        std::optional<double> before;  ///< bytes in use when the first trial was given it
        bool warned = false;
    };
    void lookForOthers(schedule::GpuState &state, const GpuLook &seen, bool isHeld) const;
    double bytesOfOthers(const GpuLook &seen) const;
    void lookForDrain(schedule::GpuState &state, const device::Device &gpu, const GpuLook &seen, Time now);

    IsOurs m_isOurs;
    IsAlive m_isAlive;
    std::map<std::string, std::optional<double>> m_before;  ///< of those that are given
    std::map<std::string, Drain> m_draining;
    facts::Facts m_warnings;
};

}  // namespace sweepscope::engine
