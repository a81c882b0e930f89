#include "device/gputopology.h"

#include "base/files.h"
#include "process/cpulist.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <system_error>

namespace sweepscope::device {

namespace {

constexpr int mostNvlinks = 64;
constexpr std::uint64_t mostFileBytes = 64 * 1024;
/// Beyond it the best so far has to do: a machine of 16 GPUs needs some thousands.
constexpr int mostSteps = 200'000;

/// Each kind of path counts four times the one that is better.
std::int64_t costOf(const GpuLink &link)
{
    if (link.path == GpuPath::NvLink)
        return mostNvlinks + 1 - std::clamp(link.nvlinks, 1, mostNvlinks);
    std::int64_t cost = mostNvlinks * 4;
    for (int path = static_cast<int>(GpuPath::Board); path < static_cast<int>(link.path); ++path)
        cost *= 4;
    return cost;
}

/// Takes one candidate after the other, and leaves what cannot become better than the best so far.
class GroupSearch {
public:
    GroupSearch(const GpuTopology &topology, const std::vector<std::string> &certain,
                const std::vector<std::string> &candidates, std::size_t count)
        : m_count(count), m_costs(candidates.size(), std::vector<std::int64_t>(candidates.size(), 0))
    {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            std::int64_t cost = 0;
            for (const std::string &gpu : certain)
                cost += costOf(topology.between(gpu, candidates[i]));
            m_toCertain.push_back(cost);
            m_leastSingle = std::min(m_leastSingle, cost);
            for (std::size_t j = 0; j < i; ++j) {
                m_costs[i][j] = m_costs[j][i] = costOf(topology.between(candidates[i], candidates[j]));
                m_leastPair = std::min(m_leastPair, m_costs[i][j]);
            }
        }
        extend(0, 0);
    }
    const std::vector<std::size_t> &best() const { return m_best; }

private:
    /// What the rest costs at least.
    std::int64_t leastOfRest() const
    {
        const auto have = static_cast<std::int64_t>(m_chosen.size());
        const auto rest = static_cast<std::int64_t>(m_count) - have;
        const std::int64_t pairs = rest * have + rest * (rest - 1) / 2;
        return rest * m_leastSingle + (pairs > 0 ? pairs * m_leastPair : 0);
    }

    void extend(std::size_t from, std::int64_t cost)
    {
        if (m_chosen.size() == m_count) {
            m_best = m_chosen;
            m_bestCost = cost;
            return;
        }
        const std::size_t rest = m_count - m_chosen.size();
        for (std::size_t i = from; i + rest <= m_costs.size(); ++i) {
            if (++m_steps > mostSteps && !m_best.empty())
                return;
            std::int64_t more = m_toCertain[i];
            for (const std::size_t other : m_chosen)
                more += m_costs[i][other];
            m_chosen.push_back(i);
            if (m_best.empty() || cost + more + leastOfRest() < m_bestCost)
                extend(i + 1, cost + more);
            m_chosen.pop_back();
        }
    }

