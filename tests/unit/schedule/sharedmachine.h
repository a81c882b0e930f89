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

/// A running trial.
struct Running {
    TrialStart start;
    SweepDemand demand;
    std::vector<FileDescriptor> agent;  ///< the agent's open files
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

/// A plain model of a machine that two engines share: its devices and their holders. Independent of the scheduler's
/// algorithm.
struct SharedMachine {
    std::vector<device::Device> devices;
    device::GpuTopology topology;
    device::CpuTopology cpus;
    std::map<std::string, GpuState> states;
    std::array<Side, 2> sides;

    /// What trials of one engine use of a GPU.
    struct Load {
        int ranks = 0;
        int limit = 1'000'000;  ///< the smallest perGpu of these trials
        std::uint64_t promised = 0;
    };

    std::vector<const device::Device *> gpus() const;
    bool wantsGpus(const SweepDemand &demand) const;
    /// The CPU slots of this machine that a sweep may use, and those that trials of one engine use.
    int slotsOf(const SweepDemand &demand) const;
    int slotsUsedBy(const Side &side) const;
    static bool mayHave(const SweepDemand &demand, const device::Device &gpu);
    /// Returns the bytes promised to one rank.
    static std::uint64_t promise(const SweepDemand &demand, const device::Device &gpu);
    /// Returns how many ranks of one trial an empty GPU can run.
    static int mostOn(const SweepDemand &demand, const device::Device &gpu);
    Load loadOf(const Side &side, const device::Device &gpu) const;
    const Side &other(const Side &side) const;
    GpuState stateOf(const device::Device &gpu) const;
    /// Returns whether a program outside of Sweepscope uses the GPU, and the sweep avoids such GPUs.
    bool isKeptFromSharing(const SweepDemand &demand, const device::Device &gpu) const;
};

const SweepDemand &demandOf(const std::vector<SweepDemand> &demands, std::int64_t id);

}  // namespace sweepscope::schedule
