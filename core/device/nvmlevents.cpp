#include "device/nvmlevents.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sweepscope::device::nvml {

namespace {

constexpr int mostAtOnce = 64;
constexpr unsigned noWaiting = 0;

struct KnownXid {
    std::uint64_t number;
    const char *words;
};
/// docs.nvidia.com/deploy/xid-errors
constexpr std::array knownXids{
    KnownXid{13, "a program's fault: exception in a kernel"},
    KnownXid{31, "a program's fault: access to memory that is not there"},
    KnownXid{43, "a program's fault: its work was stopped"},
    KnownXid{45, "the work of a program was cleared away"},
    KnownXid{48, "memory error that could not be corrected"},
    KnownXid{63, "a row of memory was replaced"},
    KnownXid{64, "a row of memory could not be replaced"},
    KnownXid{74, "NVLink error"},
    KnownXid{79, "the GPU has fallen off the bus"},
    KnownXid{94, "memory error, contained in one program"},
    KnownXid{95, "memory error, not contained"},
    KnownXid{119, "the GPU's system processor does not answer"},
    KnownXid{120, "the GPU's system processor failed"},
    KnownXid{154, "the GPU needs to be recovered"},
};

}  // namespace

XidEvents::XidEvents(std::shared_ptr<const Library> library) : m_library(std::move(library)) {}

void XidEvents::watch(CallMeter &meter, const std::string &uuid, DeviceHandle device)
{
    if (!m_watched.insert(uuid).second)
        return;
    const Functions &f = m_library->functions();
    if (m_set == nullptr && f.eventSetCreate(meter, &m_set) != success)
        m_set = nullptr;
    if (m_set != nullptr)
        f.registerEvents(meter, device, eventXid, m_set);
}

std::vector<XidEvents::Xid> XidEvents::take(CallMeter &meter)
{
    const Functions &f = m_library->functions();
    std::vector<Xid> found;
    for (int i = 0; m_set != nullptr && i < mostAtOnce; ++i) {
        EventData data{};
        if (f.eventSetWait(meter, m_set, &data, noWaiting) != success)
            break;
        std::array<char, textBytes> uuid{};
        if (data.device != nullptr && f.uuid(meter, data.device, uuid.data(), textBytes) != success)
            uuid.fill('\0');
        if ((data.type & eventXid) != 0)
            found.push_back({{uuid.begin(), std::find(uuid.begin(), uuid.end(), '\0')}, data.data});
    }
    return found;
}

void XidEvents::release(CallMeter &meter)
{
    if (m_set != nullptr)
        m_library->functions().eventSetFree(meter, m_set);
    m_set = nullptr;
}

std::string xidWords(std::uint64_t number)
{
    const auto *known = std::find_if(knownXids.begin(), knownXids.end(),
                                     [number](const KnownXid &xid) { return xid.number == number; });
    return known != knownXids.end() ? known->words : "";
}

}  // namespace sweepscope::device::nvml
