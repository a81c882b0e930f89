#pragma once

#include "device/cputopology.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// A trial's CPU settings.
struct CpuWishes {
    int coresPerRank = 0;  ///< 0 = a fair share
    int leastCores = 0;    ///< threads that a rank will have whatever its share; 0 = as many as its share
    bool bind = true;      ///< to dedicated cores; false: the kernel moves the ranks
};

/// A rank that needs cores.
struct CpuPlace {
    std::set<int> near;  ///< CPUs near its GPUs; empty: no preference
    int neighbours = 1;  ///< GPUs with the same CPUs near
    int ranksNear = 1;   ///< maximum number of ranks on these GPUs
    int part = 0;        ///< the index of its part of the near CPUs, from 0
    int first = -1;      ///< the preferred CPU of a rank without a GPU
};

/// Cores for the ranks of one trial.
struct CpuGrant {
    std::vector<std::vector<int>> cpus;  ///< per rank; empty: any
    int threads = 1;                     ///< for each rank: OMP_NUM_THREADS
};

/// Assigns cores to ranks. The number of cores depends only on the sweep and the machine, so that a repeated trial uses
/// the same number of threads; the choice depends on what is free, so that concurrent trials use different cores:
///
///     cores per rank = cores of the machine / ranks of the sweep that can run at once,
///     and for a rank with a GPU, no more than its part of the cores near that GPU.
///
/// Ranks are bound to whole cores with all their hardware threads. If there is less than a core for each, or a cgroup
/// limits time rather than cores, they are not bound: there is nothing to distribute, and the kernel schedules better.
class CpuShares {
public:
    explicit CpuShares(device::CpuTopology topology = {}) : m_topology(std::move(topology)) {}

    /// `ranksAtOnce`: of the sweep, at least `places.size()`. Never fails: if all cores are taken they are shared,
    /// starting with those with the fewest ranks. `others`: CPUs of ranks that are not tracked here, a list for each.
    CpuGrant assign(const std::string &holder, const std::vector<CpuPlace> &places, int ranksAtOnce,
                    const CpuWishes &wishes, const std::vector<std::vector<int>> &others = {});
    /// Records the cores of ranks that run already.
    void adopt(const std::string &holder, const std::vector<std::vector<int>> &cpus) { m_assigned[holder] = cpus; }
    void release(const std::string &holder) { m_assigned.erase(holder); }
    void setTopology(device::CpuTopology topology) { m_topology = std::move(topology); }
    /// Returns the holders whose ranks are bound to this CPU.
    std::vector<std::string> holdersOf(int cpu) const;

private:
    std::vector<std::size_t> coresNear(const CpuPlace &place) const;
    std::size_t fairShare(const std::vector<CpuPlace> &places, std::size_t ranks) const;
    /// `taken`: CPUs of ranks in addition to those tracked here.
    std::vector<int> choose(const CpuPlace &place, std::size_t count, const std::vector<std::vector<int>> &taken) const;
    std::vector<int> usersOfCores(const std::vector<std::vector<int>> &more) const;

    device::CpuTopology m_topology;
    std::map<std::string, std::vector<std::vector<int>>> m_assigned;  ///< by holder, per rank
};

}  // namespace sweepscope::schedule
