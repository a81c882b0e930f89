#include "remote/slurmrunner.h"

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

}  // namespace sweepscope::remote
