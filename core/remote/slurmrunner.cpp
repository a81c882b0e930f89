#include "remote/slurmrunner.h"

#include <atomic>
#include <mutex>
#include <utility>

namespace sweepscope::remote {

slurm::Runner slurmRunner(const Ssh &ssh)
{
    return [&ssh](const std::vector<std::string> &command, const std::string &input,
                  std::chrono::milliseconds limit) -> Expected<slurm::Output> {
        std::string words;
        for (const std::string &word : command)
            words += (words.empty() ? "" : " ") + shellWord(word);
        // 255, which sbatch exits with, is ssh's own code.
        const std::string script = words + "; code=$?; [ $code -ne 255 ] || code=254; exit $code";
        const std::string login = "exec $(command -v bash || command -v sh) -lc " + shellWord(script);
        const Expected<Ssh::Output> output = ssh.run(inShell(login), QByteArray::fromStdString(input), limit);
        if (!output)
            return tl::unexpected(output.error());
        return slurm::Output{output->exitCode, output->output.toStdString(), output->errors.toStdString()};
    };
}

struct LoginNode::Wishes {
    std::mutex mutex;
    SshTarget target;
    std::atomic<bool> isEnding = false;
};

/// Of the thread that runs programs.
struct LoginNode::Connection {
    std::shared_ptr<Wishes> wishes;
    std::unique_ptr<Ssh> ssh{};
    SshTarget target{};

    Expected<void> prepare()
    {
        SshTarget wanted;
        {
            const std::scoped_lock lock(wishes->mutex);
            wanted = wishes->target;
        }
        if (ssh && target == wanted)
            return {};
        target = std::move(wanted);
        ssh = std::make_unique<Ssh>(target, Questions::Refused);
        ssh->cancelWhen(wishes->isEnding);
        Expected<void> connected = ssh->connect();
        if (!connected)
            ssh.reset();
        return connected;
    }
};

LoginNode::LoginNode(SshTarget target) : m_wishes(std::make_shared<Wishes>())
{
    m_wishes->target = std::move(target);
}

LoginNode::~LoginNode()
{
    m_wishes->isEnding = true;
}

void LoginNode::use(const SshTarget &target)
{
    const std::scoped_lock lock(m_wishes->mutex);
    m_wishes->target = target;
}

slurm::Runner LoginNode::runner() const
{
    return [connection = std::make_shared<Connection>(Connection{m_wishes})](
               const std::vector<std::string> &command, const std::string &input,
               std::chrono::milliseconds limit) -> Expected<slurm::Output> {
        if (Expected<void> prepared = connection->prepare(); !prepared)
            return tl::unexpected(prepared.error());
        Expected<slurm::Output> output = slurmRunner(*connection->ssh)(command, input, limit);
        if (!output && output.error().code == ErrorCode::Unavailable)
            connection->ssh.reset();
        return output;
    };
}

}  // namespace sweepscope::remote
