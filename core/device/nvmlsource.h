#pragma once

#include "device/device.h"
#include "device/probethread.h"
#include "device/sources.h"

#include <memory>
#include <string>
#include <vector>

namespace sweepscope::device {

namespace nvml {
struct Driver;
}

/// GPUs through NVML. All calls are made on a separate thread (ProbeThread), so that a driver that hangs blocks no
/// caller: a GPU that does not respond has no values and is marked so; the others are read as before.
class NvmlSource : public Source {
public:
    explicit NvmlSource(NvmlSettings settings);
    ~NvmlSource() override;

    /// Looked for again at each call, where there is something left to find.
    std::vector<Device> devices() override;
    std::vector<DeviceReading> sample() override;
    std::string note() const override;
    facts::Facts conditions() const override;
    std::map<std::string, facts::Fact> unusable() const override;
    std::vector<Device> known() const override;
    GpuTopology topology() const override;
    SamplingCost cost() const override { return m_probe.cost(); }
    std::string driver() const override;

private:
    /// Jobs that hang or did so until now, by their key.
    std::map<std::string, facts::Fact> hanging() const;
    ProbeThread::Job startJob() const;
    std::vector<ProbeThread::Job> gpuJobs(bool onlyUnopened) const;
    ProbeThread::Job eventJob() const;
    /// None when it is known already.
    std::vector<ProbeThread::Job> topologyJob() const;

    std::shared_ptr<nvml::Driver> m_driver;
    ProbeThread m_probe;
    SteadyTime m_lastStart;
};

}  // namespace sweepscope::device
