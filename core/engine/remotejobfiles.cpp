#include "engine/remotejobfiles.h"

#include "engine/remotestart.h"

#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;
using std::chrono::steady_clock;

/// An agent tidies up for about as long when its ranks have ended.
constexpr auto untilAgentEnds = 5s;
/// On several nodes they end one after the other, and usually with the job.
constexpr auto untilAgentsEnd = 60s;

}  // namespace

RemoteJobFiles::RemoteJobFiles(MachinePool &machines, Attempt attempt)
    : m_machines(machines), m_attempt(std::move(attempt))
{}

std::optional<tl::expected<JobFiles::Place, Fact>> RemoteJobFiles::place()
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr || !m_attempt.start)
        return std::nullopt;
    const auto answer = connection->takeAnswer(*m_attempt.start);
    if (!answer)
        return std::nullopt;
    m_attempt.start.reset();
    if (!*answer)
        return tl::unexpected(refusalIn(answer->error()));
    return Place{connection->status().welcome.folder + "/" + m_attempt.folder, (*answer)->text};
}

bool RemoteJobFiles::withdraw()
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr)
        return false;
    if (!m_withdrawal)
        m_withdrawal = connection->post(node::Withdraw{0, m_attempt.folder, m_attempt.id, true});
    const auto answer = connection->takeAnswer(*m_withdrawal);
    if (answer && !*answer)
        m_withdrawal.reset();  // it is tried again
    return answer && *answer && (*answer)->text.empty();
}

bool RemoteJobFiles::isReachable() const
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr || !connection->isConnected())
        return false;
    connection->follow(m_attempt.agentFolder, m_isClosing ? std::optional(node::Process()) : std::nullopt);
    return true;
}

/// Not when the machine is away for long: the job goes on, and Slurm limits its time.
Fact RemoteJobFiles::lost() const
{
    if (m_machines.connection(m_attempt.machine) != nullptr)
        return {};
    return Fact(Code::MachineRemoved).with(Field::Machine, m_attempt.machine);
}

/// The agent runs on another machine, so a process that does not exist stands for it: the node process reports its end, and
/// when all files have been sent.
bool RemoteJobFiles::isComplete(bool hasJobEnded)
{
    const auto now = steady_clock::now();
    if (!m_asked)
        m_asked = now;
    m_isClosing =
        m_isClosing || hasJobEnded || now - *m_asked >= (m_attempt.hasOthers ? untilAgentsEnd : untilAgentEnds);
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr)
        return true;
    if (!m_isClosing)
        return false;
    connection->follow(m_attempt.agentFolder, node::Process());
    return std::exchange(m_wasComplete, connection->isLevel(m_attempt.agentFolder)) && m_wasComplete;
}

Expected<void> RemoteJobFiles::write(const std::string &name, const std::string &content)
{
    return post(m_attempt.folder + "/" + name, content);
}

Expected<void> RemoteJobFiles::handOver(const std::string &other, const std::string &folder)
{
    return post(AttemptLayout{other}.nextOfJob().string(), folder + "\n");
}

Expected<void> RemoteJobFiles::post(const std::string &path, const std::string &content)
{
    remote::MachineConnection *connection = m_machines.connection(m_attempt.machine);
    if (connection == nullptr)
        return makeError(ErrorCode::NotFound, "the machine " + m_attempt.machine + " was removed");
    connection->post(node::Write{0, path}, content);
    return {};
}

void RemoteJobFiles::ended()
{
    if (remote::MachineConnection *connection = m_machines.connection(m_attempt.machine))
        connection->finish(m_attempt.agentFolder);
}

}  // namespace sweepscope::engine
