#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>

namespace sweepscope::device {

using SteadyTime = std::chrono::steady_clock::time_point;

/// Times the calls into a driver that one thread makes; other threads may look which one has been running, and for how
/// long.
class CallMeter {
public:
    struct Running {
        const char *call = nullptr;  ///< null between two calls
        SteadyTime since;
    };
    struct Totals {
        std::chrono::nanoseconds calling{0};
        std::uint64_t calls = 0;
        std::chrono::nanoseconds slowest{0};
        const char *slowestCall = nullptr;
    };

    /// `name` must live for ever.
    template <typename Function, typename... Arguments>
    auto call(const char *name, Function function, Arguments... arguments)
    {
        const SteadyTime begun = begin(name);
        const auto result = function(arguments...);
        end(name, begun);
        return result;
    }

    Running running() const;
    Totals totals() const;
    /// Marks the current job as abandoned: its result is too old to be reported.
    void abandon();
    bool isAbandoned() const;
    /// A job begins: what runs has run since now.
    void beginJob();

private:
    SteadyTime begin(const char *name);
    void end(const char *name, SteadyTime begun);

    mutable std::mutex m_mutex;
    Running m_running;
    Totals m_totals;
    bool m_abandoned = false;
};

}  // namespace sweepscope::device
