#pragma once

#include "base/lineprogram.h"
#include "device/callmeter.h"
#include "device/device.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::device {

/// NVIDIA GPUs through `nvidia-smi`, which comes with every driver: for programs that cannot load NVML because they are
/// linked statically. It tells less than NVML: no NVLink traffic, no activity of SMs, no XIDs. Simulated GPUs are marked if
/// SWEEPSCOPE_SMI names another program.
class SmiSource : public Source {
public:
    explicit SmiSource(std::string program);

    std::vector<Device> devices() override;
    std::vector<DeviceReading> sample() override;
    std::string note() const override { return m_note; }
    std::vector<Device> known() const override { return m_devices; }
    GpuTopology topology() const override { return m_topology; }
    std::string driver() const override { return m_driver; }

private:
    struct Stream {
        std::vector<std::string> command;
        std::optional<LineProgram> program{};
        SteadyTime restartAt{};
    };
    struct User {
        DeviceProcess process;
        SteadyTime seen;
    };
    std::vector<std::string> run(const std::vector<std::string> &arguments);
    std::vector<std::string> query(std::vector<std::string> &fields);
    std::vector<std::string> newLines(Stream &stream);
    void updateUsers();

    std::string m_program;
    bool m_isSimulated;
    std::string m_note;
    std::string m_driver;
    std::vector<Device> m_devices;
    GpuTopology m_topology;
    std::vector<std::string> m_readingFields;
    Stream m_readings;
    Stream m_processes;
    std::map<std::string, std::map<pid_t, User>> m_users;  ///< by GPU
};

}  // namespace sweepscope::device
