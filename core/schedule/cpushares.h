#pragma once

#include "device/cputopology.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// What a trial wants of the processor.
struct CpuWishes {
    int coresPerRank = 0;  ///< 0 = a fair share
    int leastCores = 0;    ///< threads that a rank will have whatever its share is; 0 = as many as its share
    bool bind = true;      ///< to cores of its own; false: the kernel moves the ranks
};

/// A rank that is to have its part.
struct CpuPlace {
    std::set<int> near;  ///< CPUs that are near its GPUs; empty: all are alike
    int neighbours = 1;  ///< GPUs that have the same CPUs near
    int ranksNear = 1;   ///< ranks that these take at most
    int part = 0;        ///< which of them is its own, from 0
    int first = -1;      ///< a CPU that it would like to have, where it has no GPU
};

/// Cores for the ranks of one trial.
struct CpuGrant {
    std::vector<std::vector<int>> cpus;  ///< per rank; empty: any
    int threads = 1;                     ///< for each rank: OMP_NUM_THREADS
};

/// Which ranks have which cores. How many a rank gets depends on its sweep and the machine alone, so that a trial that
/// is run again computes with as many threads; which ones they are depends on what is free, so that trials that run at
/// once are not on the same ones:
///
///     cores per rank = cores of the machine / ranks of the sweep that can run at once,
///     and where a rank has a GPU, no more than its part of the cores near that GPU.
///
/// Ranks are bound to whole cores with all their hardware threads. Where there is less than a core for each, or a
/// cgroup limits the time and not the cores, they are not bound: there is nothing to deal out, and the kernel does
/// better.
class CpuShares {
public:
    explicit CpuShares(device::CpuTopology topology = {}) : m_topology(std::move(topology)) {}

    /// `ranksAtOnce`: of the sweep, `places.size()` at least. Nothing is refused: where all cores are taken they are
    /// shared, those with fewest ranks first. `others`: CPUs of ranks that are not given here, a list for each.
    CpuGrant give(const std::string &holder, const std::vector<CpuPlace> &places, int ranksAtOnce,
                  const CpuWishes &wishes, const std::vector<std::vector<int>> &others = {});
    /// What ranks that run already were given.
    void adopt(const std::string &holder, const std::vector<std::vector<int>> &cpus) { m_given[holder] = cpus; }
    void release(const std::string &holder) { m_given.erase(holder); }
    /// Whose ranks are bound to this CPU.
    std::vector<std::string> holdersOf(int cpu) const;

private:
    std::vector<std::size_t> coresNear(const CpuPlace &place) const;
    std::size_t fairShare(const std::vector<CpuPlace> &places, std::size_t ranks) const;
    /// `taken`: CPUs of ranks beyond those that were given some here.
    std::vector<int> choose(const CpuPlace &place, std::size_t count, const std::vector<std::vector<int>> &taken) const;
    std::vector<int> usersOfCores(const std::vector<std::vector<int>> &more) const;

    device::CpuTopology m_topology;
    std::map<std::string, std::vector<std::vector<int>>> m_given;  ///< by holder, per rank
};

}  // namespace sweepscope::schedule
