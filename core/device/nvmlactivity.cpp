#include "device/nvmlactivity.h"

#include <chrono>
#include <utility>

namespace sweepscope::device::nvml {

namespace {

/// The driver requires at least 100 ms between two samples; one per second is enough for every use.
constexpr std::chrono::milliseconds shortestSpan{900};
constexpr std::chrono::milliseconds shortestValidSpan{110};

}  // namespace

Activity::Activity(std::shared_ptr<const Library> library, DeviceHandle device, std::optional<unsigned> migInstance)
    : m_library(std::move(library)), m_device(device), m_migInstance(migInstance)
{}

bool Activity::begin(CallMeter &meter)
{
    const Functions &f = m_library->functions();
    GpmSupport support{gpmVersion, 0};
    m_state = State::Unsupported;
    if (f.gpmSupport(meter, m_device, &support) != success || support.isSupported == 0)
        return false;
    for (GpmSample &sample : m_samples) {
        if (f.gpmAllocate(meter, &sample) != success)
            return false;
    }
    m_metrics = std::make_unique<GpmMetrics>();
    m_state = State::Supported;
    return true;
}

void Activity::release(CallMeter &meter)
{
    for (GpmSample &sample : m_samples) {
        if (sample != nullptr)
            m_library->functions().gpmFree(meter, sample);
        sample = nullptr;
    }
    m_state = State::Unsupported;
}

Return Activity::readSample(CallMeter &meter, GpmSample sample)
{
    const Functions &f = m_library->functions();
    return m_migInstance ? f.gpmMigSample(meter, m_device, *m_migInstance, sample)
                         : f.gpmSample(meter, m_device, sample);
}

void Activity::read(CallMeter &meter, Reading &reading)
{
    if (m_state == State::Unsupported || (m_state == State::New && !begin(meter)))
        return;
    const SteadyTime now = std::chrono::steady_clock::now();
    if (!m_lastTaken) {
        if (readSample(meter, m_samples[0]) == success)
            m_lastTaken = now;
        return;
    }
    if (now - *m_lastTaken < shortestValidSpan || (m_readOnce && now - *m_lastTaken < shortestSpan))
        return;
    if (readSample(meter, m_samples[1]) != success)
        return;

    *m_metrics = {};
    m_metrics->version = gpmVersion;
    m_metrics->count = 2;
    m_metrics->first = m_samples[0];
    m_metrics->second = m_samples[1];
    m_metrics->metrics[0].id = gpmSmUtilization;
    m_metrics->metrics[1].id = gpmDramBandwidth;
    const bool good = m_library->functions().gpmMetrics(meter, m_metrics.get()) == success;
    std::swap(m_samples[0], m_samples[1]);
    m_lastTaken = now;
    m_readOnce = true;
    const auto valueOf = [&](const GpmMetric &metric) -> std::optional<double> {
        const bool sane = good && metric.code == success && metric.value >= 0 && metric.value <= 100;
        return sane ? std::optional(metric.value) : std::nullopt;
    };
    reading.smActivityPercent = valueOf(m_metrics->metrics[0]);
    reading.dramActivityPercent = valueOf(m_metrics->metrics[1]);
}

}  // namespace sweepscope::device::nvml
