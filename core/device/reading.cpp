#include "device/reading.h"

#include <array>

namespace sweepscope::device {

namespace {

constexpr std::array knownQuantities{
    Quantity{"utilization", "%", "utilization_percent", &Reading::utilizationPercent},
    Quantity{"memory_utilization", "%", "memory_utilization_percent", &Reading::memoryUtilizationPercent},
    Quantity{"memory", "B", "memory_used_bytes", &Reading::memoryUsedBytes},
    Quantity{"memory_reserved", "B", "memory_reserved_bytes", &Reading::memoryReservedBytes},
    Quantity{"memory_total", "B", nullptr, &Reading::memoryTotalBytes},
    Quantity{"temperature", "°C", "temperature_celsius", &Reading::temperatureCelsius},
    Quantity{"power", "W", "power_watt", &Reading::powerWatt},
    Quantity{"power_limit", "W", "power_limit_watt", &Reading::powerLimitWatt},
    Quantity{"energy", "J", "energy_joule", &Reading::energyJoule},
    Quantity{"sm_clock", "MHz", "sm_clock_mhz", &Reading::smClockMhz},
    Quantity{"sm_clock_max", "MHz", "sm_clock_max_mhz", &Reading::smClockMaxMhz},
    Quantity{"memory_clock", "MHz", "memory_clock_mhz", &Reading::memoryClockMhz},
    Quantity{"memory_clock_max", "MHz", "memory_clock_max_mhz", &Reading::memoryClockMaxMhz},
    Quantity{"throttle_reasons", "", "throttle_reasons", &Reading::throttleReasons},
    Quantity{"pcie_generation", "", "pcie_generation", &Reading::pcieGeneration},
    Quantity{"pcie_generation_max", "", "pcie_generation_max", &Reading::pcieGenerationMax},
    Quantity{"pcie_width", "lanes", "pcie_width", &Reading::pcieWidth},
    Quantity{"pcie_width_max", "lanes", "pcie_width_max", &Reading::pcieWidthMax},
    Quantity{"pcie_tx", "B/s", "pcie_tx_bytes_per_second", &Reading::pcieTxBytesPerSecond},
    Quantity{"pcie_rx", "B/s", "pcie_rx_bytes_per_second", &Reading::pcieRxBytesPerSecond},
    Quantity{"nvlinks", "", "nvlinks", &Reading::nvlinks},
    Quantity{"nvlinks_active", "", "nvlinks_active", &Reading::nvlinksActive},
    Quantity{"nvlink_tx", "B/s", "nvlink_tx_bytes_per_second", &Reading::nvlinkTxBytesPerSecond},
    Quantity{"nvlink_rx", "B/s", "nvlink_rx_bytes_per_second", &Reading::nvlinkRxBytesPerSecond},
    Quantity{"sm_activity", "%", "sm_activity_percent", &Reading::smActivityPercent},
    Quantity{"dram_activity", "%", "dram_activity_percent", &Reading::dramActivityPercent},
    Quantity{"ecc_corrected", "", "ecc_corrected", &Reading::eccCorrected},
    Quantity{"ecc_uncorrected", "", "ecc_uncorrected", &Reading::eccUncorrected},
    Quantity{"xid", "", "xid", &Reading::xid},
    Quantity{"simulated", "", nullptr, &Reading::simulated},
    Quantity{"processes", "", "process_count", &Reading::processCount},
    Quantity{"foreign_processes", "", "foreign_process_count", &Reading::foreignProcessCount},
};

struct ThrottleReason {
    std::uint64_t bit;
    const char *words;
};
/// nvmlClocksEventReason…, as NVML's reference manual numbers them.
constexpr std::array throttleReasons{
    ThrottleReason{0x1, "idle"},
    ThrottleReason{0x2, "application clocks setting"},
    ThrottleReason{0x4, "power limit"},
    ThrottleReason{0x8, "hardware slowdown"},
    ThrottleReason{0x10, "sync boost"},
    ThrottleReason{0x20, "software thermal slowdown"},
    ThrottleReason{0x40, "hardware thermal slowdown"},
    ThrottleReason{0x80, "hardware power brake"},
    ThrottleReason{0x100, "display clocks setting"},
};

}  // namespace

void Reading::update(const Reading &newer)
{
    for (const Quantity &quantity : knownQuantities) {
        if (newer.*quantity.value)
            this->*quantity.value = newer.*quantity.value;
    }
    if (newer.processes)
        processes = newer.processes;
}

Reading Reading::lastingPart() const
{
    Reading part;
    part.memoryTotalBytes = memoryTotalBytes;
    part.powerLimitWatt = powerLimitWatt;
    part.smClockMaxMhz = smClockMaxMhz;
    part.memoryClockMaxMhz = memoryClockMaxMhz;
    part.pcieGenerationMax = pcieGenerationMax;
    part.pcieWidthMax = pcieWidthMax;
    part.simulated = simulated;
    return part;
}

std::span<const Quantity> quantities()
{
    return knownQuantities;
}

std::string throttleWords(std::uint64_t reasons)
{
    std::string words;
    const auto add = [&words](const std::string &more) { words += (words.empty() ? "" : ", ") + more; };
    for (const ThrottleReason &reason : throttleReasons) {
        if ((reasons & reason.bit) != 0)
            add(reason.words);
        reasons &= ~reason.bit;
    }
    if (reasons != 0)
        add("unknown reason");
    return words.empty() ? "none" : words;
}

}  // namespace sweepscope::device
