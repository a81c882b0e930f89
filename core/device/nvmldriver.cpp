#include "device/nvmldriver.h"

#include "device/nvmlfacts.h"
#include "device/nvmlhost.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace sweepscope::device::nvml {

using std::chrono::steady_clock;

namespace {

constexpr unsigned mostGpus = 1024;

}  // namespace

std::shared_ptr<Library> Driver::loadedLibrary(CallMeter &meter)
{
    {
        const std::lock_guard lock(mutex);
        if (library)
            return library;
    }
    auto loaded = Library::load(settings.library, meter);
    if (!loaded) {
        const std::lock_guard lock(mutex);
        problem = loaded.error().message;
        simulated = !settings.library.empty();
        return nullptr;
    }
    auto shared = std::make_shared<Library>(std::move(*loaded));
    std::string found = versionsOf(meter, shared->functions());
    const std::lock_guard lock(mutex);
    simulated = !settings.library.empty() || !hasDriver(settings.root);
    library = shared;
    events = std::make_shared<XidEvents>(shared);
    versions = std::move(found);
    return shared;
}

void Driver::start(CallMeter &meter)
{
    const auto loaded = loadedLibrary(meter);
    if (!loaded)
        return;
    unsigned count = 0;
    const Return code = loaded->functions().count(meter, &count);
    const std::lock_guard lock(mutex);
    problem.clear();
    if (code != success)
        problem = "cannot count the GPUs: " + loaded->describe(code);
    else if (count == 0)
        problem = "the NVIDIA driver is running, but finds no GPU";
    while (slots.size() < std::min(count, mostGpus))
        slots.push_back(std::make_shared<Slot>());
}

void Driver::open(CallMeter &meter, Slot &slot, unsigned index)
{
    const Functions &f = library->functions();
    DeviceHandle handle = nullptr;
    Return code = f.handleByIndex(meter, index, &handle);
    Opened whole;
    if (code == success) {
        whole.gpu = std::make_shared<Gpu>(library, handle, std::nullopt);
        code = whole.gpu->identify(meter, whole.device);
        if (code == success)
            whole.device.nearCpus = readNearCpus(meter, f, handle, whole.device.pciBusId, settings.root);
    }
    if (code != success) {
        const std::lock_guard lock(mutex);
        slot.closed = code == errorNoData ? facts::Code::GpuWithoutUuid : factOf(code, *library);
        return;
    }
    std::vector<Opened> parts{whole};
    std::vector<DeviceHandle> handles;
    const auto instances = whole.gpu->instances(meter, handles);
    for (std::size_t i = 0; instances && i < instances->size(); ++i) {
        Opened part;
        part.gpu = std::make_shared<Gpu>(library, handles[i], (*instances)[i]);
        if (part.gpu->identify(meter, part.device) != success)
            continue;
        part.device.parentId = whole.device.id;
        part.device.nearCpus = whole.device.nearCpus;
        if (part.device.pciBusId.empty())
            part.device.pciBusId = whole.device.pciBusId;
        parts.push_back(std::move(part));
    }
    parts.front().device.offered = !instances;

    const std::lock_guard lock(mutex);
    for (std::size_t other = 0; other < slots.size(); ++other) {
        const Slot &before = *slots[other];
        if (&before != &slot && !before.devices.empty() && before.devices.front().id == whole.device.id) {
            slot.closed = facts::Fact(facts::Code::GpuUuidRepeated).with(facts::Field::Number, static_cast<int>(other));
            return;
        }
    }
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
    slot.closed = {};
    slot.split = {};
    if (instances)
        slot.split =
            facts::Fact(facts::Code::GpuSplit).with(facts::Field::Count, static_cast<int>(slot.parts.size() - 1));
}

void Driver::read(CallMeter &meter, Slot &slot, unsigned index)
{
    if (slot.parts.empty())
        open(meter, slot, index);
    if (slot.parts.empty())
        return;
    const SteadyTime now = steady_clock::now();
    Lanes lanes;
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
    const Return trouble = slot.parts.front().gpu->trouble();
    const bool late = meter.isAbandoned();
    if (trouble == errorGpuIsLost && lanes.slow && !late)
        reopen(meter, slot);
    const std::lock_guard lock(mutex);
    slot.trouble = trouble == success ? facts::Fact() : factOf(trouble, *library);
    if (!late)
        std::ranges::move(readings, std::back_inserter(fresh));
}

/// A GPU that is back after it was lost has another handle.
void Driver::reopen(CallMeter &meter, Slot &slot)
{
    DeviceHandle handle = nullptr;
    Opened &whole = slot.parts.front();
    if (slot.parts.size() == 1 && library->functions().handleByUuid(meter, whole.device.id.c_str(), &handle) == success
        && handle != nullptr && handle != slot.handle) {
        whole.gpu = std::make_shared<Gpu>(library, handle, std::nullopt);
        const std::lock_guard lock(mutex);
        slot.handle = handle;
    }
}

void Driver::readEvents(CallMeter &meter)
{
    std::vector<std::pair<std::string, DeviceHandle>> gpus;
    {
        const std::lock_guard lock(mutex);
        for (const auto &slot : slots) {
            if (!slot->devices.empty())
                gpus.emplace_back(slot->devices.front().id, slot->handle);
        }
    }
    for (const auto &[uuid, handle] : gpus)
        events->watch(meter, uuid, handle);
    for (const XidEvents::Xid &xid : events->take(meter)) {
        const std::lock_guard lock(mutex);
        for (const std::shared_ptr<Slot> &slot : slots) {
            if (slot->devices.empty() || slot->devices.front().id != xid.uuid)
                continue;
            slot->xid = facts::Fact(facts::Code::GpuReportedXid)
                            .with(facts::Field::Number, static_cast<std::int64_t>(xid.number));
            Reading reading;
            reading.xid = static_cast<double>(xid.number);
            fresh.push_back({xid.uuid, reading});
        }
    }
}

std::vector<TopologyGpu> Driver::opened() const
{
    const std::lock_guard lock(mutex);
    std::vector<TopologyGpu> gpus;
    for (const auto &slot : slots) {
        if (!slot->devices.empty())
            gpus.push_back({slot->devices.front().id, slot->handle, slot->devices.front().pciBusId});
    }
    return gpus;
}

void Driver::connect(CallMeter &meter)
{
    const std::vector<TopologyGpu> gpus = opened();
    GpuTopology found = readTopology(meter, library->functions(), gpus, settings.root);
    const std::lock_guard lock(mutex);
    topology = std::move(found);
    connected = gpus.size();
}

void Driver::end(CallMeter &meter)
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

}  // namespace sweepscope::device::nvml
