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
#include <optional>
#include <thread>
#include <vector>

namespace sweepscope::engine {

struct FeedLimits {
    std::uint64_t mostBytes = 256 * 1024 * 1024;  ///< beyond it the older part is dropped
    std::uint64_t keptBytes = 128 * 1024 * 1024;
};

/// Writes what the devices do to hosts/localhost/devices.feed, once a second while sweeps run, on a thread of its own:
/// a driver that hangs does not hold up the engine. The file is kept from growing without end: who follows it finds a
/// shorter one in its place.
class DeviceSampler {
public:
    /// The sources belong to the sampler's thread from here on.
    static Expected<std::unique_ptr<DeviceSampler>> start(std::vector<std::unique_ptr<device::Source>> sources,
                                                          const std::filesystem::path &feedFile,
                                                          WallClock clock = wallNow,
                                                          std::chrono::milliseconds interval = std::chrono::seconds(1),
                                                          FeedLimits limits = {});
    ~DeviceSampler();

    /// Whether there is anything to sample for. At first there is not.
    void setSampling(bool sampling);

private:
    DeviceSampler(std::vector<std::unique_ptr<device::Source>> sources, std::filesystem::path file,
                  feed::LogWriter writer, WallClock clock, std::chrono::milliseconds interval, FeedLimits limits);
    void run();
    void sample(bool write);
    void flush();
    void trim();
    std::uint64_t fileBytes() const;

    std::vector<std::unique_ptr<device::Source>> m_sources;
    std::filesystem::path m_file;
    std::optional<feed::LogWriter> m_writer;  ///< empty when the file could not be opened again
    bool m_complained = false;
    WallClock m_clock;
    std::chrono::milliseconds m_interval;
    FeedLimits m_limits;
    std::uint64_t m_trimBeyond;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ending = false;  ///< these two are guarded by m_mutex
    bool m_sampling = false;
    std::thread m_thread;
};

/// One reading as points of the series "<device>.utilization", ".memory", ….; what could not be read is left out.
void writeReading(feed::LogWriter &writer, const device::DeviceReading &reading, std::int64_t step, WallNs time);

}  // namespace sweepscope::engine
