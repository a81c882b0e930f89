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

/// What a sweep needs now.
struct SweepDemand {
    std::int64_t sweepId = 0;
    int running = 0;   ///< attempts that have devices now
    int priority = 0;  ///< of the sweep
    Request next{};    ///< of the first waiting trial whose back-off is over; its number is 0 if there is none
    std::map<std::string, int> waitingJobs{};  ///< jobs that have not begun, by cluster
    bool learns = false;                       ///< the next point depends on results of these jobs
};

/// Returns the request of a trial with these ranks and parameters.
Request requestOf(const sweep::SweepSpec &spec, int trial, int ranks, const sweep::ParameterSet &parameters);
GpuWishes wishesOf(const sweep::SweepSpec &spec);
/// Whether its trials may share GPUs among these devices once their memory is measured.
bool mayPack(const sweep::SweepSpec &spec, const std::vector<device::Device> &devices);

/// Returns what the job of a trial asks for. `hasGpus`: of the cluster, which decides if the sweep does not.
JobSize jobSizeOf(const Request &request, bool hasGpus);

struct TrialReason {
    std::int64_t sweepId = 0;
    int trial = 0;
    facts::Fact reason;
    std::map<std::string, Obstacle> obstacles{};  ///< the obstacles, by GPU
};

struct TrialStart {
    std::int64_t sweepId = 0;
    int trial = 0;
    std::string holder;  ///< the argument for release()
    Allocation devices;
};

struct Decision {
    std::optional<TrialStart> start;        ///< start this one, then call decide() again
    std::optional<TrialReason> impossible;  ///< or: this one can never run here, and why
    std::vector<TrialReason> waiting;       ///< why the next trial of each of these sweeps waits
};

/// Decides which trial starts next, on which devices. A trial runs on the first machine that can take it now, or on the
/// first of them if it needs several. Sweeps get devices by priority and, if equal, in the order in which they were launched: a later one never takes what an earlier one waits for. The exception: if others block the
/// earlier one (another engine, a foreign process, a lost GPU), so that it waits whatever ours do, nothing is reserved
/// for it.
class Scheduler {
public:
    explicit Scheduler(std::vector<device::Device> devices, GpuLeases *leases = nullptr, device::CpuTopology cpus = {})
        : m_allocator(std::move(devices), leases, std::move(cpus))
    {}

    /// `demands`: in launch order. The returned start already holds its devices.
    Decision decide(const std::vector<SweepDemand> &demands);

    struct Holder {
        std::int64_t sweepId = 0;
        int trial = 0;
    };
    static std::string holderName(std::int64_t sweepId, int trial);
    static std::optional<Holder> parseHolder(const std::string &name);
    void adopt(std::int64_t sweepId, int trial, const std::vector<std::string> &deviceIds, const GpuWishes &wishes = {},
               const std::vector<std::vector<int>> &cpus = {});
    /// Replaces the GPU settings of a trial that has devices on this machine.
    void setWishes(std::int64_t sweepId, int trial, const GpuWishes &wishes)
    {
        m_allocator.setWishes(holderName(sweepId, trial), wishes);
    }
    void release(std::int64_t sweepId, int trial);
    /// Returns the descriptors that the agent of a starting trial should inherit and then own.
    std::vector<int> leasesOf(std::int64_t sweepId, int trial) const;
    void transferLeases(std::int64_t sweepId, int trial, pid_t agent);
    /// Of this machine.
    Allocator &allocator() { return m_allocator; }
    const Allocator &allocator() const { return m_allocator; }

    /// Slurm has the devices, and chooses those of each job.
    struct Cluster {
        bool hasGpus = false;
        int waitingJobs = 0;  ///< of all sweeps, at most
    };
    /// Another machine, or the cluster of this one, whose name is "localhost". Ids of its devices end with its name (sweep/deviceplace.h).
    struct Machine {
        Allocator allocator{{}};
        facts::Fact unavailable{};         ///< why no trial starts there now
        int concurrent = 0;                ///< trials at once, at most; 0: as many as fit
        std::optional<Cluster> cluster{};  ///< it has no devices: trials are jobs
    };
    /// By name.
    std::map<std::string, Machine> &machines() { return m_machines; }
    const std::map<std::string, Machine> &machines() const { return m_machines; }

private:
    struct Place {
        std::string name;  ///< empty: this machine
        Allocator *allocator = nullptr;
        Machine *machine = nullptr;  ///< null: this one, or unknown

        bool hasGpus() const;
    };
    std::vector<Place> placesFor(const Request &request);
    Allocator *allocatorOf(const std::string &machine);
    /// Who waits for what, of the demands before this one.
    struct Reserved {
        std::map<std::string, const SweepDemand *> cores;  ///< by machine: the first that waits
        std::map<std::string, const SweepDemand *> gpus;   ///< by GPU

        void add(const Reserved &more)
        {
            cores.insert(more.cores.begin(), more.cores.end());
            gpus.insert(more.gpus.begin(), more.gpus.end());
        }
    };
    static std::vector<std::string> gpuNames(const std::vector<Place> &places, const Request &request);
    tl::expected<Allocation, Refusal> allocateOnOne(const std::vector<Place> &places, const SweepDemand &demand,
                                                    const Request &whole, const Reserved &reserved, Reserved &next);
    tl::expected<Allocation, Refusal> allocateOnSeveral(std::vector<Place> places, const SweepDemand &demand,
                                                        const Request &whole, const Reserved &reserved, Reserved &next);
    tl::expected<Allocation, Refusal> allocateOn(const Place &place, const SweepDemand &demand, Request &request,
                                                 Reserved &reserved);
    static tl::expected<Allocation, Refusal> allocateJob(const Place &place, const SweepDemand &demand,
                                                         const Request &request, int waitingJobs);

    Allocator m_allocator;
    std::map<std::string, int> m_waitingJobs;  ///< of the demands, by cluster
    std::map<std::string, Machine> m_machines;
};

}  // namespace sweepscope::schedule
