#pragma once

#include "device/callmeter.h"
#include "device/device.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::device {

/// AMD GPUs as the amdgpu driver shows them in /sys/class/drm, and their users in /proc/PID/fdinfo; no library is
/// needed. They are monitored but never allocated: the worker has no ROCm.
class AmdSource : public Source {
public:
    /// `root` comes before /sys and /proc; when it is not empty, what is found there is marked simulated.
    explicit AmdSource(std::string root);

    std::vector<Device> devices() override;
    std::vector<DeviceReading> sample() override;
    std::string note() const override { return {}; }

private:
    struct Card {
        std::string id;
        std::string pciAddress;        ///< "0000:03:00.0"
        std::filesystem::path folder;  ///< of the PCI device
        std::filesystem::path sensors;
    };
    void findCards();
    Device deviceOf(const Card &card, int index) const;
    Reading read(const Card &card) const;
    std::map<std::string, std::vector<DeviceProcess>> readProcesses() const;

    std::string m_root;
    std::vector<Card> m_cards;
    std::optional<SteadyTime> m_lastSlow;
};

}  // namespace sweepscope::device
