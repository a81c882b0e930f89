#include "device/nvmlsource.h"

#include "base/files.h"
#include "device/nvmlevents.h"
#include "device/nvmlgpu.h"
#include "device/nvmllibrary.h"
#include "device/nvmltopology.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace sweepscope::device {

namespace {

using std::chrono::steady_clock;

constexpr unsigned mostGpus = 1024;

/// A GPU or MIG instance that the driver let us open.
struct Opened {
    std::shared_ptr<nvml::Gpu> gpu;
    Device device;
};

/// What is behind one index of NVML.
struct Slot {
    // Of the job of this slot alone.
    std::vector<Opened> parts;  ///< the GPU, then its MIG instances
    std::optional<SteadyTime> lastMiddle, lastSlow;

    // Guarded by the mutex.
    nvml::DeviceHandle handle = nullptr;
    std::vector<Device> devices;
    std::vector<DeviceReading> fresh;
    std::string closed;   ///< why it could not be opened
    std::string trouble;  ///< what is wrong with it since
    std::string split;    ///< that it is split into MIG instances
    std::string xid;      ///< the last error that the driver reported
};

std::string words(nvml::Return code, const nvml::Library &library)
{
    switch (code) {
    case nvml::errorGpuIsLost:
        return "is lost: the driver no longer reaches it; reset it or restart this machine";
    case nvml::errorResetRequired:
        return "needs a reset before it can be used again: nvidia-smi --gpu-reset, or restart this machine";
    case nvml::errorNoPermission:
        return "belongs to somebody else: this user may not open it";
    case nvml::errorOperatingSystem:
        return "is blocked by the operating system (cgroup): this session may not use it";
    case nvml::errorUnknown:
        return "answers with " + library.describe(code)
               + "; in a container this means that its devices were taken away: restart the container";
    default:
        return "cannot be read: " + library.describe(code);
    }
}

std::string labelOf(unsigned index, const std::string &name, bool simulated)
{
    return (simulated ? "simulated GPU " : "GPU ") + std::to_string(index) + (name.empty() ? "" : " (" + name + ")");
}

bool exists(const std::string &path)
{
    std::error_code error;
    return std::filesystem::exists(path, error);
}

bool isWsl(const std::string &root)
{
    const auto release = readFile(root + "/proc/sys/kernel/osrelease", 4096);
    return exists(root + "/dev/dxg") || (release && release->find("microsoft") != std::string::npos);
}

/// A library that answers where no driver can: somebody's fake, however it was put in the driver's place.
bool hasDriver(const std::string &root)
{
    constexpr std::array<const char *, 5> traces{"/dev/nvidiactl", "/dev/nvgpu", "/dev/nvmap", "/dev/dxg",
                                                 "/proc/driver/nvidia/version"};
    return std::any_of(traces.begin(), traces.end(), [&](const char *trace) { return exists(root + trace); });
}

std::string textFrom(CallMeter &meter, const nvml::Function<nvml::Return(char *, unsigned)> &function)
{
    std::array<char, nvml::textBytes> text{};
    if (function(meter, text.data(), nvml::textBytes) != nvml::success)
        return {};
    return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

std::string versionsOf(CallMeter &meter, const nvml::Functions &functions)
{
    std::string versions;
    if (const std::string driver = textFrom(meter, functions.driverVersion); !driver.empty())
        versions = "NVIDIA driver " + driver;
    int cuda = 0;
    if (functions.cudaVersion(meter, &cuda) == nvml::success && cuda > 0)
        versions += (versions.empty() ? "CUDA " : ", CUDA ") + std::to_string(cuda / 1000) + "."
                    + std::to_string(cuda % 1000 / 10);
    return versions;
}

}  // namespace

/// What jobs and source share; a job that hangs keeps it.
struct NvmlSource::Shared {
    explicit Shared(NvmlSettings given) : settings(std::move(given)) {}

    const NvmlSettings settings;
    mutable std::mutex mutex;  ///< never held during a call
    std::shared_ptr<nvml::Library> library;
    std::shared_ptr<nvml::XidEvents> events;  ///< of the job of events alone
    std::vector<std::shared_ptr<Slot>> slots;
    bool simulated = false;
    std::string problem;  ///< why there are none
    std::string driver;
    GpuTopology topology;
    std::size_t connected = 0;  ///< GPUs of which it is known

