#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "device/callmeter.h"
#include "device/device.h"
#include "device/hostload.h"
#include "feed/logwriter.h"
#include "node/deviceremarks.h"

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

namespace sweepscope::node {

struct FeedLimits {
    std::uint64_t mostBytes = 256 * 1024 * 1024;  ///< above this size the older part is dropped
    std::uint64_t keptBytes = 128 * 1024 * 1024;
};

/// Writes device readings to hosts/localhost/devices.feed, once a second while sweeps run or a client shows devices, on
/// a separate thread: a driver that hangs does not block the engine. Also writes memory, disk and network of the machine,
/// "host.memory_used" and others, and its own cost, "monitor.cpu", in % of a core. The size of the file is bounded: readers that follow it find a shorter one in its place.
class DeviceSampler {
public:
    /// From here on only the sampler's thread uses the sources.
    static Expected<std::unique_ptr<DeviceSampler>> start(std::vector<std::unique_ptr<device::Source>> sources,
                                                          const std::filesystem::path &feedFile,
                                                          WallClock clock = wallNow,
                                                          std::chrono::milliseconds interval = std::chrono::seconds(1),
                                                          FeedLimits limits = {});
    ~DeviceSampler();

    /// Starts or stops sampling. Initially off.
    void setSampling(bool sampling);
    /// Takes a reading now instead of at the next interval, because something has changed.
    void readSoon();
    /// Sets the agents whose processes are ours, and the GPUs that these may use.
    void setOwn(std::set<pid_t> agents, std::set<std::string> gpus);
    /// Returns the remarks of the last reading; nullopt before the first one.
    std::optional<DeviceRemarks> remarks() const;
    DeviceSnapshot snapshot() const;

private:
    DeviceSampler(std::vector<std::unique_ptr<device::Source>> sources, std::filesystem::path file,
                  feed::LogWriter writer, WallClock clock, std::chrono::milliseconds interval, FeedLimits limits);
    void run();
    void sample(bool write);
    void countForeign(device::DeviceReading &reading) const;
    void gather(const device::DeviceReading &reading, std::chrono::steady_clock::time_point began);
    void updateRemarks();
    void updateLeases();
    void writeHost(std::int64_t step, WallNs now);
    void writeCost(std::int64_t step, WallNs now);
    void flush();
    void trim();
    std::uint64_t fileBytes() const;

    std::vector<std::unique_ptr<device::Source>> m_sources;
    std::filesystem::path m_file;
    std::optional<feed::LogWriter> m_writer;  ///< nullopt if the file could not be reopened
    bool m_complained = false;
    device::HostLoadReader m_host;
    WallClock m_clock;
    std::chrono::milliseconds m_interval;
    FeedLimits m_limits;
    std::uint64_t m_trimBeyond;
    device::SteadyTime m_costSince;
    std::chrono::nanoseconds m_costBefore{0};
    DeviceRemarks m_gathered;  ///< these two are used only on the sampler's thread
    DeviceSnapshot m_gatheredSnapshot;
    std::chrono::steady_clock::time_point m_nextLeases{};
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ending = false;  ///< from here on guarded by m_mutex
    bool m_soon = false;
    bool m_sampling = false;
    std::set<pid_t> m_agents;
    std::set<std::string> m_ownGpus;
    std::optional<DeviceRemarks> m_remarks;
    DeviceSnapshot m_snapshot;
    std::thread m_thread;
};

/// Writes one reading as points of the series "<device>.utilization", ".memory", …; values that could not be read are
/// left out.
void writeReading(feed::LogWriter &writer, const device::DeviceReading &reading, std::int64_t step, WallNs time);

}  // namespace sweepscope::node
