#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::device {

/// A process that uses a GPU.
struct DeviceProcess {
    pid_t pid = 0;                    ///< as the driver sees it: inside a container that is not ours
    std::optional<std::string> user;  ///< not known when the process is not visible from here
    std::optional<std::string> name;
    std::optional<std::uint64_t> memoryBytes;  ///< some drivers do not tell it
    bool computes = true;                      ///< else it only draws

    bool operator==(const DeviceProcess &) const = default;
};

/// One reading. What could not be read is empty, and is never shown as 0.
struct Reading {
    std::optional<double> utilizationPercent;        ///< share of time in which a kernel ran: busy, not loaded
    std::optional<double> memoryUtilizationPercent;  ///< share of time in which the memory controller was busy
    std::optional<double> memoryUsedBytes;
    std::optional<double> memoryReservedBytes;  ///< by the driver; when it is not known it is part of what is used
    std::optional<double> memoryTotalBytes;     ///< read occasionally
    std::optional<double> temperatureCelsius;
    std::optional<double> powerWatt;
    std::optional<double> powerLimitWatt;  ///< the one in force
    std::optional<double> energyJoule;     ///< consumed since the driver was loaded
    std::optional<double> smClockMhz;
    std::optional<double> smClockMaxMhz;
    std::optional<double> memoryClockMhz;
    std::optional<double> memoryClockMaxMhz;
    std::optional<double> throttleReasons;  ///< NVML's bits, see throttleWords()
    std::optional<double> pcieGeneration;   ///< now: an idle link may go down
    std::optional<double> pcieGenerationMax;
    std::optional<double> pcieWidth;
    std::optional<double> pcieWidthMax;
    std::optional<double> pcieTxBytesPerSecond;  ///< from the GPU
    std::optional<double> pcieRxBytesPerSecond;  ///< to the GPU
    std::optional<double> nvlinks;
    std::optional<double> nvlinksActive;
    std::optional<double> nvlinkTxBytesPerSecond;
    std::optional<double> nvlinkRxBytesPerSecond;
    std::optional<double> smActivityPercent;    ///< Hopper and newer: share of SMs that were busy
    std::optional<double> dramActivityPercent;  ///< Hopper and newer: share of the memory's bandwidth
    std::optional<double> eccCorrected;         ///< since the driver was loaded
    std::optional<double> eccUncorrected;
    std::optional<double> xid;        ///< number of an error that the driver has reported since the last reading
    std::optional<double> simulated;  ///< 1: by a fake driver; written occasionally, so that every feed has it
    std::optional<double> processCount;
    std::optional<double> foreignProcessCount;  ///< foreignCount(); a source does not know whose they are
    std::optional<std::vector<DeviceProcess>> processes;

    /// Take over every field that `newer` has.
    void update(const Reading &newer);
    /// What is so whatever the device does: limits and maxima, and whether it is simulated.
    Reading lastingPart() const;
};

/// One number of a reading: its series is "<device>.<series>".
struct Quantity {
    const char *series;
    const char *unit;
    const char *key;  ///< for JSON; null: not among the readings there
    std::optional<double> Reading::*value;
};
std::span<const Quantity> quantities();

/// "power limit, hardware thermal slowdown"; "none" without any bit.
std::string throttleWords(std::uint64_t reasons);

}  // namespace sweepscope::device
