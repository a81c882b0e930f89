#include "train/allocationmeter.h"

#include <algorithm>
#include <c10/util/ThreadLocalDebugInfo.h>

namespace sweepscope::train {

void AllocationMeter::Counts::reportMemoryUsage(void *pointer, std::int64_t bytes, Total, Total, c10::Device device)
{
    if (!device.is_cpu())
        return;
    const std::lock_guard lock(mutex);
    if (bytes > 0) {
        blocks[pointer] = {bytes, owner};
        live += bytes;
        peak = std::max(peak, live);
        if (owner != noOwner)
            liveByOwner[owner] += bytes;
        return;
    }
    const auto found = blocks.find(pointer);
    if (found == blocks.end())
        return;
    live -= found->second.bytes;
    if (found->second.owner != noOwner)
        liveByOwner[found->second.owner] -= found->second.bytes;
    blocks.erase(found);
}

AllocationMeter::AllocationMeter() : m_counts(std::make_shared<Counts>())
{
    c10::ThreadLocalDebugInfo::_push(c10::DebugInfoKind::PROFILER_STATE, m_counts);
}

AllocationMeter::~AllocationMeter()
{
    c10::ThreadLocalDebugInfo::_pop(c10::DebugInfoKind::PROFILER_STATE);
}

void AllocationMeter::setOwner(std::size_t owner)
{
    const std::lock_guard lock(m_counts->mutex);
    if (owner != noOwner && owner >= m_counts->liveByOwner.size())
        m_counts->liveByOwner.resize(owner + 1);
    m_counts->owner = owner;
}

std::int64_t AllocationMeter::live() const
{
    const std::lock_guard lock(m_counts->mutex);
    return m_counts->live;
}

std::int64_t AllocationMeter::liveOf(std::size_t owner) const
{
    const std::lock_guard lock(m_counts->mutex);
    return owner < m_counts->liveByOwner.size() ? m_counts->liveByOwner[owner] : 0;
}

std::int64_t AllocationMeter::peak() const
{
    const std::lock_guard lock(m_counts->mutex);
    return m_counts->peak;
}

void AllocationMeter::resetPeak()
{
    const std::lock_guard lock(m_counts->mutex);
    m_counts->peak = m_counts->live;
}

}  // namespace sweepscope::train
