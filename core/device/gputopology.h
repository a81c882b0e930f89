#pragma once

#include "facts/fact.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sweepscope::device {

/// What lies between two GPUs, the best first; what `nvidia-smi topo -m` says in brackets.
enum class GpuPath {
    NvLink,      ///< direct, or over a switch (NV#)
    Board,       ///< two GPUs of one board (PSB, PIX)
    Switch,      ///< one PCIe switch (PIX)
    Switches,    ///< several, and no CPU (PXB)
    HostBridge,  ///< the CPU's PCIe root (PHB)
    Node,        ///< several of them, of one NUMA node (NODE)
    System,      ///< from one NUMA node to another (SYS)
    Unknown,
};

struct GpuLink {
    GpuPath path = GpuPath::Unknown;
    int nvlinks = 0;  ///< between the two

    bool operator==(const GpuLink &) const = default;
};

/// "NV12", "PIX", …; "?" when it is not known.
std::string shortName(const GpuLink &link);
/// Returns nullopt for what shortName() does not return, and for "?".
std::optional<GpuLink> linkNamed(std::string_view name);

/// How the GPUs of a machine are connected with each other, by id.
class GpuTopology {
public:
    void set(const std::string &a, const std::string &b, GpuLink link) { m_links[key(a, b)] = link; }
    /// Unknown for those of which nothing was said.
    GpuLink between(const std::string &a, const std::string &b) const;
    bool isEmpty() const { return m_links.empty(); }
    void merge(GpuTopology other) { m_links.merge(other.m_links); }

    bool operator==(const GpuTopology &) const = default;

private:
    static std::pair<std::string, std::string> key(const std::string &a, const std::string &b);

    std::map<std::pair<std::string, std::string>, GpuLink> m_links;
};

/// The `count` of `candidates` that are best connected with each other and with those that are `certain`; of equals the
/// first. As collectives wait for the slowest, a slow pair counts more than several good ones make up for.
std::vector<std::string> bestGroup(const GpuTopology &topology, const std::vector<std::string> &certain,
                                   const std::vector<std::string> &candidates, std::size_t count);

/// GpusConnected; the worst pair decides. None for a single one.
facts::Fact connectionOf(const GpuTopology &topology, const std::vector<std::string> &gpus);

/// By the PCI devices that lie above both in /sys, and their NUMA nodes. `root` is for tests.
GpuPath pathInSysfs(const std::string &root, const std::string &pciBusA, const std::string &pciBusB);

/// CPUs near a PCI device, by /sys; empty when it does not say.
std::vector<int> cpusNearPciDevice(const std::string &root, const std::string &pciBus);

}  // namespace sweepscope::device
