#include "engine/devicesampler.h"

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

namespace sweepscope::engine {

Expected<std::unique_ptr<DeviceSampler>> DeviceSampler::start(std::vector<std::unique_ptr<device::Source>> sources,
                                                              const std::filesystem::path &feedFile, WallClock clock,
                                                              std::chrono::milliseconds interval)
{
    std::error_code error;
    std::filesystem::create_directories(feedFile.parent_path(), error);
    if (error)
        return makeErrnoError("cannot make the folder " + feedFile.parent_path().string(), error.value());
    feed::Preamble preamble;
    preamble.createdNs = clock();
    preamble.attemptId = "devices";
    Expected<feed::LogWriter> writer = feed::LogWriter::open(feedFile, preamble);
    if (!writer)
        return tl::unexpected<Error>(writer.error());
    return std::unique_ptr<DeviceSampler>(
        new DeviceSampler(std::move(sources), std::move(*writer), std::move(clock), interval));
}

DeviceSampler::DeviceSampler(std::vector<std::unique_ptr<device::Source>> sources, feed::LogWriter writer,
                             WallClock clock, std::chrono::milliseconds interval)
    : m_sources(std::move(sources)),
      m_writer(std::move(writer)),
      m_clock(std::move(clock)),
      m_interval(interval),
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

void DeviceSampler::run()
{
    bool complained = false;
    std::unique_lock lock(m_mutex);
    while (!m_ending) {
        lock.unlock();
        const WallNs now = m_clock();
        // Seconds, not a count: they go on rising when the next engine goes on with this file.
        const std::int64_t step = now / 1'000'000'000;
        for (const std::unique_ptr<device::Source> &source : m_sources) {
            for (const device::DeviceReading &reading : source->sample())
                writeReading(m_writer, reading, step, now);
        }
        const Expected<void> flushed = m_writer.flush();
        if (!flushed && !complained)
            std::fprintf(stderr, "device readings are not written: %s\n", flushed.error().message.c_str());
        complained = !flushed;
        lock.lock();
        m_wake.wait_for(lock, m_interval, [this] { return m_ending; });
    }
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
