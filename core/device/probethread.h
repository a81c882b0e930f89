#pragma once

#include "device/callmeter.h"
#include "device/device.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::device {

/// Asks a driver on one thread, one job after the other, and survives calls that do not come back.
///
/// A call into a driver cannot be interrupted. So when one has run for longer than its limit, its thread is left behind
/// with it, and another thread continues with the other jobs. No thread ever waits for one that was left behind: it
/// owns everything that it needs. When the call comes back after all, its job rests for a while and is then done again.
///
///     run: job A | job B ...............................(comes back: B rests)
///                     | limit: B is stuck | job C | job D     <- another thread
class ProbeThread {
public:
    struct Job {
        std::string key;  ///< jobs with the same key never run at the same time
        std::function<void(CallMeter &)> work;
        std::chrono::milliseconds callLimit{1000};
    };
    struct Stuck {
        std::string key;
        std::string call;               ///< empty if unknown
        std::chrono::nanoseconds runs;  ///< for how long it has been running, or did run
        bool cameBack = false;          ///< it did, late, and rests now
    };

    ProbeThread();
    /// Waits for the job that runs, for a second at most.
    ~ProbeThread();

    /// Wait until these jobs are done, for `patience` at most; what is not done by then continues. A job whose key
    /// waits, runs, is stuck or rests is left out.
    void run(std::vector<Job> jobs, std::chrono::milliseconds patience);

    std::vector<Stuck> stuck() const;
    SamplingCost cost() const;

private:
    struct Worker;
    struct State;
    static void work(const std::shared_ptr<State> &state, const std::shared_ptr<Worker> &self);
    void startWorker();
    bool leaveBehindIfStuck();

    std::shared_ptr<State> m_state;
};

}  // namespace sweepscope::device
