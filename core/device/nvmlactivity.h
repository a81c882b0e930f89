#pragma once

#include "device/nvmllibrary.h"
#include "device/reading.h"

#include <array>
#include <memory>
#include <optional>

namespace sweepscope::device::nvml {

/// How much of a GPU really works (GPM: Hopper and newer): SMs and memory bandwidth over the time since the last look.
class Activity {
public:
    /// `migInstance`: of a MIG device, whose `device` is then the whole GPU.
    Activity(std::shared_ptr<const Library> library, DeviceHandle device, std::optional<unsigned> migInstance);

    /// Nothing at the first look, and until enough time has passed since the last one.
    void read(CallMeter &meter, Reading &reading);
    /// The driver's memory, given back while it still answers.
    void release(CallMeter &meter);

private:
    bool begin(CallMeter &meter);
    Return readSample(CallMeter &meter, GpmSample sample);

    enum class State { New, Supported, Unsupported };
    std::shared_ptr<const Library> m_library;
    DeviceHandle m_device;
    std::optional<unsigned> m_migInstance;
    State m_state = State::New;
    std::array<GpmSample, 2> m_samples{};
    std::optional<SteadyTime> m_lastTaken;  ///< then m_samples[0] is the older one
    bool m_readOnce = false;
    std::unique_ptr<GpmMetrics> m_metrics;
};

}  // namespace sweepscope::device::nvml
