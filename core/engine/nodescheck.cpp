#include "engine/nodescheck.h"

#include "sweep/deviceplace.h"

#include <charconv>

namespace sweepscope::engine {

using facts::Code;
using facts::Fact;
using facts::Field;

std::string addressOf(MachinePool &machines, const std::string &machine, const std::string &from)
{
    if (machine.empty()) {
        const remote::MachineConnection *there = machines.connection(from);
        return there != nullptr ? there->status().welcome.engine : std::string();
    }
    const remote::MachineConnection *there = machines.connection(machine);
    if (there == nullptr)
        return {};
    return there->machine().address.empty() ? there->status().welcome.address : there->machine().address;
}

NodesCheck::NodesCheck(MachinePool &machines, std::vector<std::string> nodes)
    : m_machines(machines), m_nodes(std::move(nodes)), m_listening(m_nodes.size()), m_ports(m_nodes.size())
{}

std::optional<Fact> NodesCheck::poll()
{
    if (m_problem)
        return m_problem;
    if (!m_isDialing) {
        if (!listen())
            return m_problem ? std::optional(m_problem) : std::nullopt;
        m_isDialing = true;
        m_problem = dialAll();
    }
    for (const auto &[job, result] : m_here.poll()) {
        const auto pair = m_fromHere.extract(job);
        if (!result && !m_problem)
            m_problem = unreachable(pair.mapped(), result.error().message);
    }
    for (auto item = m_fromThere.begin(); item != m_fromThere.end();) {
        remote::MachineConnection *machine = m_machines.connection(item->first.first);
        const auto answer = machine != nullptr ? machine->takeAnswer(item->first.second) : std::nullopt;
        if (answer && !*answer && !m_problem)
            m_problem = unreachable(item->second, answer->error().message);
        item = answer ? m_fromThere.erase(item) : std::next(item);
    }
    const bool isDone = m_problem || (m_fromHere.empty() && m_fromThere.empty());
    return isDone ? std::optional(m_problem) : std::nullopt;
}

/// Returns whether all ports are known.
bool NodesCheck::listen()
{
    bool areKnown = true;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        if (m_ports[i] != 0)
            continue;
        areKnown = false;
        if (m_nodes[i].empty()) {
            const Expected<int> port = m_here.listen();
            if (!port)
                m_problem = unreachable({i, i}, port.error().message);
            m_ports[i] = port.value_or(0);
            continue;
        }
        remote::MachineConnection *machine = m_machines.connection(m_nodes[i]);
        if (machine == nullptr)
            continue;
        if (m_listening[i] == 0)
            m_listening[i] = machine->post(node::Listen{});
        const auto answer = machine->takeAnswer(m_listening[i]);
        if (!answer)
            continue;
        if (!*answer) {
            m_problem = unreachable({i, i}, answer->error().message);
            continue;
        }
        const std::string &text = (*answer)->text;
        std::from_chars(text.data(), text.data() + text.size(), m_ports[i]);
    }
    return areKnown;
}

Fact NodesCheck::dialAll()
{
    std::int64_t last = 0;
    for (std::size_t from = 0; from < m_nodes.size(); ++from) {
        for (std::size_t to = 0; to < m_nodes.size(); ++to) {
            if (from == to)
                continue;
            const std::string address = addressOf(m_machines, m_nodes[to], m_nodes[from]);
            if (address.empty())
                return unreachable({from, to}, "its address is not known: set `address` in machines.toml");
            if (m_nodes[from].empty()) {
                m_here.dial(++last, address, m_ports[to]);
                m_fromHere[last] = {from, to};
            } else if (remote::MachineConnection *machine = m_machines.connection(m_nodes[from])) {
                m_fromThere[{m_nodes[from], machine->post(node::Dial{0, address, m_ports[to]})}] = {from, to};
            }
        }
    }
    return {};
}

Fact NodesCheck::unreachable(Pair pair, const std::string &why) const
{
    const auto nameOf = [this](std::size_t index) {
        return m_nodes[index].empty() ? std::string(sweep::thisMachine) : m_nodes[index];
    };
    return Fact(Code::NodesUnreachable)
        .with(Field::Machine, nameOf(pair.first))
        .with(Field::Peer, nameOf(pair.second))
        .with(Field::Detail, why);
}

}  // namespace sweepscope::engine
