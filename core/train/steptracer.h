#pragma once

#include "sweep/tracerequest.h"
#include "train/stepreporter.h"

#include <ATen/record_function.h>
#include <c10/core/Device.h>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace sweepscope::train {

/// Records steps of this rank with LibTorch's profiler when the engine asks for it (sweep/tracerequest.h), and reports
/// the file as an event. A failure is a warning; training continues. A request that comes while steps are recorded is
/// served after them. Without a request a step costs a look at the clock.
class StepTracer {
public:
    /// `attemptFolder`: where requests come and traces go; empty if there are none. `devices`: of this rank.
    StepTracer(std::filesystem::path attemptFolder, int rank, std::vector<c10::Device> devices, StepReporter &reporter);
    /// Calls finish().
    ~StepTracer();
    StepTracer(const StepTracer &) = delete;
    StepTracer &operator=(const StepTracer &) = delete;

    void beginStep(std::int64_t step);
    /// After the last step of a trace, waits for the devices and writes the trace.
    void endStep();
    /// Writes the recorded steps when no further ones follow. Does not wait for the devices, which may hang.
    void finish();

private:
    struct Recording {
        std::int64_t first = 0;
        std::int64_t steps = 0;
        std::int64_t ended = 0;  ///< steps
    };
    using Clock = std::chrono::steady_clock;

    std::optional<int> requestedSteps();
    std::optional<sweep::TraceRequest> newRequest();
    void start(std::int64_t step, int steps);
    void stop();
    void write();
    std::filesystem::path freePath() const;
    void awaitDevices() const;
    void warn(const std::string &reason, std::int64_t step);

    std::filesystem::path m_folder;
    int m_rank;
    std::vector<c10::Device> m_devices;
    StepReporter &m_reporter;
    std::int64_t m_step = 0;
    Clock::time_point m_due = Clock::time_point::min();  ///< of the next look, or of the first step to record
    struct stat m_seen {};                               ///< of the last request
    int m_requested = 0;                                 ///< steps, from m_due on
    std::optional<Recording> m_recording;
    std::string m_markName;
    std::optional<at::RecordFunction> m_mark;  ///< of the step in the trace
};

}  // namespace sweepscope::train
