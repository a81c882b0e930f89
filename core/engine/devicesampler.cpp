#include "engine/devicesampler.h"

#include "engine/feedtrimming.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace sweepscope::engine {

namespace {

Expected<feed::LogWriter> openFeed(const std::filesystem::path &file, WallNs now)
{
    feed::Preamble preamble;
    preamble.createdNs = now;
    preamble.attemptId = "devices";
    return feed::LogWriter::open(file, preamble);
}

}  // namespace

Expected<std::unique_ptr<DeviceSampler>> DeviceSampler::start(std::vector<std::unique_ptr<device::Source>> sources,
                                                              const std::filesystem::path &feedFile, WallClock clock,
                                                              std::chrono::milliseconds interval, FeedLimits limits)
{
    std::error_code error;
    std::filesystem::create_directories(feedFile.parent_path(), error);
    if (error)
        return makeErrnoError("cannot make the folder " + feedFile.parent_path().string(), error.value());
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

void DeviceSampler::run()
{
    std::unique_lock lock(m_mutex);
    while (!m_ending) {
        m_wake.wait(lock, [this] { return m_ending || m_sampling; });
        bool first = true;  // a source tells what was since the last time: that is nobody's load
        while (m_sampling && !m_ending) {
            lock.unlock();
            sample(!std::exchange(first, false));
            lock.lock();
            m_wake.wait_for(lock, m_interval, [this] { return m_ending || !m_sampling; });
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
    const WallNs now = m_clock();
    // Seconds, not a count: they go on rising when the next engine goes on with this file.
    const std::int64_t step = now / 1'000'000'000;
    for (const std::unique_ptr<device::Source> &source : m_sources) {
        for (const device::DeviceReading &reading : source->sample()) {
            if (write && m_writer)
                writeReading(*m_writer, reading, step, now);
        }
    }
    flush();
    if (m_writer && fileBytes() > m_trimBeyond)
        trim();
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
        std::fprintf(stderr, "device readings are not written: %s\n", flushed.error().message.c_str());
    m_complained = !flushed;
}

void DeviceSampler::trim()
{
    m_writer.reset();
    const Expected<void> trimmed = trimFeed(m_file, m_limits.mostBytes, m_limits.keptBytes);
    if (!trimmed)
        std::fprintf(stderr, "device readings are not trimmed: %s\n", trimmed.error().message.c_str());
    // If there was no room for the shorter file, there is none in a second either.
    m_trimBeyond = std::max(m_limits.mostBytes, fileBytes() + (trimmed ? 0 : m_limits.keptBytes / 8));
    Expected<feed::LogWriter> writer = openFeed(m_file, m_clock());
    if (writer)
        m_writer = std::move(*writer);
    else
        std::fprintf(stderr, "device readings are not written: %s\n", writer.error().message.c_str());
}

void writeReading(feed::LogWriter &writer, const device::DeviceReading &reading, std::int64_t step, WallNs time)
{
    const auto put = [&](const char *name, const char *unit, const std::optional<double> &value) {
        if (value)
            writer.write(writer.declare(reading.deviceId + name, unit), step, time, *value);
    };
    const device::Reading &r = reading.reading;
    put(".utilization", "%", r.utilizationPercent);
    put(".memory", "B", r.memoryUsedBytes ? std::optional(static_cast<double>(*r.memoryUsedBytes)) : std::nullopt);
    put(".sm_clock", "MHz", r.smClockMhz);
    put(".memory_clock", "MHz", r.memoryClockMhz);
    put(".power", "W", r.powerWatt);
    put(".temperature", "°C", r.temperatureCelsius);
}

}  // namespace sweepscope::engine
