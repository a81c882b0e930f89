#include "engine/remoteagent.h"

#include "engine/remotestart.h"

#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

node::Process processOf(const launch::ProcessIdentity &identity)
{
    return {identity.pid, static_cast<std::int64_t>(identity.startTime)};
}

launch::ProcessIdentity identityOf(const node::Process &process)
{
    return {static_cast<pid_t>(process.pid), static_cast<std::uint64_t>(process.began)};
}

}  // namespace

RemoteAgent::RemoteAgent(MachinePool &machines, Attempt attempt) : m_machines(machines), m_attempt(std::move(attempt))
{
    if (m_attempt.agent)
        found(*m_attempt.agent);
}

/// While its environment is set up and its code is sent, which may take minutes.
void RemoteAgent::withdraw(bool /*isUrgent*/)
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    m_isCancelled =
        m_isCancelled || (connection != nullptr && m_attempt.start && connection->cancelStart(*m_attempt.start));
}

bool RemoteAgent::isReachable() const
{
    if (m_isCancelled)
        return true;  // the machine need not be asked
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr || !connection->isConnected())
        return false;
    if (!m_attempt.agent)
        return true;
    connection->follow(m_attempt.folder, processOf(*m_attempt.agent));
    return connection->life(m_attempt.folder).has_value();
}

Fact RemoteAgent::lost()
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr)
        return Fact(Code::MachineRemoved).with(Field::Machine, m_attempt.machine);
    const std::optional<std::chrono::seconds> limit = m_machines.lostAfter(m_attempt.machine);
    if (!limit || connection->isConnected())
        return {};
    const auto away = std::chrono::steady_clock::now() - connection->status().since;
    if (away < *limit)
        return {};
    if (m_attempt.agent)
        giveUp(*m_attempt.agent);
    return Fact(Code::MachineAway)
        .with(Field::Machine, m_attempt.machine)
        .with(Field::Seconds, std::chrono::duration<double>(*limit).count());
}

void RemoteAgent::giveUp(const launch::ProcessIdentity &agent)
{
    if (remote::MachineConnection *connection = m_machines.connection(m_attempt.machine))
        connection->giveUp(m_attempt.folder, processOf(agent));
}

std::optional<launch::AgentLife> RemoteAgent::life(const launch::ProcessIdentity & /*agent*/) const
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    const auto life = connection != nullptr ? connection->life(m_attempt.folder) : std::nullopt;
    if (!life || !life->runs)
        return std::nullopt;
    return launch::AgentLife{life->past, life->stopped};
}

std::uint64_t RemoteAgent::looks() const
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    return connection != nullptr ? connection->looks(m_attempt.folder) : 0;
}

std::optional<std::uint64_t> RemoteAgent::activity(const launch::ProcessIdentity & /*agent*/) const
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    const auto life = connection != nullptr ? connection->life(m_attempt.folder) : std::nullopt;
    return life && life->activity != 0 ? std::optional(static_cast<std::uint64_t>(life->activity)) : std::nullopt;
}

void RemoteAgent::signal(const launch::ProcessIdentity &agent, int signal)
{
    if (remote::MachineConnection *connection = m_machines.connection(m_attempt.machine))
        connection->post(node::Signal{0, processOf(agent), signal});
}

AgentFound RemoteAgent::find(WallNs /*now*/)
{
    if (m_isCancelled)
        return {{}, Code::StoppedOnRequest};
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr)
        return {};
    if (m_attempt.start) {
        const auto answer = connection->takeAnswer(*m_attempt.start);
        if (!answer)
            return {};
        m_attempt.start.reset();
        if (!*answer) {
            const Fact refusal = refusalIn(answer->error());
            m_machines.noteRefusal(m_attempt.machine, refusal);
            return {{}, Fact(Code::OnMachine).with(Field::Machine, m_attempt.machine).dueTo(refusal)};
        }
        m_machines.noteStart(m_attempt.machine);
        found(identityOf((*answer)->process));
        return {m_attempt.agent};
    }
    if (!m_withdrawal)
        m_withdrawal = connection->post(node::Withdraw{0, m_attempt.folder, m_attempt.id});
    const auto answer = connection->takeAnswer(*m_withdrawal);
    if (!answer)
        return {};
    if (!*answer || (*answer)->process.pid == 0)
        return {{}, Code::EngineEndedBeforeStart};
    found(identityOf((*answer)->process));
    return {m_attempt.agent};
}

void RemoteAgent::found(const launch::ProcessIdentity &agent)
{
    m_attempt.agent = agent;
    if (remote::MachineConnection *connection = m_machines.connection(m_attempt.machine))
        connection->follow(m_attempt.folder, processOf(agent));
}

/// What an agent leaves when its disk is full stays there.
bool RemoteAgent::needsRecovery(const launch::ProcessIdentity & /*agent*/) const
{
    return false;
}

std::optional<node::Recovery> RemoteAgent::recover(const launch::ProcessIdentity &agent)
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr)
        return node::Recovery();
    if (!m_recovery)
        m_recovery =
            connection->post(node::Recover{0, m_attempt.folder, m_attempt.id, m_attempt.ranks, processOf(agent)});
    const auto answer = connection->takeAnswer(*m_recovery);
    if (!answer)
        return std::nullopt;
    m_recovery.reset();
    return node::Recovery{*answer ? (*answer)->text : answer->error().message, false};
}

void RemoteAgent::ended()
{
    if (remote::MachineConnection *connection = m_machines.connection(m_attempt.machine))
        connection->finish(m_attempt.folder);
}

Expected<void> RemoteAgent::write(const std::string &name, const std::string &content)
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr)
        return makeError(ErrorCode::NotFound, "the machine " + m_attempt.machine + " was removed");
    connection->post(node::Write{0, m_attempt.folder + "/" + name}, content);
    return {};
}

}  // namespace sweepscope::engine
