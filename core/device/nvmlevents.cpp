#include "device/nvmlevents.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sweepscope::device::nvml {

namespace {

constexpr int mostAtOnce = 64;
constexpr unsigned noWaiting = 0;

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

}  // namespace sweepscope::device::nvml
