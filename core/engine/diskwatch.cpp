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

bool DiskWatch::look(WallNs now)
{
    if (m_lookedAt && now >= *m_lookedAt && now - *m_lookedAt < pause)
        return false;
    m_lookedAt = now;
    const std::optional<DiskSpace> space = m_probe(m_folder);
    return std::exchange(m_level, space ? levelOf(*space) : Level::Enough) != m_level;
}

std::string DiskWatch::warning() const
{
    const std::string disk = "the disk of " + m_folder.string();
    switch (m_level) {
    case Level::Enough:
        break;
    case Level::Low:
        return disk + " is nearly full: make room before it is";
    case Level::Full:
        return disk
               + " is full: make room; until then no further trial starts, and what running ones report waits in "
                 "memory";
    }
    return {};
}

}  // namespace sweepscope::engine
