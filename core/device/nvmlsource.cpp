#include "device/nvmlsource.h"

#include "device/nvmldriver.h"
#include "device/nvmlhost.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace sweepscope::device {

using std::chrono::steady_clock;

NvmlSource::NvmlSource(NvmlSettings settings) : m_driver(std::make_shared<nvml::Driver>(std::move(settings))) {}

NvmlSource::~NvmlSource()
{
    const std::vector<ProbeThread::Stuck> stuck = m_probe.stuck();
    const bool hangs = std::any_of(stuck.begin(), stuck.end(), [](const auto &job) { return !job.cameBack; });
    const std::chrono::milliseconds limit = m_driver->settings.callLimit;
    // The library is closed by the probe's thread, as that may hang too; behind a call that hangs it stays open until
    // the call comes back.
    ProbeThread::Job job{"end", {}, limit};
    job.work = [driver = std::exchange(m_driver, nullptr), hangs](CallMeter &meter) {
        if (!hangs)
            driver->end(meter);
    };
    std::vector<ProbeThread::Job> jobs;
    jobs.push_back(std::move(job));
    m_probe.run(std::move(jobs), limit);
}

ProbeThread::Job NvmlSource::startJob() const
{
    return {"driver", [driver = m_driver](CallMeter &meter) { driver->start(meter); }, m_driver->settings.startLimit};
}

std::vector<ProbeThread::Job> NvmlSource::gpuJobs(bool onlyUnopened) const
{
    const std::lock_guard lock(m_driver->mutex);
    std::vector<ProbeThread::Job> jobs;
    for (std::size_t i = 0; m_driver->library && i < m_driver->slots.size(); ++i) {
        const std::shared_ptr<nvml::Slot> &slot = m_driver->slots[i];
        if (onlyUnopened && !slot->devices.empty())
            continue;
        jobs.push_back({"gpu:" + std::to_string(i),
                        [driver = m_driver, slot, i, onlyUnopened](CallMeter &meter) {
                            if (onlyUnopened)
                                driver->open(meter, *slot, static_cast<unsigned>(i));
                            else
                                driver->read(meter, *slot, static_cast<unsigned>(i));
                        },
                        onlyUnopened ? m_driver->settings.openLimit : m_driver->settings.callLimit});
    }
    return jobs;
}

ProbeThread::Job NvmlSource::eventJob() const
{
    return {"events", [driver = m_driver](CallMeter &meter) { driver->takeEvents(meter); },
            m_driver->settings.callLimit};
}

std::vector<ProbeThread::Job> NvmlSource::topologyJob() const
{
    const std::size_t count = m_driver->opened().size();
    const std::lock_guard lock(m_driver->mutex);
    if (!m_driver->library || count == m_driver->connected)
        return {};
    std::vector<ProbeThread::Job> jobs;
    jobs.push_back(
        {"topology", [driver = m_driver](CallMeter &meter) { driver->connect(meter); }, m_driver->settings.openLimit});
    return jobs;
}

GpuTopology NvmlSource::topology() const
{
    const std::lock_guard lock(m_driver->mutex);
    return m_driver->topology;
}

std::vector<Device> NvmlSource::devices()
{
    m_lastStart = steady_clock::now();
    m_probe.run({startJob()}, m_driver->settings.startLimit);
    m_probe.run(gpuJobs(true), m_driver->settings.startLimit);
    m_probe.run(topologyJob(), m_driver->settings.startLimit);
    return known();
}

std::vector<DeviceReading> NvmlSource::sample()
{
    const SteadyTime now = steady_clock::now();
    std::vector<ProbeThread::Job> jobs = gpuJobs(false);
    if (!jobs.empty()) {
        jobs.push_back(eventJob());
        for (ProbeThread::Job &job : topologyJob())  // a GPU was found since
            jobs.push_back(std::move(job));
    } else if (now - m_lastStart >= m_driver->settings.slowLane) {
        m_lastStart = now;  // a driver may be loaded later
        jobs.push_back(startJob());
    }
    // A call that hangs is left behind after its limit; then the other GPUs have their turn.
    m_probe.run(std::move(jobs), m_driver->settings.callLimit * 3 / 2);

    std::vector<DeviceReading> readings;
    const std::lock_guard lock(m_driver->mutex);
    for (const auto &slot : m_driver->slots) {
        for (DeviceReading &reading : std::exchange(slot->fresh, {}))
            readings.push_back(std::move(reading));
    }
    return readings;
}