    void start(CallMeter &meter);
    std::shared_ptr<nvml::Library> loadedLibrary(CallMeter &meter);
    void open(CallMeter &meter, Slot &slot, unsigned index);
    void read(CallMeter &meter, Slot &slot, unsigned index);
    void reopen(CallMeter &meter, Slot &slot);
    void takeEvents(CallMeter &meter);
    void connect(CallMeter &meter);
    std::vector<nvml::TopologyGpu> opened() const;
    void end(CallMeter &meter);
    std::string labelOf(const Slot &slot, unsigned index) const;
};

std::shared_ptr<nvml::Library> NvmlSource::Shared::loadedLibrary(CallMeter &meter)
{
    {
        const std::lock_guard lock(mutex);
        if (library)
            return library;
    }
    auto loaded = nvml::Library::load(settings.library, meter);
    if (!loaded) {
        const std::lock_guard lock(mutex);
        problem = loaded.error().message;
        simulated = !settings.library.empty();
        return nullptr;
    }
    auto shared = std::make_shared<nvml::Library>(std::move(*loaded));
    const std::string versions = versionsOf(meter, shared->functions());
    const std::lock_guard lock(mutex);
    simulated = !settings.library.empty() || !hasDriver(settings.root);
    library = shared;
    events = std::make_shared<nvml::XidEvents>(shared);
    driver = versions;
    return shared;
}

void NvmlSource::Shared::start(CallMeter &meter)
{
    const auto loaded = loadedLibrary(meter);
    if (!loaded)
        return;
    unsigned count = 0;
    const nvml::Return code = loaded->functions().count(meter, &count);
    const std::lock_guard lock(mutex);
    problem.clear();
    if (code != nvml::success)
        problem = "the GPUs cannot be counted: " + loaded->describe(code);
    else if (count == 0)
        problem = "the NVIDIA driver is running, but finds no GPU";
    while (slots.size() < std::min(count, mostGpus))
        slots.push_back(std::make_shared<Slot>());
}

void NvmlSource::Shared::open(CallMeter &meter, Slot &slot, unsigned index)
{
    const nvml::Functions &f = library->functions();
    nvml::DeviceHandle handle = nullptr;
    nvml::Return code = f.handleByIndex(meter, index, &handle);
    Opened whole;
    if (code == nvml::success) {
        whole.gpu = std::make_shared<nvml::Gpu>(library, handle, std::nullopt);
        code = whole.gpu->identify(meter, whole.device);
        if (code == nvml::success)
            whole.device.nearCpus = nvml::readNearCpus(meter, f, handle, whole.device.pciBusId, settings.root);
    }
    if (code != nvml::success) {
        const std::lock_guard lock(mutex);
        slot.closed =
            device::labelOf(index, "", simulated) + " "
            + (code == nvml::errorNoData ? "tells no UUID and cannot be given to a trial" : words(code, *library));
        return;
    }
    std::vector<Opened> parts{whole};
    std::vector<nvml::DeviceHandle> handles;
    const auto instances = whole.gpu->instances(meter, handles);
    for (std::size_t i = 0; instances && i < instances->size(); ++i) {
        Opened part;
        part.gpu = std::make_shared<nvml::Gpu>(library, handles[i], (*instances)[i]);
        if (part.gpu->identify(meter, part.device) != nvml::success)
            continue;
        part.device.parentId = whole.device.id;
        part.device.nearCpus = whole.device.nearCpus;
        if (part.device.pciBusId.empty())
            part.device.pciBusId = whole.device.pciBusId;
        parts.push_back(std::move(part));
    }
    parts.front().device.offered = !instances;

    const std::lock_guard lock(mutex);
    slot.devices.clear();
    for (Opened &part : parts) {
        part.device.index = static_cast<int>(index);
        part.device.simulated = simulated;
        if (part.device.name.empty())
            part.device.name = "GPU " + std::to_string(index);
        slot.devices.push_back(part.device);
    }
    slot.handle = handle;
    slot.parts = std::move(parts);
    slot.closed.clear();
    const std::size_t count = slot.parts.size() - 1;
    slot.split = !instances
                     ? ""
                     : labelOf(slot, index) + " is split into " + std::to_string(count)
                           + (count == 1 ? " MIG instance" : " MIG instances")
                           + ": these are given to trials, not the whole; its own load is not told by the driver";
}

void NvmlSource::Shared::read(CallMeter &meter, Slot &slot, unsigned index)
{
    if (slot.parts.empty())
        open(meter, slot, index);
    if (slot.parts.empty())
        return;
    const SteadyTime now = steady_clock::now();
    nvml::Lanes lanes;
    lanes.middle = !slot.lastMiddle || now - *slot.lastMiddle >= settings.middleLane;
    lanes.slow = !slot.lastSlow || now - *slot.lastSlow >= settings.slowLane;
    if (lanes.middle)
        slot.lastMiddle = now;
    if (lanes.slow)
        slot.lastSlow = now;

    std::vector<DeviceReading> readings;
    for (const Opened &part : slot.parts)
        readings.push_back({part.device.id, part.gpu->read(meter, lanes, settings.root + "/proc")});
    if (lanes.slow && simulated) {
        for (DeviceReading &reading : readings)
            reading.reading.simulated = 1;
    }
    const nvml::Return trouble = slot.parts.front().gpu->trouble();
    const bool late = meter.isAbandoned();
    if (trouble == nvml::errorGpuIsLost && lanes.slow && !late)
        reopen(meter, slot);
    const std::lock_guard lock(mutex);
    slot.trouble = trouble == nvml::success ? "" : labelOf(slot, index) + " " + words(trouble, *library);
    if (!late)
        slot.fresh = std::move(readings);
}

/// A GPU that is back after it was lost has another handle.
void NvmlSource::Shared::reopen(CallMeter &meter, Slot &slot)
{
    nvml::DeviceHandle handle = nullptr;
    Opened &whole = slot.parts.front();
    if (slot.parts.size() == 1
        && library->functions().handleByUuid(meter, whole.device.id.c_str(), &handle) == nvml::success
        && handle != nullptr && handle != slot.handle) {
        whole.gpu = std::make_shared<nvml::Gpu>(library, handle, std::nullopt);
        const std::lock_guard lock(mutex);
        slot.handle = handle;
    }
}

void NvmlSource::Shared::takeEvents(CallMeter &meter)
{
    std::vector<std::pair<std::string, nvml::DeviceHandle>> gpus;
    {
        const std::lock_guard lock(mutex);
        for (const auto &slot : slots) {
            if (!slot->devices.empty())
                gpus.emplace_back(slot->devices.front().id, slot->handle);
        }
    }
    for (const auto &[uuid, handle] : gpus)
        events->watch(meter, uuid, handle);
    for (const nvml::XidEvents::Xid &xid : events->take(meter)) {
        const std::string meaning = nvml::xidWords(xid.number);
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            Slot &slot = *slots[i];
            if (slot.devices.empty() || slot.devices.front().id != xid.uuid)
                continue;
            slot.xid = labelOf(slot, static_cast<unsigned>(i)) + " reported Xid " + std::to_string(xid.number)
                       + (meaning.empty() ? "" : " (" + meaning + ")");
            Reading reading;
            reading.xid = static_cast<double>(xid.number);
            slot.fresh.push_back({xid.uuid, reading});
        }
    }
}

