#include "schedule/cpushares.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sweepscope::schedule {

namespace {

bool isAmong(const device::CpuCore &core, const std::set<int> &cpus)
{
    return std::any_of(core.cpus.begin(), core.cpus.end(), [&](int cpu) { return cpus.contains(cpu); });
}

std::size_t atLeastOne(std::size_t number)
{
    return std::max<std::size_t>(number, 1);
}

std::size_t asSize(int number)
{
    return static_cast<std::size_t>(std::max(number, 0));
}

}  // namespace

CpuGrant CpuShares::assign(const std::string &holder, const std::vector<CpuPlace> &places, int ranksAtOnce,
                           const CpuWishes &wishes, const std::vector<std::vector<int>> &others)
{
    CpuGrant grant;
    grant.cpus.resize(places.size());
    const std::size_t cores = m_topology.cores.size();
    const std::size_t ranks = atLeastOne(std::max(places.size(), asSize(ranksAtOnce)));
    const bool isLimited = m_topology.quota > 0 && m_topology.quota < static_cast<double>(cores);
    const std::size_t fair = isLimited ? static_cast<std::size_t>(m_topology.quota) / ranks : fairShare(places, ranks);
    const std::size_t threads = wishes.coresPerRank > 0 ? asSize(wishes.coresPerRank) : atLeastOne(fair);
    grant.threads = static_cast<int>(threads);
    const bool isEnough = wishes.coresPerRank > 0 ? threads * places.size() <= cores : fair > 0;
    if (wishes.bind && !isLimited && isEnough && cores > 0) {
        const std::size_t count = std::min(cores, std::max(threads, asSize(wishes.leastCores)));
        std::vector<std::vector<int>> taken = others;
        for (std::size_t rank = 0; rank < places.size(); ++rank) {
            grant.cpus[rank] = choose(places[rank], count, taken);
            taken.push_back(grant.cpus[rank]);
        }
    }
    m_assigned[holder] = grant.cpus;
    return grant;
}

/// Equal for all ranks of a trial: the smallest share among them. 0: less than a core for each.
std::size_t CpuShares::fairShare(const std::vector<CpuPlace> &places, std::size_t ranks) const
{
    std::size_t share = m_topology.cores.size() / ranks;
    for (const CpuPlace &place : places) {
        if (!place.near.empty())
            share = std::min(share, coresNear(place).size() / std::min(ranks, atLeastOne(asSize(place.ranksNear))));
    }
    return share;
}

std::vector<std::size_t> CpuShares::coresNear(const CpuPlace &place) const
{
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < m_topology.cores.size(); ++i) {
        if (place.near.empty() || isAmong(m_topology.cores[i], place.near))
            near.push_back(i);
    }
    if (!near.empty())
        return near;
    near.resize(m_topology.cores.size());  // the near ones belong to others
    std::iota(near.begin(), near.end(), std::size_t{0});
    return near;
}

/// Prefers cores with few ranks, then near ones, then those from the rank's own part on, so that engines that cannot
/// see each other's cores do not collide if they have different GPUs.
std::vector<int> CpuShares::choose(const CpuPlace &place, std::size_t count,
                                   const std::vector<std::vector<int>> &taken) const
{
    const std::vector<device::CpuCore> &cores = m_topology.cores;
    const std::vector<int> users = usersOfCores(taken);
    const std::vector<std::size_t> near = coresNear(place);
    std::size_t begin = near[asSize(place.part) * near.size() / atLeastOne(asSize(place.neighbours)) % near.size()];
    for (std::size_t i = 0; place.near.empty() && i < cores.size(); ++i) {
        if (isAmong(cores[i], {place.first}))
            begin = i;
    }
    std::map<int, int> freeIn;  // by NUMA node
    for (std::size_t i = 0; i < cores.size(); ++i)
        freeIn[cores[i].node] += users[i] == 0 ? 1 : 0;
    int node = cores[begin].node;
    for (const auto &[other, free] : freeIn) {  // as many as possible in one node
        if (freeIn[node] < static_cast<int>(count) && free > freeIn[node])
            node = other;
    }
    const auto rating = [&](std::size_t i) {
        const bool isNear = std::binary_search(near.begin(), near.end(), i);
        return std::tuple(!isNear && count <= near.size(), users[i], !isNear, cores[i].node != node,
                          (i + cores.size() - begin) % cores.size());
    };
    std::vector<std::size_t> order(cores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rating(a) < rating(b); });
    std::vector<int> cpus;
    for (std::size_t i = 0; i < count; ++i)
        cpus.insert(cpus.end(), cores[order[i]].cpus.begin(), cores[order[i]].cpus.end());
    std::sort(cpus.begin(), cpus.end());
    return cpus;
}

std::vector<std::string> CpuShares::holdersOf(int cpu) const
{
    std::vector<std::string> holders;
    for (const auto &[holder, ranks] : m_assigned) {
        if (std::any_of(ranks.begin(), ranks.end(),
                        [cpu](const auto &cpus) { return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end(); }))
            holders.push_back(holder);
    }
    return holders;
}

std::vector<int> CpuShares::usersOfCores(const std::vector<std::vector<int>> &more) const
{
    std::vector<int> users(m_topology.cores.size(), 0);
    const auto count = [&](const std::vector<std::vector<int>> &ranks) {
        for (const std::vector<int> &cpus : ranks) {
            const std::set<int> has(cpus.begin(), cpus.end());
            for (std::size_t i = 0; i < users.size(); ++i)
                users[i] += isAmong(m_topology.cores[i], has) ? 1 : 0;
        }
    };
    for (const auto &[holder, ranks] : m_assigned)
        count(ranks);
    count(more);
    return users;
}

}  // namespace sweepscope::schedule
