#pragma once

#include "schedule/leasefolder.h"
#include "schedule/scheduler.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// A trial that runs.
struct Running {
    TrialStart start;
    SweepDemand demand;
    std::vector<FileDescriptor> agent;  ///< what its agent has open
};

struct Sweep {
    SweepDemand demand;
    int trialsLeft = 0;
    int started = 0;
};

/// One engine with its scheduler.
struct Side {
    std::string workspace;
    std::unique_ptr<LeaseFolder> leases;
    std::unique_ptr<Scheduler> scheduler;
    std::map<std::int64_t, Sweep> sweeps;
    std::vector<Running> running;
};

/// A plain model of a machine that two engines share: what is there and who has what. It knows nothing of how a scheduler chooses.
struct SharedMachine {
    std::vector<device::Device> devices;
    device::GpuTopology topology;
    device::CpuTopology cpus;
    std::map<std::string, GpuState> states;
    std::array<Side, 2> sides;

    /// What trials of one engine have of a GPU.
    struct Load {
        int ranks = 0;
        int limit = 1'000'000;  ///< the smallest perGpu of those that are on it
        std::uint64_t promised = 0;
    };

    std::vector<const device::Device *> gpus() const;
    bool wantsGpus(const SweepDemand &demand) const;
    /// CPU slots that a sweep may have of this machine, and that trials of one engine have.
    int slotsOf(const SweepDemand &demand) const;
    int slotsUsedBy(const Side &side) const;
    static bool mayHave(const SweepDemand &demand, const device::Device &gpu);
    /// Bytes that one rank is promised.
    static std::uint64_t promise(const SweepDemand &demand, const device::Device &gpu);
    /// Ranks of one trial that an empty GPU takes.
    static int mostOn(const SweepDemand &demand, const device::Device &gpu);
    Load loadOf(const Side &side, const device::Device &gpu) const;
    const Side &other(const Side &side) const;
    GpuState stateOf(const device::Device &gpu) const;
    /// Somebody outside uses it, and the sweep keeps away from such GPUs.
    bool isKeptFromSharing(const SweepDemand &demand, const device::Device &gpu) const;
};

const SweepDemand &demandOf(const std::vector<SweepDemand> &demands, std::int64_t id);

}  // namespace sweepscope::schedule
