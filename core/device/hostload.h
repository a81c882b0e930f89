#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace sweepscope::device {

/// What a machine has besides GPUs and cores. What could not be read is empty.
struct HostLoad {
    std::optional<double> memoryUsedBytes;  ///< what programs cannot get: total less available, as free(1) counts it
    std::optional<double> memoryBytes;
    std::optional<double> swapUsedBytes;
    std::optional<double> swapBytes;      ///< 0: there is none
    std::optional<double> diskFreeBytes;  ///< for users other than root
    std::optional<double> diskBytes;
    std::optional<double> receivedBytesPerSecond;  ///< over all network interfaces but the loopback
    std::optional<double> sentBytesPerSecond;
};

/// One number of it: its series is "host.<series>".
struct HostQuantity {
    const char *series;
    const char *unit;
    std::optional<double> HostLoad::*value;
};
std::span<const HostQuantity> hostQuantities();

/// Reads it, from /proc and the file system. Rates are those since the last reading.
class HostLoadReader {
public:
    /// `diskFolder` is on the disk that counts. `root` comes before /proc and /sys, for tests.
    explicit HostLoadReader(std::filesystem::path diskFolder, std::filesystem::path root = {});

    HostLoad read(std::chrono::steady_clock::time_point now);

private:
    struct Traffic {
        std::uint64_t received = 0, sent = 0;
    };
    void readMemory(HostLoad &load) const;
    void readDisk(HostLoad &load) const;
    std::optional<Traffic> readTraffic() const;

    std::filesystem::path m_diskFolder;
    std::filesystem::path m_root;
    std::optional<Traffic> m_before;
    std::chrono::steady_clock::time_point m_beforeAt{};
};

}  // namespace sweepscope::device
