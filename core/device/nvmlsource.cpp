#include "device/nvmlsource.h"

#include "device/nvmldriver.h"
#include "device/nvmlhost.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace sweepscope::device {

using std::chrono::steady_clock;

namespace {

std::string gpuKey(std::size_t slot)
{
    return "gpu:" + std::to_string(slot);
}

}  // namespace

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
        jobs.push_back({gpuKey(i),
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
    return {"events", [driver = m_driver](CallMeter &meter) { driver->readEvents(meter); },
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

    const std::lock_guard lock(m_driver->mutex);
    return std::exchange(m_driver->fresh, {});
}

std::map<std::string, facts::Fact> NvmlSource::hanging() const
{
    std::map<std::string, facts::Fact> hanging;
    for (const ProbeThread::Stuck &job : m_probe.stuck())
        hanging[job.key] = facts::Fact(job.cameBack ? facts::Code::GpuAnswersLate : facts::Code::GpuNotAnswering)
                               .with(facts::Field::Detail, job.call);
    return hanging;
}

facts::Facts NvmlSource::conditions() const
{
    std::map<std::string, facts::Fact> hangs = hanging();
    facts::Facts conditions;
    const std::lock_guard lock(m_driver->mutex);
    for (std::size_t i = 0; i < m_driver->slots.size(); ++i) {
        const nvml::Slot &slot = *m_driver->slots[i];
        for (facts::Fact fact : {hangs[gpuKey(i)], slot.closed, slot.trouble, slot.split, slot.xid}) {
            if (!fact)
                continue;
            fact = std::move(fact).with(facts::Field::Index, static_cast<int>(i));
            if (!slot.devices.empty())
                fact = std::move(fact).with(facts::Field::Device, slot.devices.front().id);
            conditions.push_back(std::move(fact));
        }
    }
    return conditions;
}

std::map<std::string, facts::Fact> NvmlSource::unusable() const
{
    std::map<std::string, facts::Fact> hangs = hanging();
    std::map<std::string, facts::Fact> unusable;
    const std::lock_guard lock(m_driver->mutex);
    for (std::size_t i = 0; i < m_driver->slots.size(); ++i) {
        const nvml::Slot &slot = *m_driver->slots[i];
        for (const Device &device : slot.devices) {
            const facts::Fact &hang = hangs[gpuKey(i)];
            if (hang || slot.trouble)
                unusable[device.id] = hang ? hang : slot.trouble;
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
            add("the NVIDIA driver does not respond" + (job.call.empty() ? "" : " (" + job.call + ")"));
        else if (job.key == "events")
            add("the NVIDIA driver does not report errors (" + job.call + " hangs)");
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
    if (found && nvml::isWsl(m_driver->settings.root))
        add("under WSL, the driver reports neither the processes on a GPU nor its errors (Xid)");
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