std::map<std::string, std::string> NvmlSource::conditions() const
{
    const std::vector<ProbeThread::Stuck> stuck = m_probe.stuck();
    std::map<std::string, std::string> conditions;
    const std::lock_guard lock(m_driver->mutex);
    for (std::size_t i = 0; i < m_driver->slots.size(); ++i) {
        const nvml::Slot &slot = *m_driver->slots[i];
        const std::string label = m_driver->labelOf(slot, static_cast<unsigned>(i));
        std::string hanging;
        for (const ProbeThread::Stuck &job : stuck) {
            if (job.key == "gpu:" + std::to_string(i))
                hanging = label + (job.cameBack ? " answers very late" : " does not answer")
                          + (job.call.empty() ? "" : " (" + job.call + ")") + ": its values are stale";
        }
        const std::string trouble = slot.trouble.empty() ? std::string() : label + " " + slot.trouble;
        std::string all;
        for (const std::string &part : {hanging, slot.closed, trouble, slot.split, slot.xid})
            all += part.empty() ? "" : (all.empty() ? "" : "; ") + part;
        if (!all.empty())
            conditions[slot.devices.empty() ? label : slot.devices.front().id] = all;
    }
    return conditions;
}

std::map<std::string, std::string> NvmlSource::unusable() const
{
    const std::vector<ProbeThread::Stuck> stuck = m_probe.stuck();
    std::map<std::string, std::string> unusable;
    const std::lock_guard lock(m_driver->mutex);
    for (std::size_t i = 0; i < m_driver->slots.size(); ++i) {
        const nvml::Slot &slot = *m_driver->slots[i];
        std::string words = slot.trouble;
        for (const ProbeThread::Stuck &job : stuck) {
            if (job.key == "gpu:" + std::to_string(i))
                words = job.cameBack ? "answers very late" : "does not answer";
        }
        for (const Device &device : slot.devices) {
            if (!words.empty())
                unusable[device.id] = words;
        }
    }
    return unusable;
}

std::vector<Device> NvmlSource::known() const
{
    std::vector<Device> found;
    const std::lock_guard lock(m_driver->mutex);
    for (const auto &slot : m_driver->slots)
        found.insert(found.end(), slot->devices.begin(), slot->devices.end());
    return found;
}

std::string NvmlSource::note() const
{
    std::string note;
    const auto add = [&note](const std::string &sentence) { note += (note.empty() ? "" : "; ") + sentence; };
    for (const ProbeThread::Stuck &job : m_probe.stuck()) {
        if (job.key == "driver")
            add("the NVIDIA driver does not answer" + (job.call.empty() ? "" : " (" + job.call + ")"));
        else if (job.key == "events")
            add("the NVIDIA driver does not tell of errors (" + job.call + " hangs)");
    }
    bool simulated = false, found = false;
    {
        const std::lock_guard lock(m_driver->mutex);
        simulated = m_driver->simulated;
        found = !m_driver->slots.empty();
        if (!m_driver->problem.empty())
            add(m_driver->problem);
    }
    if (!note.empty() && simulated)
        note = "simulated: " + note;
    for (const auto &[id, words] : conditions())
        add(words);
    if (found && nvml::isWsl(m_driver->settings.root))
        add("under WSL the driver does not tell which processes use a GPU, nor its errors (Xid)");
    return note;
}

std::string NvmlSource::driver() const
{
    const std::lock_guard lock(m_driver->mutex);
    return m_driver->versions + (m_driver->simulated && !m_driver->versions.empty() ? " (simulated)" : "");
}

std::unique_ptr<Source> makeNvmlSource(NvmlSettings settings)
{
    return std::make_unique<NvmlSource>(std::move(settings));
}

std::unique_ptr<Source> makeNvmlSource()
{
    const char *given = std::getenv("SWEEPSCOPE_NVML");
    NvmlSettings settings;
    settings.library = given != nullptr ? given : "";
    return makeNvmlSource(std::move(settings));
}

}  // namespace sweepscope::device
