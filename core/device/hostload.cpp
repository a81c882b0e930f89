#include "device/hostload.h"

#include "base/files.h"

#include <map>
#include <sstream>
#include <sys/statvfs.h>
#include <utility>

namespace sweepscope::device {

namespace {

constexpr std::uint64_t mostBytes = 1024 * 1024;
constexpr double kibibyte = 1024;

constexpr HostQuantity knownHostQuantities[] = {
    {"memory_used", "bytes", &HostLoad::memoryUsedBytes},
    {"memory_size", "bytes", &HostLoad::memoryBytes},
    {"swap_used", "bytes", &HostLoad::swapUsedBytes},
    {"swap_size", "bytes", &HostLoad::swapBytes},
    {"disk_free", "bytes", &HostLoad::diskFreeBytes},
    {"disk_size", "bytes", &HostLoad::diskBytes},
    {"network_received", "bytes/s", &HostLoad::receivedBytesPerSecond},
    {"network_sent", "bytes/s", &HostLoad::sentBytesPerSecond},
};

}  // namespace

std::span<const HostQuantity> hostQuantities()
{
    return knownHostQuantities;
}

HostLoadReader::HostLoadReader(std::filesystem::path diskFolder, std::filesystem::path root)
    : m_diskFolder(std::move(diskFolder)), m_root(root.empty() ? "/" : std::move(root))
{}

HostLoad HostLoadReader::read(std::chrono::steady_clock::time_point now)
{
    HostLoad load;
    readMemory(load);
    readDisk(load);
    const std::optional<Traffic> traffic = readTraffic();
    const std::chrono::duration<double> passed = now - m_beforeAt;
    // An interface that disappeared takes its count with it.
    const bool isComparable = traffic && m_before && passed.count() > 0 && traffic->received >= m_before->received
                              && traffic->sent >= m_before->sent;
    if (isComparable) {
        load.receivedBytesPerSecond = static_cast<double>(traffic->received - m_before->received) / passed.count();
        load.sentBytesPerSecond = static_cast<double>(traffic->sent - m_before->sent) / passed.count();
    }
    m_before = traffic;
    m_beforeAt = now;
    return load;
}

void HostLoadReader::readMemory(HostLoad &load) const
{
    const auto content = readFile(m_root / "proc/meminfo", mostBytes);
    if (!content)
        return;
    std::map<std::string, double> bytes;
    std::istringstream lines(*content);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string name;
        double number = 0;
        if (fields >> name >> number)
            bytes[name] = number * kibibyte;
    }
    const auto difference = [&bytes](const char *total, const char *rest, std::optional<double> &all,
                                     std::optional<double> &used) {
        if (!bytes.contains(total) || !bytes.contains(rest))
            return;
        all = bytes[total];
        used = bytes[total] - bytes[rest];
    };
    difference("MemTotal:", "MemAvailable:", load.memoryBytes, load.memoryUsedBytes);
    difference("SwapTotal:", "SwapFree:", load.swapBytes, load.swapUsedBytes);
}

void HostLoadReader::readDisk(HostLoad &load) const
{
    struct statvfs disk {};
    if (::statvfs(m_diskFolder.c_str(), &disk) != 0 || disk.f_blocks == 0)
        return;
    load.diskBytes = static_cast<double>(disk.f_blocks) * static_cast<double>(disk.f_frsize);
    load.diskFreeBytes = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
}

/// Where the machine has network cards, of these alone: bridges and tunnels pass the same bytes on.
std::optional<HostLoadReader::Traffic> HostLoadReader::readTraffic() const
{
    const auto content = readFile(m_root / "proc/net/dev", mostBytes);
    if (!content)
        return std::nullopt;
    Traffic ofCards, ofAll;
    bool hasCard = false;
    std::istringstream lines(*content);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(':');
        const std::size_t begin = line.find_first_not_of(' ');
        if (colon == std::string::npos || begin >= colon)
            continue;
        const std::string name = line.substr(begin, colon - begin);
        std::istringstream fields(line.substr(colon + 1));
        Traffic traffic;
        std::uint64_t skipped = 0;
        fields >> traffic.received;
        for (int field = 0; field < 7; ++field)  // packets, errors and others
            fields >> skipped;
        if (name == "lo" || !(fields >> traffic.sent))
            continue;
        ofAll.received += traffic.received;
        ofAll.sent += traffic.sent;
        std::error_code error;
        if (!std::filesystem::exists(m_root / "sys/class/net" / name / "device", error))
            continue;
        hasCard = true;
        ofCards.received += traffic.received;
        ofCards.sent += traffic.sent;
    }
    return hasCard ? ofCards : ofAll;
}

}  // namespace sweepscope::device