    std::size_t m_count;
    std::vector<std::vector<std::int64_t>> m_costs;
    std::vector<std::int64_t> m_toCertain;
    std::int64_t m_leastSingle = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_leastPair = std::numeric_limits<std::int64_t>::max();
    std::vector<std::size_t> m_chosen, m_best;
    std::int64_t m_bestCost = 0;
    int m_steps = 0;
};

/// NVML's "00000000:3B:00.0" is "0000:3b:00.0" there.
std::filesystem::path pciFolder(const std::string &root, std::string bus)
{
    std::transform(bus.begin(), bus.end(), bus.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::size_t domain = bus.find(':');
    if (domain != std::string::npos && domain > 4)
        bus = bus.substr(domain - 4);
    const bool isPlain = !bus.empty() && std::all_of(bus.begin(), bus.end(), [](unsigned char c) {
        return std::isxdigit(c) || c == ':' || c == '.';
    });
    return isPlain ? std::filesystem::path(root + "/sys/bus/pci/devices") / bus : std::filesystem::path();
}

/// The bridges that lie above it, from the root on: "pci0000:00", "0000:00:01.0", …
std::vector<std::string> ancestors(const std::filesystem::path &folder)
{
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(folder, error);
    std::vector<std::string> parts;
    bool isBelowRoot = false;
    for (const std::filesystem::path &part : error ? std::filesystem::path() : real.parent_path()) {
        isBelowRoot = isBelowRoot || part.string().starts_with("pci");
        if (isBelowRoot)
            parts.push_back(part.string());
    }
    return parts;
}

std::optional<int> nodeOf(const std::filesystem::path &folder)
{
    const Expected<std::string> text = readFile(folder / "numa_node", mostFileBytes);
    const auto node = text ? process::parseCpuList(*text) : std::nullopt;  // "-1": not known
    return node && node->size() == 1 ? std::optional(node->front()) : std::nullopt;
}

std::string nameOf(GpuPath path)
{
    switch (path) {
    case GpuPath::NvLink:
        return "nvlink";
    case GpuPath::Board:
        return "board";
    case GpuPath::Switch:
        return "switch";
    case GpuPath::Switches:
        return "switches";
    case GpuPath::HostBridge:
        return "host_bridge";
    case GpuPath::Node:
        return "node";
    case GpuPath::System:
        return "system";
    case GpuPath::Unknown:
        break;
    }
    return "unknown";
}

}  // namespace

std::string shortName(const GpuLink &link)
{
    switch (link.path) {
    case GpuPath::NvLink:
        return "NV" + std::to_string(link.nvlinks);
    case GpuPath::Board:
    case GpuPath::Switch:
        return "PIX";
    case GpuPath::Switches:
        return "PXB";
    case GpuPath::HostBridge:
        return "PHB";
    case GpuPath::Node:
        return "NODE";
    case GpuPath::System:
        return "SYS";
    case GpuPath::Unknown:
        break;
    }
    return "?";
}

std::optional<GpuLink> linkNamed(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, GpuPath>, 5> paths{{{"PIX", GpuPath::Switch},
                                                                         {"PXB", GpuPath::Switches},
                                                                         {"PHB", GpuPath::HostBridge},
                                                                         {"NODE", GpuPath::Node},
                                                                         {"SYS", GpuPath::System}}};
    if (name.starts_with("NV")) {
        GpuLink link{GpuPath::NvLink};
        std::from_chars(name.data() + 2, name.data() + name.size(), link.nvlinks);
        return link;
    }
    for (const auto &[known, path] : paths) {
        if (name == known)
            return GpuLink{path};
    }
    return std::nullopt;
}

std::pair<std::string, std::string> GpuTopology::key(const std::string &a, const std::string &b)
{
    return std::minmax(a, b);
}

GpuLink GpuTopology::between(const std::string &a, const std::string &b) const
{
    const auto found = m_links.find(key(a, b));
    return found != m_links.end() ? found->second : GpuLink();
}

std::vector<std::string> bestGroup(const GpuTopology &topology, const std::vector<std::string> &certain,
                                   const std::vector<std::string> &candidates, std::size_t count)
{
    if (count >= candidates.size())
        return candidates;
    std::vector<std::string> group;
    if (topology.isEmpty() || count == 0) {
        group.assign(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count));
        return group;
    }
    const GroupSearch search(topology, certain, candidates, count);
    for (const std::size_t i : search.best())
        group.push_back(candidates[i]);
    return group;
}

facts::Fact connectionOf(const GpuTopology &topology, const std::vector<std::string> &gpus)
{
    const std::set<std::string> group(gpus.begin(), gpus.end());
    if (group.size() < 2)
        return {};
    GpuLink worst{GpuPath::NvLink, mostNvlinks};
    for (auto a = group.begin(); a != group.end(); ++a) {
        for (auto b = std::next(a); b != group.end(); ++b) {
            const GpuLink link = topology.between(*a, *b);
            if (costOf(link) > costOf(worst))
                worst = link;
        }
    }
    facts::Fact connection = facts::Fact(facts::Code::GpusConnected)
                                 .with(facts::Field::Count, static_cast<int>(group.size()))
                                 .with(facts::Field::Path, nameOf(worst.path));
    if (worst.path == GpuPath::NvLink)
        connection = std::move(connection).with(facts::Field::Links, worst.nvlinks);
    return connection;
}

GpuPath pathInSysfs(const std::string &root, const std::string &pciBusA, const std::string &pciBusB)
{
    const std::filesystem::path folderA = pciFolder(root, pciBusA);
    const std::filesystem::path folderB = pciFolder(root, pciBusB);
    if (folderA.empty() || folderB.empty())
        return GpuPath::Unknown;
    const std::vector<std::string> a = ancestors(folderA);
    const std::vector<std::string> b = ancestors(folderB);
    if (a.empty() || b.empty())
        return GpuPath::Unknown;
    const auto common =
        static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    if (common == 0) {
        const std::optional<int> nodeA = nodeOf(folderA);
        const std::optional<int> nodeB = nodeOf(folderB);
        return !nodeA || !nodeB ? GpuPath::Unknown : *nodeA == *nodeB ? GpuPath::Node : GpuPath::System;
    }
    if (common == 1)
        return GpuPath::HostBridge;
    // Each has its own port of the switch above it, so what they share ends there.
    const std::size_t own = std::max(a.size(), b.size()) - common;
    return own <= 1 ? GpuPath::Switch : GpuPath::Switches;
}

std::vector<int> cpusNearPciDevice(const std::string &root, const std::string &pciBus)
{
    const std::filesystem::path folder = pciFolder(root, pciBus);
    if (folder.empty())
        return {};
    const Expected<std::string> text = readFile(folder / "local_cpulist", mostFileBytes);
    return text ? process::parseCpuList(*text).value_or(std::vector<int>()) : std::vector<int>();
}

}  // namespace sweepscope::device
