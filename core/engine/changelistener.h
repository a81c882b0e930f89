#pragma once

#include <cstdint>
#include <string>

namespace sweepscope::engine {

/// Receives changes after they are on disk.
class ChangeListener {
public:
    virtual ~ChangeListener() = default;
    virtual void sweepChanged(std::int64_t sweepId) = 0;
    virtual void trialsChanged(std::int64_t sweepId, int firstNumber, int lastNumber) = 0;
    virtual void devicesChanged() = 0;
    /// A line for the engine's log.
    virtual void note(const std::string &line) = 0;
};

}  // namespace sweepscope::engine
