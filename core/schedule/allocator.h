#pragma once

#include "base/error.h"
#include "device/device.h"
#include "schedule/cpuallocation.h"
#include "schedule/cpushares.h"
#include "schedule/devicerequest.h"
#include "schedule/gpuchoice.h"
#include "schedule/gpuleases.h"
#include "schedule/refusal.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// Devices for one trial: one list of device ids per rank, and the cores that it computes with.
struct Allocation {
    std::vector<std::vector<std::string>> perRank;
    CpuGrant cpu{};
    bool simulated = false;  ///< some of its GPUs are a fake driver's
    std::string group{};     ///< how its GPUs are connected, in words; empty for less than two
    std::vector<std::string> all() const;
};

/// Who has which device. Pure bookkeeping, leases of those GPUs that are given, and notes of the CPU slots and cores: no
/// device is opened here. Every allocation is all or nothing. Which GPUs are chosen is decided in gpuallocation.h, which
/// CPU slots and cores in cpuallocation.h.
class Allocator {
public:
    /// `leases`: not given, where no other engine can be on the machine.
    explicit Allocator(std::vector<device::Device> devices, GpuLeases *leases = nullptr, device::CpuTopology cpus = {});

    /// Devices for `holder`, a trial that has an attempt.
    tl::expected<Allocation, Refusal> allocate(const std::string &holder, const Request &request);

    /// Take note of what an adopted attempt holds already; its leases are its agent's.
    void adopt(const std::string &holder, const std::vector<std::string> &deviceIds, const GpuWishes &wishes = {},
               const std::vector<std::vector<int>> &cpus = {});
    void release(const std::string &holder);

    /// Descriptors that the holder's agent is to inherit.
    std::vector<int> leasesOf(const std::string &holder) const;
    /// The agent has its leases: from here on they last as long as it does.
    void handOver(const std::string &holder, pid_t agent);

    /// What is known now of GPUs beyond their being given; of those that are not named nothing is.
    void setStates(std::map<std::string, GpuState> states) { m_states = std::move(states); }
    void setTopology(device::GpuTopology topology) { m_topology = std::move(topology); }
    const device::GpuTopology &topology() const { return m_topology; }
    /// One that was found later.
    void add(device::Device device) { m_devices.push_back(std::move(device)); }

    const std::vector<device::Device> &devices() const { return m_devices; }
    bool hasGpus() const;
    bool usesGpus(const Request &request) const;
    /// Those that the request may have at some time.
    std::vector<std::string> gpusFor(const Request &request) const;
    /// Holders of a device, in the order they came; a core or GPU that one of them has twice names it twice.
    std::vector<std::string> holders(const std::string &deviceId) const;
    /// Those whose ranks are bound to this core, whatever devices they have; none where the kernel moves ranks.
    std::vector<std::string> holdersOfCore(const device::Device &core) const { return m_cpus.holdersOf(core.index); }

private:
    struct Holding {
        std::string holder;
        std::vector<std::string> deviceIds;  ///< with repetitions where ranks share
        GpuWishes wishes;
        TrialName trial;
        std::vector<Lease> leases;  ///< until they are handed over
    };

    const Holding *holdingOf(const std::string &holder) const;
    std::vector<GpuPlace> placesOf(const Request &request) const;
    std::vector<CoreUse> coresInUse() const;
    CpuGrant giveCores(const std::string &holder, const Request &request, const Allocation &allocation, Choice &choice);
    std::int64_t trialsAtOnce(const Request &request) const;

    std::vector<device::Device> m_devices;
    GpuLeases *m_leases;
    std::map<std::string, GpuState> m_states;
    device::GpuTopology m_topology;
    std::vector<Holding> m_held;  ///< in the order they came
    CpuShares m_cpus;
};

}  // namespace sweepscope::schedule
