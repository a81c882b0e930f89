#include "engine/attemptparts.h"

#include "launch/firsterror.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

bool onlyLostOthers(const Fact &reason)
{
    return launch::blamesPeer(reason.text(Field::Detail)) || std::ranges::any_of(reason.because, onlyLostOthers);
}

/// The less, the more likely it is the first cause.
int orderOf(const AttemptVerdict &verdict, bool isEndRequested)
{
    if (verdict.end == AttemptEnd::Completed)
        return 4;
    if (verdict.end == AttemptEnd::Stopped)
        return 2;
    if (!onlyLostOthers(verdict.reason))
        return 0;
    return isEndRequested ? 3 : 1;
}

}  // namespace

std::vector<AttemptPart> partsOf(const std::vector<std::string> &devices, int ranks)
{
    std::vector<AttemptPart> parts;
    const std::size_t perRank = ranks > 0 ? devices.size() / static_cast<std::size_t>(ranks) : 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string machine =
            perRank > 0 ? sweep::machineOf(devices[static_cast<std::size_t>(rank) * perRank]) : std::string();
        if (parts.empty() || parts.back().machine != machine)
            parts.push_back({machine, rank, 0});
        ++parts.back().ranks;
    }
    return parts;
}

std::vector<AttemptPart> partsOfJob(const std::string &machine, int ranks, int nodes)
{
    std::vector<AttemptPart> parts;
    for (int node = 0; node < nodes; ++node)
        parts.push_back({machine, node * (ranks / nodes), ranks / nodes});
    return parts;
}

AttemptLayout filesOf(const AttemptLayout &attempt, const AttemptPart &part)
{
    return part.firstRank == 0 ? attempt : attempt.ofRanks(part.firstRank, part.firstRank + part.ranks - 1);
}

schedule::Allocation shareOf(const schedule::Allocation &whole, const AttemptPart &part)
{
    schedule::Allocation share;
    const auto first = whole.perRank.begin() + part.firstRank;
    share.perRank.assign(first, first + part.ranks);
    share.cpu.threads = whole.cpu.threads;
    share.simulated = whole.simulated;
    share.machine = part.machine;
    return share;
}

launch::LaunchSpec shareOf(launch::LaunchSpec whole, const std::vector<AttemptPart> &parts, std::size_t index,
                           const std::string &masterAddress, int masterPort)
{
    const AttemptPart &part = parts[index];
    whole.node = launch::NodePart{static_cast<int>(index), static_cast<int>(parts.size()),
                                  part.firstRank,          whole.ranks,
                                  masterAddress,           masterPort};
    whole.ranks = part.ranks;
    const auto first = whole.devices.begin() + part.firstRank;
    whole.devices = std::vector(first, first + part.ranks);
    whole.cpus.clear();
    return whole;
}

std::map<std::string, launch::LaunchSpec> launchFilesOf(const launch::LaunchSpec &whole, int nodes)
{
    if (nodes <= 1)
        return {{AttemptLayout{}.launchFile().string(), whole}};
    std::map<std::string, launch::LaunchSpec> files;
    const std::vector<AttemptPart> parts = partsOfJob({}, whole.ranks, nodes);
    for (std::size_t index = 0; index < parts.size(); ++index) {
        launch::LaunchSpec share = shareOf(whole, parts, index, {}, 0);
        share.node->ofJob = true;
        files.emplace(filesOf(AttemptLayout{}, parts[index]).launchFile().string(), std::move(share));
    }
    return files;
}

AttemptVerdict verdictOf(const std::vector<PartEnd> &ends, bool isEndRequested)
{
    const auto cause = std::ranges::min_element(
        ends, {}, [isEndRequested](const PartEnd &end) { return orderOf(end.verdict, isEndRequested); });
    AttemptVerdict verdict = cause->verdict;
    for (const PartEnd &end : ends) {
        verdict.time = std::max(verdict.time, end.verdict.time);
        verdict.withoutAgent = verdict.withoutAgent || end.verdict.withoutAgent;
    }
    const bool isAnybodysFault = verdict.end != AttemptEnd::Completed && verdict.end != AttemptEnd::Stopped;
    const bool areMachinesNamed =  // those of a job are nodes of one cluster
        std::ranges::any_of(ends, [&](const PartEnd &end) { return end.machine != cause->machine; });
    constexpr std::array withMachine{Code::OnMachine, Code::NodesUnreachable, Code::MachineAway, Code::MachineRemoved};
    if (isAnybodysFault && areMachinesNamed && verdict.reason
        && std::ranges::find(withMachine, verdict.reason.code) == withMachine.end())
        verdict.reason = Fact(Code::OnMachine).with(Field::Machine, cause->machine).dueTo(std::move(verdict.reason));
    return verdict;
}

}  // namespace sweepscope::engine
