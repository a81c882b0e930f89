#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "device/device.h"
#include "feed/logwriter.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sweepscope::engine {

/// Writes what the devices do to hosts/localhost/devices.feed, once a second, on a thread of its own: a driver that
/// hangs does not hold up the engine.
class DeviceSampler {
public:
    /// The sources belong to the sampler's thread from here on.
    static Expected<std::unique_ptr<DeviceSampler>> start(std::vector<std::unique_ptr<device::Source>> sources,
                                                          const std::filesystem::path &feedFile,
                                                          WallClock clock = wallNow,
                                                          std::chrono::milliseconds interval = std::chrono::seconds(1));
    ~DeviceSampler();

private:
    DeviceSampler(std::vector<std::unique_ptr<device::Source>> sources, feed::LogWriter writer, WallClock clock,
                  std::chrono::milliseconds interval);
    void run();

    std::vector<std::unique_ptr<device::Source>> m_sources;
    feed::LogWriter m_writer;
    WallClock m_clock;
    std::chrono::milliseconds m_interval;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ending = false;
    std::thread m_thread;
};

/// One reading as points of the series "<device>.utilization", ".memory", ….; what could not be read is left out.
void writeReading(feed::LogWriter &writer, const device::DeviceReading &reading, std::int64_t step, WallNs time);

}  // namespace sweepscope::engine
