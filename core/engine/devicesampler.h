#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "device/callmeter.h"
#include "device/device.h"
#include "engine/deviceremarks.h"
#include "feed/logwriter.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace sweepscope::engine {

struct FeedLimits {
    std::uint64_t mostBytes = 256 * 1024 * 1024;  ///< beyond it the older part is dropped
    std::uint64_t keptBytes = 128 * 1024 * 1024;
};

/// Writes what the devices do to hosts/localhost/devices.feed, once a second while sweeps run or somebody looks, on a
/// thread of its own: a driver that hangs does not hold up the engine. What that costs is written too: "monitor.cpu", in
/// % of a core. The file is kept from growing without end: who follows it finds a shorter one in its place.
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
    /// Read now, not when it is time: something has changed.
    void readSoon();
    /// Whose processes are none of a stranger, and on which GPUs they may be.
    void setOwn(std::set<pid_t> agents, std::set<std::string> gpus);
    /// As of the last reading; empty before the first one.
    std::optional<DeviceRemarks> remarks() const;
    DeviceLook look() const;

private:
    DeviceSampler(std::vector<std::unique_ptr<device::Source>> sources, std::filesystem::path file,
                  feed::LogWriter writer, WallClock clock, std::chrono::milliseconds interval, FeedLimits limits);
    void run();
    void sample(bool write);
    void countForeign(device::DeviceReading &reading) const;
    void gather(const device::DeviceReading &reading, std::chrono::steady_clock::time_point began);
    void takeRemarks();
    void writeCost(std::int64_t step, WallNs now);
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
    device::SteadyTime m_costSince;
    std::chrono::nanoseconds m_costBefore{0};
    DeviceRemarks m_gathered;  ///< these two are the sampler's thread's own
    DeviceLook m_gatheredLook;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ending = false;  ///< these are guarded by m_mutex
    bool m_soon = false;
    bool m_sampling = false;
    std::set<pid_t> m_agents;
    std::set<std::string> m_ownGpus;
    std::optional<DeviceRemarks> m_remarks;
    DeviceLook m_look;
    std::thread m_thread;
};

/// One reading as points of the series "<device>.utilization", ".memory", ….; what could not be read is left out.
void writeReading(feed::LogWriter &writer, const device::DeviceReading &reading, std::int64_t step, WallNs time);

}  // namespace sweepscope::engine
