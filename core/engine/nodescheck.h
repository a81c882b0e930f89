#pragma once

#include "engine/machinepool.h"
#include "node/reachability.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::engine {

/// Returns the address at which ranks on `from` reach `machine`; empty: it is not known. Empty names: this machine.
std::string addressOf(MachinePool &machines, const std::string &machine, const std::string &from);

/// Tries whether ranks on these machines can reach each other: each connects to each.
class NodesCheck {
public:
    NodesCheck(MachinePool &machines, std::vector<std::string> nodes);

    /// Call until it returns a fact: None, or NodesUnreachable of the first pair.
    std::optional<facts::Fact> poll();

private:
    using Pair = std::pair<std::size_t, std::size_t>;  ///< from, to: of m_nodes
    bool listen();
    facts::Fact dialAll();
    facts::Fact unreachable(Pair pair, const std::string &why) const;

    MachinePool &m_machines;
    std::vector<std::string> m_nodes;
    node::Reachability m_here;
    std::vector<std::int64_t> m_listening;  ///< requests, by node; 0: none
    std::vector<int> m_ports;               ///< by node; 0: not known yet
    bool m_isDialing = false;
    std::map<std::int64_t, Pair> m_fromHere;
    std::map<std::pair<std::string, std::int64_t>, Pair> m_fromThere;  ///< by machine and request
    facts::Fact m_problem;
};

}  // namespace sweepscope::engine
