#include "node/devicesampler.h"

#include "base/log.h"
#include "device/foreignprocesses.h"
#include "device/sources.h"
#include "node/feedtrimming.h"
#include "schedule/leasefolder.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace sweepscope::node {

namespace {

Expected<feed::LogWriter> openFeed(const std::filesystem::path &file, WallNs now)
{
    feed::Preamble preamble;
    preamble.createdNs = now;
    preamble.attemptId = "devices";
    return feed::LogWriter::open(file, preamble);
}

/// In seconds rather than a count, so that steps keep increasing when the next engine continues the file.
std::int64_t stepOf(WallNs time)
{
    return time / 1'000'000'000;
}

/// Sources report these values only occasionally, so they are kept even from a reading that is otherwise skipped.
device::DeviceReading lastingPartOf(const device::DeviceReading &reading)
{
    return {reading.deviceId, reading.reading.lastingPart()};
}

constexpr std::chrono::milliseconds costEvery{900};  ///< a second, and no reading that comes a little early is left out
constexpr std::chrono::seconds leasesEvery{5};
constexpr std::chrono::minutes longestGap{1};  ///< a longer gap means that no sampler ran

std::chrono::nanoseconds threadCpuTime()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

Expected<std::unique_ptr<DeviceSampler>> DeviceSampler::start(std::vector<std::unique_ptr<device::Source>> sources,
                                                              const std::filesystem::path &feedFile, WallClock clock,
                                                              std::chrono::milliseconds interval, FeedLimits limits)
{
    std::error_code error;
    // Not the workspace, which may have been moved.
    std::filesystem::create_directory(feedFile.parent_path().parent_path(), error);
    std::filesystem::create_directory(feedFile.parent_path(), error);
    if (error)
        return makeErrnoError("cannot create the folder " + feedFile.parent_path().string(), error.value());
    if (const Expected<void> trimmed = trimFeed(feedFile, limits.mostBytes, limits.keptBytes); !trimmed)
        return tl::unexpected<Error>(trimmed.error());
    Expected<feed::LogWriter> writer = openFeed(feedFile, clock());
    if (!writer)
        return tl::unexpected<Error>(writer.error());
    return std::unique_ptr<DeviceSampler>(
        new DeviceSampler(std::move(sources), feedFile, std::move(*writer), std::move(clock), interval, limits));
}

DeviceSampler::DeviceSampler(std::vector<std::unique_ptr<device::Source>> sources, std::filesystem::path file,
                             feed::LogWriter writer, WallClock clock, std::chrono::milliseconds interval,
                             FeedLimits limits)
    : m_sources(std::move(sources)),
      m_file(std::move(file)),
      m_writer(std::move(writer)),
      m_host(m_file.parent_path()),
      m_clock(std::move(clock)),
      m_interval(interval),
      m_limits(limits),
      m_trimBeyond(limits.mostBytes),
      m_thread([this] { run(); })
{}

DeviceSampler::~DeviceSampler()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void DeviceSampler::setSampling(bool sampling)
{
    {
        const std::lock_guard lock(m_mutex);
        m_sampling = sampling;
    }
    m_wake.notify_all();
}

void DeviceSampler::readSoon()
{
    {
        const std::lock_guard lock(m_mutex);
        m_soon = true;
    }
    m_wake.notify_all();
}

void DeviceSampler::run()
{
    std::unique_lock lock(m_mutex);
    while (!m_ending) {
        m_wake.wait(lock, [this] { return m_ending || m_sampling; });
        bool first = true;  // not written: a source averages since its last reading, possibly before the pause
        auto next = std::chrono::steady_clock::now();
        while (m_sampling && !m_ending) {
            lock.unlock();
            sample(!std::exchange(first, false));
            lock.lock();
            next = std::max(next + m_interval, std::chrono::steady_clock::now());
            m_wake.wait_until(lock, next, [this] { return m_ending || !m_sampling || m_soon; });
            m_soon = false;
        }
        if (m_ending)
            return;
        lock.unlock();
        trim();
        lock.lock();
    }
}

void DeviceSampler::sample(bool write)
{
    for (const std::unique_ptr<device::Source> &source : m_sources) {
        const auto began = std::chrono::steady_clock::now();
        for (device::DeviceReading &reading : source->sample()) {
            countForeign(reading);
            gather(reading, began);
            const WallNs now = m_clock();
            if (m_writer)
                writeReading(*m_writer, write ? reading : lastingPartOf(reading), stepOf(now), now);
        }
    }
    updateRemarks();
    const WallNs now = m_clock();
    writeHost(stepOf(now), now);
    writeCost(stepOf(now), now);
    flush();
    if (m_writer && fileBytes() > m_trimBeyond)
        trim();
}

void DeviceSampler::setOwn(std::set<pid_t> agents, std::set<std::string> gpus)
{
    const std::lock_guard lock(m_mutex);
    m_agents = std::move(agents);
    m_ownGpus = std::move(gpus);
}

void DeviceSampler::countForeign(device::DeviceReading &reading) const
{
    if (!reading.reading.processes)
        return;
    std::unique_lock lock(m_mutex);
    const std::set<pid_t> agents = m_agents;
    const bool isHeld = m_ownGpus.contains(reading.deviceId);
    lock.unlock();
    reading.reading.foreignProcessCount = device::foreignCount(*reading.reading.processes, agents, isHeld);
}

void DeviceSampler::gather(const device::DeviceReading &reading, std::chrono::steady_clock::time_point began)
{
    const bool isCore = reading.deviceId.rfind("cpu:", 0) == 0;
    if (reading.reading.processes)
        m_gathered.processes[reading.deviceId] = *reading.reading.processes;
    if (isCore)
        return;
    GpuSnapshot &gpu = m_gatheredSnapshot.gpus[reading.deviceId];
    if (reading.reading.processes)
        gpu.processes = *reading.reading.processes;
    if (!reading.reading.memoryUsedBytes && gpu.usedBytes)
        return;  // the earlier value is outdated
    gpu.usedBytes = reading.reading.memoryUsedBytes;
    gpu.at = began;
}

void DeviceSampler::updateRemarks()
{
    m_gathered.note = notesOf(m_sources);
    m_gathered.conditions = conditionsOf(m_sources);
    updateLeases();
    m_gatheredSnapshot.unusable.clear();
    m_gatheredSnapshot.known.clear();
    m_gatheredSnapshot.topology = topologyOf(m_sources);
    for (const std::unique_ptr<device::Source> &source : m_sources) {
        m_gatheredSnapshot.unusable.merge(source->unusable());
        for (device::Device &device : source->known())
            m_gatheredSnapshot.known.push_back(std::move(device));
    }
    const std::lock_guard lock(m_mutex);
    m_remarks = m_gathered;
    m_snapshot = m_gatheredSnapshot;
}

/// Rarely, because this blocks for a moment engines that take a GPU.
void DeviceSampler::updateLeases()
{
    const auto now = std::chrono::steady_clock::now();
    if (now < m_nextLeases)
        return;
    m_nextLeases = now + leasesEvery;
    std::vector<std::string> gpus;
    for (const auto &[gpu, seen] : m_gatheredSnapshot.gpus)
        gpus.push_back(gpu);
    m_gathered.leases.clear();
    if (gpus.empty())
        return;
    const auto leases = schedule::LeaseFolder::readLeases(schedule::LeaseFolder::ofThisMachine(), gpus);
    for (const auto &[gpu, holders] : leases ? *leases : std::map<std::string, std::vector<schedule::LeaseHolder>>())
        m_gathered.leases[gpu] = schedule::leasedTo(holders);
}

DeviceSnapshot DeviceSampler::snapshot() const
{
    const std::lock_guard lock(m_mutex);
    return m_snapshot;
}

std::optional<DeviceRemarks> DeviceSampler::remarks() const
{
    const std::lock_guard lock(m_mutex);
    return m_remarks;
}

void DeviceSampler::writeHost(std::int64_t step, WallNs now)
{
    const device::HostLoad load = m_host.read(std::chrono::steady_clock::now());
    for (const device::HostQuantity &quantity : device::hostQuantities()) {
        if (const std::optional<double> &value = load.*quantity.value; value && m_writer)
            m_writer->write(m_writer->declare(std::string("host.") + quantity.series, quantity.unit), step, now,
                            *value);
    }
}

/// Averages over at least about a second: the kernel's CPU time of a thread is exact, but may include one reading more
/// or less.
void DeviceSampler::writeCost(std::int64_t step, WallNs now)
{
    const auto time = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = time - m_costSince;
    if (passed < costEvery)
        return;
    std::chrono::nanoseconds cost = threadCpuTime();
    for (const std::unique_ptr<device::Source> &source : m_sources)
        cost += source->cost().cpu;
    const std::chrono::duration<double> spent = cost - m_costBefore;
    const bool comparable = m_costSince != device::SteadyTime() && passed < longestGap;
    if (comparable && m_writer)
        m_writer->write(m_writer->declare("monitor.cpu", "%"), step, now, 100 * spent.count() / passed.count());
    m_costSince = time;
    m_costBefore = cost;
}

std::uint64_t DeviceSampler::fileBytes() const
{
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(m_file, error);
    return error ? 0 : bytes;
}

void DeviceSampler::flush()
{
    const Expected<void> flushed = m_writer ? m_writer->flush() : Expected<void>();
    if (!flushed && !m_complained)
        log(LogLevel::Warning, "devices", "readings are not written: " + flushed.error().message);
    m_complained = !flushed;
}

void DeviceSampler::trim()
{
    m_writer.reset();
    const Expected<void> trimmed = trimFeed(m_file, m_limits.mostBytes, m_limits.keptBytes);
    if (!trimmed)
        log(LogLevel::Warning, "devices", "readings are not trimmed: " + trimmed.error().message);
    // If there was no room for the shorter file, there is none a second later either.
    m_trimBeyond = std::max(m_limits.mostBytes, fileBytes() + (trimmed ? 0 : m_limits.keptBytes / 8));
    Expected<feed::LogWriter> writer = openFeed(m_file, m_clock());
    if (writer)
        m_writer = std::move(*writer);
    else
        log(LogLevel::Warning, "devices", "readings are not written: " + writer.error().message);
}

void writeReading(feed::LogWriter &writer, const device::DeviceReading &reading, std::int64_t step, WallNs time)
{
    for (const device::Quantity &quantity : device::quantities()) {
        if (const std::optional<double> &value = reading.reading.*quantity.value)
            writer.write(writer.declare(reading.deviceId + "." + quantity.series, quantity.unit), step, time, *value);
    }
}

}  // namespace sweepscope::node
