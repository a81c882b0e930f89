#pragma once

#include "base/error.h"
#include "device/device.h"
#include "schedule/cpushares.h"
#include "schedule/gpuchoice.h"
#include "schedule/gpuleases.h"
#include "schedule/refusal.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <map>
#include <memory>
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

struct Request {
    int ranks = 1;
    int perRank = 1;
    sweep::DeviceKind kind = sweep::DeviceKind::Auto;  ///< Auto: GPUs when there are any, else CPU slots
    int cpuSlots = 0;                                  ///< 0 = one per core; more = cores are shared round-robin
    GpuWishes gpus{};
    std::string purpose{};  ///< for those who wait behind this one: "digits, trial 3"
    /// GPUs that a trial before this one waits for, and what to say of them ("is kept for …").
    std::map<std::string, std::string> reserved{};
    int concurrent = 1;  ///< trials of the sweep that may run at once
    CpuWishes cpu{};

    std::int64_t needed() const { return std::int64_t{ranks} * perRank; }
};

/// Who has which device. Pure bookkeeping, leases of those GPUs that are given, and notes of the CPU slots and cores: no
/// device is opened here. Every allocation is all or nothing. How GPUs are chosen is in gpuallocation.cpp, CPU slots and
/// cores are in cpuallocation.cpp.
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
        std::string purpose;
        std::vector<Lease> leases;  ///< until they are handed over
    };
    struct Chosen {
        std::vector<std::string> ids;
        std::vector<Lease> leases{};
        std::unique_ptr<GpuLeases::Taking> taking{};  ///< no other engine comes in between
    };

    const Holding *holdingOf(const std::string &holder) const;
    std::vector<GpuPlace> placesOf(const Request &request) const;
    tl::expected<Chosen, Refusal> chooseGpus(const Request &request);
    std::string lease(std::vector<GpuPlace> &places, const Request &request, Chosen &chosen);
    std::vector<GpuPlace *> bestPlaces(std::vector<GpuPlace> &places, std::size_t needed) const;
    struct Core;
    std::vector<Core> coresHere() const;
    tl::expected<Chosen, Refusal> chooseCpuSlots(const Request &request);
    tl::expected<std::unique_ptr<GpuLeases::Taking>, Refusal> askForCores(const Request &request, std::int64_t slots,
                                                                          std::vector<Core> &cores);
    CpuGrant giveCores(const std::string &holder, const Request &request, const Allocation &allocation, Chosen &chosen);
    std::int64_t trialsAtOnce(const Request &request) const;
    CpuPlace cpuPlaceOf(const std::vector<std::string> &deviceIds, const Request &request) const;

    std::vector<device::Device> m_devices;
    GpuLeases *m_leases;
    std::map<std::string, GpuState> m_states;
    device::GpuTopology m_topology;
    std::vector<Holding> m_held;  ///< in the order they came
    CpuShares m_cpus;
};

}  // namespace sweepscope::schedule
