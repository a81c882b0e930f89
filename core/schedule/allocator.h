#pragma once

#include "base/error.h"
#include "device/device.h"
#include "schedule/cpuallocation.h"
#include "schedule/cpushares.h"
#include "schedule/devicerequest.h"
#include "schedule/gpuchoice.h"
#include "schedule/gpuleases.h"
#include "schedule/refusal.h"
#include "sweep/linktest.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// What a job of a cluster asks for.
struct JobSize {
    int nodes = 1;
    int gpus = 0;  ///< on each node
    int cpus = 1;  ///< on each node

    bool operator==(const JobSize &) const = default;
};

/// Devices for one trial: one list of device ids per rank, and the cores that it uses.
struct Allocation {
    std::vector<std::vector<std::string>> perRank;
    CpuGrant cpu{};
    bool simulated = false;                  ///< some of its GPUs are a fake driver's
    facts::Fact group{};                     ///< GpusConnected; none for less than two
    std::optional<sweep::LinkTest> links{};  ///< what its links promise; none where ranks share GPUs or have none
    std::string machine{};                   ///< on which they are, or the first of them; empty: this one
    std::vector<std::string> nodes{};        ///< if they are on several: all of them, with equal shares of the ranks
    std::optional<JobSize> ofJob{};          ///< on a cluster: what its job asks for
    std::vector<std::string> all() const;
};

/// Tracks which trial has which device. It opens no device: it does bookkeeping, and keeps leases of the GPUs in use
/// and notes of the CPU slots and cores. Every allocation is all or nothing. gpuallocation.h chooses GPUs,
/// cpuallocation.h chooses CPU slots and cores.
class Allocator {
public:
    /// `leases`: null if no other engine can run on the machine.
    explicit Allocator(std::vector<device::Device> devices, GpuLeases *leases = nullptr, device::CpuTopology cpus = {});

    /// Allocates devices for `holder`, a trial that has an attempt.
    tl::expected<Allocation, Refusal> allocate(const std::string &holder, const Request &request);

    /// Records what an adopted attempt already holds; its leases belong to its agent.
    void adopt(const std::string &holder, const std::vector<std::string> &deviceIds, const GpuWishes &wishes = {},
               const std::vector<std::vector<int>> &cpus = {});
    /// Replaces the GPU settings of a holder: they decide who may join it.
    void setWishes(const std::string &holder, const GpuWishes &wishes);
    void release(const std::string &holder);

    /// Returns the descriptors that the holder's agent should inherit.
    std::vector<int> leasesOf(const std::string &holder) const;
    /// The agent has inherited its leases: from here on they last as long as the agent.
    void transferLeases(const std::string &holder, pid_t agent);

    /// Sets the state of GPUs in addition to their allocation; a GPU that is not listed has none.
    void setStates(std::map<std::string, GpuState> states) { m_states = std::move(states); }
    void setTopology(device::GpuTopology topology) { m_topology = std::move(topology); }
    const device::GpuTopology &topology() const { return m_topology; }
    /// Adds a device that was found later.
    void add(device::Device device) { m_devices.push_back(std::move(device)); }
    /// Replaces all devices; what trials hold stays.
    void setDevices(std::vector<device::Device> devices, device::CpuTopology cpus)
    {
        m_devices = std::move(devices);
        m_cpus.setTopology(std::move(cpus));
    }

    const std::vector<device::Device> &devices() const { return m_devices; }
    bool hasGpus() const;
    /// The number of trials that have devices.
    int holderCount() const { return static_cast<int>(m_held.size()); }
    bool usesGpus(const Request &request) const;
    /// Returns the GPUs that the request could use at some time.
    std::vector<std::string> gpusFor(const Request &request) const;
    /// Returns the holders of a device in the order in which they got it; one that has a core or GPU twice is listed
    /// twice.
    std::vector<std::string> holders(const std::string &deviceId) const;
    /// Returns the number of trials that have the device.
    int trialsOn(const std::string &deviceId) const;
    /// Returns the holders whose ranks are bound to this core, whatever devices they have; empty if the kernel moves
    /// ranks.
    std::vector<std::string> holdersOfCore(const device::Device &core) const { return m_cpus.holdersOf(core.index); }

private:
    struct Holding {
        std::string holder;
        std::vector<std::string> deviceIds;  ///< with repetitions if ranks share
        GpuWishes wishes;
        TrialName trial;
        std::vector<Lease> leases;  ///< until they are handed over
    };

    const Holding *holdingOf(const std::string &holder) const;
    std::vector<GpuPlace> placesOf(const Request &request) const;
    std::vector<CoreUse> coresInUse() const;
    CpuGrant assignCores(const std::string &holder, const Request &request, const Allocation &allocation,
                         Choice &choice);
    std::int64_t trialsAtOnce(const Request &request) const;

    std::vector<device::Device> m_devices;
    GpuLeases *m_leases;
    std::map<std::string, GpuState> m_states;
    device::GpuTopology m_topology;
    std::vector<Holding> m_held;  ///< in the order of allocation
    CpuShares m_cpus;
};

}  // namespace sweepscope::schedule
