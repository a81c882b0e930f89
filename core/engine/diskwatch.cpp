#include "engine/diskwatch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

constexpr WallNs pause = std::chrono::nanoseconds(std::chrono::seconds(2)).count();
constexpr std::uint64_t mebibyte = 1024 * 1024;

DiskWatch::Level levelOf(const DiskSpace &space)
{
    if (space.isFull())
        return DiskWatch::Level::Full;
    if (space.freeBytes < std::min(512 * mebibyte, space.totalBytes / 16))
        return DiskWatch::Level::Low;
    return DiskWatch::Level::Enough;
}

}  // namespace

DiskWatch::DiskWatch(std::filesystem::path folder, DiskProbe probe)
    : m_folder(std::move(folder)), m_probe(std::move(probe))
{}

bool DiskWatch::poll(WallNs now)
{
    if (m_polledAt && now >= *m_polledAt && now - *m_polledAt < pause)
        return false;
    m_polledAt = now;
    const std::optional<DiskSpace> space = m_probe(m_folder);
    return std::exchange(m_level, space ? levelOf(*space) : Level::Enough) != m_level;
}

facts::Fact DiskWatch::warning() const
{
    if (m_level == Level::Enough)
        return {};
    return facts::Fact(m_level == Level::Low ? facts::Code::DiskNearlyFull : facts::Code::DiskExhausted)
        .with(facts::Field::Device, m_folder.string());
}

}  // namespace sweepscope::engine
