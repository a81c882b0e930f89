#pragma once

#include "facts/fact.h"
#include "schedule/allocator.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// What a sweep wants now.
struct SweepDemand {
    std::int64_t sweepId = 0;
    std::string name;
    sweep::DevicesSection devices;
    int running = 0;          ///< attempts that have devices now
    int nextTrial = 0;        ///< first waiting trial whose back-off is over; 0: none
    int ranks = 1;            ///< of that trial
    int priority = 0;         ///< of the sweep
    bool ranksShare = false;  ///< ranks of a trial may be on one GPU (Gloo)
    int threadsAsked = 0;     ///< of each rank, by what the person said elsewhere; 0 = nothing
};

/// Of a trial with these ranks and parameters; which one it is, and what runs, is left to the caller.
SweepDemand demandOf(const sweep::SweepSpec &spec, int ranks, const sweep::ParameterSet &parameters);

/// For its next trial.
Request requestOf(const SweepDemand &demand);

struct TrialReason {
    std::int64_t sweepId = 0;
    int trial = 0;
    facts::Fact reason;
    std::map<std::string, Obstacle> obstacles{};  ///< what is in the way, by GPU
};

struct TrialStart {
    std::int64_t sweepId = 0;
    int trial = 0;
    std::string holder;  ///< what release() takes
    Allocation devices;
};

struct Decision {
    std::optional<TrialStart> start;        ///< start this one, then ask again
    std::optional<TrialReason> impossible;  ///< or: this one can never run here, and why
    std::vector<TrialReason> waiting;       ///< why the next trial of each of these sweeps waits
};

/// Which trial starts next, on which devices. Sweeps get devices by their priority and, where that is equal, in
/// the order in which they were launched: a later one never takes what an earlier one waits for. Only where others hold
/// up the earlier one (another engine, a foreign process, a lost GPU), so that it waits whatever ours do, nothing is
/// kept for it.
class Scheduler {
public:
    explicit Scheduler(std::vector<device::Device> devices, GpuLeases *leases = nullptr, device::CpuTopology cpus = {})
        : m_allocator(std::move(devices), leases, std::move(cpus))
    {}

    /// `demands`: in this order. A start has its devices already.
    Decision decide(const std::vector<SweepDemand> &demands);

    struct Holder {
        std::int64_t sweepId = 0;
        int trial = 0;
    };
    static std::string holderName(std::int64_t sweepId, int trial);
    static std::optional<Holder> parseHolder(const std::string &name);
    void adopt(std::int64_t sweepId, int trial, const std::vector<std::string> &deviceIds,
               const sweep::DevicesSection &devices = {}, const std::vector<std::vector<int>> &cpus = {});
    void release(std::int64_t sweepId, int trial);
    /// Descriptors that the agent of a trial that starts is to inherit; then they are its own.
    std::vector<int> leasesOf(std::int64_t sweepId, int trial) const;
    void handOver(std::int64_t sweepId, int trial, pid_t agent);
    Allocator &allocator() { return m_allocator; }
    const Allocator &allocator() const { return m_allocator; }

private:
    bool wantsGpus(const sweep::DevicesSection &devices) const;
    Allocator m_allocator;
};

}  // namespace sweepscope::schedule
