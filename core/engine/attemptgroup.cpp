#include "engine/attemptgroup.h"

#include "sweep/deviceplace.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;

/// Parts that fail for the same cause may report it first: what they say is waited for.
constexpr WallNs patienceWithCause = std::chrono::nanoseconds(2s).count();
/// For a machine that cannot be reached when the attempt has ended on another one.
constexpr WallNs patienceWithMachine = std::chrono::nanoseconds(60s).count();

std::string nameOf(const std::string &machine)
{
    return machine.empty() ? sweep::thisMachine : machine;
}

}  // namespace

AttemptGroup::AttemptGroup(std::vector<Part> parts, std::unique_ptr<NodesCheck> check,
                           std::function<void(const Fact &)> noteCheck)
    : m_parts(std::move(parts)),
      m_check(std::move(check)),
      m_noteCheck(std::move(noteCheck)),
      m_hasEnded(m_parts.size())
{}

void AttemptGroup::poll(WallNs now)
{
    if (m_verdict)
        return;
    for (Part &part : m_parts) {
        if (part.monitor)
            part.monitor->poll(now);
    }
    if (!m_endingSince && !m_isStopRequested)
        beginOthers(now);
    noteEnds(now);
    if (m_endingSince)
        endOthers(now);
    const bool isOver = std::ranges::all_of(m_hasEnded, [](bool ended) { return ended; });
    if (isOver)
        m_verdict = verdictOf(m_ends, m_isStopRequested || m_isSaveRequested);
}

void AttemptGroup::beginOthers(WallNs now)
{
    const auto isWaiting = [](const Part &part) { return part.begin != nullptr; };
    if (std::ranges::none_of(m_parts, isWaiting))
        return;
    if (m_check) {
        const std::optional<Fact> problem = m_check->poll();
        if (!problem)
            return;
        m_check.reset();
        m_noteCheck(*problem);
        if (*problem)
            return endWith({AttemptEnd::NeverStarted, *problem, now, {}}, 1, now);
    }
    const std::optional<int> port = first().masterPort();
    if (!port)
        return;
    for (Part &part : m_parts) {
        if (isWaiting(part))
            part.monitor = std::exchange(part.begin, nullptr)(*port);
    }
}

/// A part that has not begun does not begin once another has ended.
void AttemptGroup::noteEnds(WallNs now)
{
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (!m_hasEnded[i] && m_parts[i].monitor && m_parts[i].monitor->verdict())
            endWith(*m_parts[i].monitor->verdict(), i, now);
    }
    if (!m_endingSince && !m_isStopRequested && std::ranges::none_of(m_hasEnded, [](bool ended) { return ended; }))
        return;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (!m_hasEnded[i] && !m_parts[i].monitor)
            endWith({AttemptEnd::Stopped, Code::StoppedOnRequest, now, {}}, i, now);
    }
}

void AttemptGroup::endWith(AttemptVerdict verdict, std::size_t part, WallNs now)
{
    if (verdict.end != AttemptEnd::Completed && !m_endingSince)
        m_endingSince = now;
    // A person stopped it; the ranks on a machine that is away are killed once it is back.
    if (m_isStopRequested && verdict.end == AttemptEnd::Lost && verdict.reason.code == Code::MachineAway)
        verdict = {AttemptEnd::Stopped, Code::StoppedOnRequest, verdict.time, {}};
    // It was asked to stop because others had lost it, and its agent had been killed before.
    if (verdict.end == AttemptEnd::Stopped && verdict.withoutAgent && !m_isStopRequested && !m_isSaveRequested) {
        const auto &agent = m_parts[part].monitor->agent();
        verdict.end = AttemptEnd::Lost;
        verdict.reason = Fact(Code::AgentLost).with(Field::Pid, agent ? static_cast<std::int64_t>(agent->pid) : 0);
        verdict.failure = launch::FailureKind::Lost;
    }
    m_parts[part].begin = nullptr;
    m_hasEnded[part] = true;
    m_ends.push_back({nameOf(m_parts[part].machine), std::move(verdict)});
}