std::vector<nvml::TopologyGpu> NvmlSource::Shared::opened() const
{
    const std::lock_guard lock(mutex);
    std::vector<nvml::TopologyGpu> gpus;
    for (const auto &slot : slots) {
        if (!slot->devices.empty())
            gpus.push_back({slot->devices.front().id, slot->handle, slot->devices.front().pciBusId});
    }
    return gpus;
}

void NvmlSource::Shared::connect(CallMeter &meter)
{
    const std::vector<nvml::TopologyGpu> gpus = opened();
    GpuTopology found = nvml::readTopology(meter, library->functions(), gpus, settings.root);
    const std::lock_guard lock(mutex);
    topology = std::move(found);
    connected = gpus.size();
}

void NvmlSource::Shared::end(CallMeter &meter)
{
    for (const auto &slot : slots) {
        for (const Opened &part : slot->parts)
            part.gpu->release(meter);
        slot->parts.clear();
    }
    if (events)
        events->release(meter);
    events.reset();
    library.reset();
}

std::string NvmlSource::Shared::labelOf(const Slot &slot, unsigned index) const
{
    return device::labelOf(index, slot.devices.empty() ? "" : slot.devices.front().name, simulated);
}

NvmlSource::NvmlSource(NvmlSettings settings) : m_shared(std::make_shared<Shared>(std::move(settings))) {}

NvmlSource::~NvmlSource()
{
    const std::vector<ProbeThread::Stuck> stuck = m_probe.stuck();
    const bool hangs = std::any_of(stuck.begin(), stuck.end(), [](const auto &job) { return !job.cameBack; });
    const std::chrono::milliseconds limit = m_shared->settings.callLimit;
    // The library is closed by the probe's thread, as that may hang too; behind a call that hangs it stays open until
    // the call comes back.
    ProbeThread::Job job{"end", {}, limit};
    job.work = [shared = std::exchange(m_shared, nullptr), hangs](CallMeter &meter) {
        if (!hangs)
            shared->end(meter);
    };
    std::vector<ProbeThread::Job> jobs;
    jobs.push_back(std::move(job));
    m_probe.run(std::move(jobs), limit);
}

ProbeThread::Job NvmlSource::startJob() const
{
    return {"driver", [shared = m_shared](CallMeter &meter) { shared->start(meter); }, m_shared->settings.startLimit};
}