void AttemptGroup::endOthers(WallNs now)
{
    if (!m_othersAreStopped && now - *m_endingSince >= patienceWithCause) {
        m_othersAreStopped = true;
        for (Part &part : m_parts) {
            if (part.monitor && !part.monitor->verdict())
                part.monitor->stop(now);
        }
    }
    if (now - *m_endingSince < patienceWithMachine)
        return;
    for (Part &part : m_parts) {
        const auto silence = part.monitor ? part.monitor->silence() : std::nullopt;
        if (silence && silence->isUnreachable)
            part.monitor->giveUp(Fact(Code::MachineAway)
                                     .with(Field::Machine, part.machine)
                                     .with(Field::Seconds, static_cast<double>(patienceWithMachine) * 1e-9),
                                 now);
    }
}

void AttemptGroup::stop(WallNs now)
{
    m_isStopRequested = true;
    for (Part &part : m_parts) {
        if (part.monitor)
            part.monitor->stop(now);
    }
}

void AttemptGroup::kill(WallNs now)
{
    m_isStopRequested = true;
    for (Part &part : m_parts) {
        if (part.monitor)
            part.monitor->kill(now);
    }
}

void AttemptGroup::saveAndEnd()
{
    m_isSaveRequested = true;
    for (Part &part : m_parts) {
        if (part.monitor)
            part.monitor->saveAndEnd();
    }
}

void AttemptGroup::freeze()
{
    for (Part &part : m_parts) {
        if (part.monitor)
            part.monitor->freeze();
    }
}

void AttemptGroup::thaw()
{
    for (Part &part : m_parts) {
        if (part.monitor)
            part.monitor->thaw();
    }
}

/// Stops at the first error.
template <typename Ask>
Expected<void> AttemptGroup::askEach(const Ask &ask)
{
    Expected<void> all;
    for (Part &part : m_parts) {
        if (part.monitor && all)
            all = ask(*part.monitor);
    }
    return all;
}

Expected<void> AttemptGroup::requestTrace(const sweep::TraceRequest &request)
{
    return askEach([&](AttemptMonitor &monitor) { return monitor.requestTrace(request); });
}

Expected<void> AttemptGroup::readOutput(const output::MetricsSection &metrics)
{
    return askEach([&](AttemptMonitor &monitor) { return monitor.readOutput(metrics); });
}

void AttemptGroup::moveWaits(WallNs change)
{
    if (m_endingSince)
        *m_endingSince += change;
    for (Part &part : m_parts) {
        if (part.monitor)
            part.monitor->moveWaits(change);
    }
}

void AttemptGroup::failToStart(AttemptEnd end, Fact reason, WallNs now)
{
    m_verdict = AttemptVerdict{end, std::move(reason), now, {}};
    if (end == AttemptEnd::Failed)
        m_verdict->failure = launch::FailureKind::NotStarted;
}

bool AttemptGroup::ranksStarted() const
{
    return std::ranges::all_of(
        m_parts, [](const Part &part) { return part.monitor != nullptr && part.monitor->ranksStarted(); });
}

std::optional<AgentSilence> AttemptGroup::silence() const
{
    for (const Part &part : m_parts) {
        auto silence = part.monitor && !part.monitor->verdict() ? part.monitor->silence() : std::nullopt;
        if (!silence)
            continue;
        silence->machine = part.machine;
        return silence;
    }
    return std::nullopt;
}

std::string AttemptGroup::takeWarning()
{
    for (Part &part : m_parts) {
        if (std::string warning = part.monitor ? part.monitor->takeWarning() : std::string(); !warning.empty())
            return nameOf(part.machine) + ": " + warning;
    }
    return {};
}

}  // namespace sweepscope::engine