std::vector<ProbeThread::Job> NvmlSource::gpuJobs(bool onlyUnopened) const
{
    const std::lock_guard lock(m_shared->mutex);
    std::vector<ProbeThread::Job> jobs;
    for (std::size_t i = 0; m_shared->library && i < m_shared->slots.size(); ++i) {
        const std::shared_ptr<Slot> &slot = m_shared->slots[i];
        if (onlyUnopened && !slot->devices.empty())
            continue;
        jobs.push_back({"gpu:" + std::to_string(i),
                        [shared = m_shared, slot, i, onlyUnopened](CallMeter &meter) {
                            if (onlyUnopened)
                                shared->open(meter, *slot, static_cast<unsigned>(i));
                            else
                                shared->read(meter, *slot, static_cast<unsigned>(i));
                        },
                        onlyUnopened ? m_shared->settings.openLimit : m_shared->settings.callLimit});
    }
    return jobs;
}

ProbeThread::Job NvmlSource::eventJob() const
{
    return {"events", [shared = m_shared](CallMeter &meter) { shared->takeEvents(meter); },
            m_shared->settings.callLimit};
}

std::vector<ProbeThread::Job> NvmlSource::topologyJob() const
{
    const std::size_t count = m_shared->opened().size();
    const std::lock_guard lock(m_shared->mutex);
    if (!m_shared->library || count == m_shared->connected)
        return {};
    std::vector<ProbeThread::Job> jobs;
    jobs.push_back(
        {"topology", [shared = m_shared](CallMeter &meter) { shared->connect(meter); }, m_shared->settings.openLimit});
    return jobs;
}

GpuTopology NvmlSource::topology() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->topology;
}

std::vector<Device> NvmlSource::devices()
{
    m_lastStart = steady_clock::now();
    m_probe.run({startJob()}, m_shared->settings.startLimit);
    m_probe.run(gpuJobs(true), m_shared->settings.startLimit);
    m_probe.run(topologyJob(), m_shared->settings.startLimit);
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
    } else if (now - m_lastStart >= m_shared->settings.slowLane) {
        m_lastStart = now;  // a driver may be loaded later
        jobs.push_back(startJob());
    }
    // A call that hangs is left behind after its limit; then the other GPUs have their turn.
    m_probe.run(std::move(jobs), m_shared->settings.callLimit * 3 / 2);

    std::vector<DeviceReading> readings;
    const std::lock_guard lock(m_shared->mutex);
    for (const auto &slot : m_shared->slots) {
        for (DeviceReading &reading : std::exchange(slot->fresh, {}))
            readings.push_back(std::move(reading));
    }
    return readings;
}

std::map<std::string, std::string> NvmlSource::conditions() const
{
    const std::vector<ProbeThread::Stuck> stuck = m_probe.stuck();
    std::map<std::string, std::string> conditions;
    const std::lock_guard lock(m_shared->mutex);
    for (std::size_t i = 0; i < m_shared->slots.size(); ++i) {
        const Slot &slot = *m_shared->slots[i];
        const std::string label = m_shared->labelOf(slot, static_cast<unsigned>(i));
        std::string hanging;
        for (const ProbeThread::Stuck &job : stuck) {
            if (job.key == "gpu:" + std::to_string(i))
                hanging = label + (job.cameBack ? " answers very late" : " does not answer")
                          + (job.call.empty() ? "" : " (" + job.call + ")") + ": its values are stale";
        }
        std::string all;
        for (const std::string &part : {hanging, slot.closed, slot.trouble, slot.split, slot.xid})
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
    const std::lock_guard lock(m_shared->mutex);
    for (std::size_t i = 0; i < m_shared->slots.size(); ++i) {
        const Slot &slot = *m_shared->slots[i];
        std::string words;
        if (!slot.trouble.empty())  // without its subject
            words = slot.trouble.substr(m_shared->labelOf(slot, static_cast<unsigned>(i)).size() + 1);
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
    const std::lock_guard lock(m_shared->mutex);
    for (const auto &slot : m_shared->slots)
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
        const std::lock_guard lock(m_shared->mutex);
        simulated = m_shared->simulated;
        found = !m_shared->slots.empty();
        if (!m_shared->problem.empty())
            add(m_shared->problem);
    }
    if (!note.empty() && simulated)
        note = "simulated: " + note;
    for (const auto &[id, words] : conditions())
        add(words);
    if (found && isWsl(m_shared->settings.root))
        add("under WSL the driver does not tell which processes use a GPU, nor its errors (Xid)");
    return note;
}

std::string NvmlSource::driver() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->driver + (m_shared->simulated && !m_shared->driver.empty() ? " (simulated)" : "");
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

std::vector<std::unique_ptr<Source>> makeSources()
{
    std::vector<std::unique_ptr<Source>> sources;
    sources.push_back(makeNvmlSource());
    sources.push_back(makeAmdSource());
    sources.push_back(makeCpuSource());
    return sources;
}

}  // namespace sweepscope::device
