#include "slurm/batchjob.h"

#include "base/workspacelayout.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sweepscope::slurm {

namespace {

constexpr std::chrono::seconds usualCheckpointTime{120};

std::string quoted(const std::string &word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::size_t nodesOf(const BatchJob &job)
{
    return 1 + job.otherFolders.size();
}

std::string quoted(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + quoted(word);
    return text;
}

/// Waits for a child and runs the traps meanwhile. Slurm sends SIGCONT with its warning, and of two signals that arrive during
/// bash's `wait` the trap of one is lost; `read` runs both. `never` is a pipe to which nothing is written.
constexpr const char *openNever = "exec {never}<> <(:)\n";

std::string waitFor(const std::string &pid)
{
    return "while kill -0 " + pid + " 2> /dev/null; do read -r -t 0.2 -u $never; done\n";
}

/// Runs one attempt after the other.
std::string loopScript(const BatchJob &job)
{
    const AttemptLayout files;
    constexpr int looksPerSecond = 10;
    std::string script = std::string("ending=\n") + openNever;
    for (const char *name : {"TERM", "QUIT", "USR2"})
        script += std::string("trap 'ending=1; kill -s ") + name + " $agent' " + name + "\n";
    for (const char *name : {"TSTP", "CONT"})
        script += std::string("trap 'kill -s ") + name + " $agent' " + name + "\n";
    script += "while :; do\n"
              "    SECONDS=0\n"
              "    : > "
              + files.nextOfJob().string() + "\n    " + quoted(job.command.front()) + " \"$PWD\" >> "
              + files.agentLog().string()
              + " 2>&1 &\n"
                "    agent=$!\n"
                "    "
              + waitFor("$agent")
              + "    [ -z \"$ending\" ] && [ $SECONDS -lt 600 ] || break\n"
                "    next=\n"
                "    for ((i = 0; i < "
              + std::to_string(job.lingers.count() * looksPerSecond)
              + "; ++i)); do\n"
                "        [ -z \"$ending\" ] || break\n"
                "        { IFS= read -r next < "
              + files.nextOfJob().string()
              + "; } 2> /dev/null && break\n"
                "        sleep 0.1\n"
                "    done\n"
                "    [ -n \"$next\" ] && [ -z \"$ending\" ] && cd \"$next\" && (set -C; echo \"$job\" > "
              + files.jobFile().string() + ") 2> /dev/null || break\n" + "done\n";
    return script;
}

/// What each node runs. srun tells it the address of the first one.
std::string taskScript(const BatchJob &job)
{
    std::string script = "folder=" + quoted(job.folder) + "\ncase $SLURM_NODEID in\n";
    for (std::size_t i = 0; i < job.otherFolders.size(); ++i)
        script += std::to_string(i + 1) + ") folder+=" + quoted("/" + job.otherFolders[i]) + " ;;\n";
    script += "esac\naddress=$SLURM_LAUNCH_NODE_IPADDR\n";
    if (!job.slurmEnvironment)
        script += "unset ${!SLURM*} ${!SBATCH_*} ${!SRUN_*}\n";
    return script + "exec " + quoted(job.command.front()) + " --master-address \"$address\" \"$folder\"\n";
}

/// Starts an agent on each node, and ends when all have ended.
std::string stepScript(const BatchJob &job)
{
    const std::string signals = AttemptLayout{}.jobSignals().string();
    std::string script = openNever;
    for (const char *name : {"TERM", "QUIT", "USR2", "TSTP", "CONT"})
        script += std::string("trap 'echo ") + name + " >> " + signals + "' " + name + "\n";
    script += "srun --nodes=" + std::to_string(nodesOf(job)) + " --ntasks=" + std::to_string(nodesOf(job))
              + " --ntasks-per-node=1 ${SLURM_CPUS_PER_TASK:+--cpus-per-task=$SLURM_CPUS_PER_TASK} --kill-on-bad-exit=0"
                " --wait=0 --mpi=none bash -c "
              + quoted(taskScript(job)) + " &\n";
    return script + waitFor("$!") + "wait $!\n";  // the exit code is srun's
}

/// A path for --output: sbatch replaces %j and the like, and takes a backslash away.
std::string pattern(const std::string &path)
{
    std::string text;
    for (const char c : path)
        text += c == '%' ? std::string("%%") : std::string(1, c);
    return text;
}

}  // namespace

std::string jobName(const std::string &attempt)
{
    std::string name = jobPrefix;
    for (const char c : attempt) {
        const bool isPlain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'
                             || c == '_' || c == '.';
        std::array<char, 4> code{};
        std::snprintf(code.data(), code.size(), "+%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        name += isPlain ? std::string(1, c) : code.data();
    }
    return name;
}

std::chrono::seconds checkpointTime(const Settings &settings)
{
    const auto limit = slurmTime(settings.time);
    return limit ? std::min(usualCheckpointTime, *limit / 4) : usualCheckpointTime;
}

std::vector<std::string> sbatchArguments(const BatchJob &job, const Settings &settings)
{
    std::vector<std::string> arguments{
        "--parsable",
        "--job-name=" + job.name,
        "--chdir=" + job.folder,
        "--output=" + pattern(job.folder) + "/agent.log",
        "--open-mode=append",
        "--no-requeue",
        "--export=ALL",  // srun in a job inherits it, and finds no programs otherwise
        "--nodes=" + std::to_string(nodesOf(job)),
        "--ntasks=" + std::to_string(nodesOf(job)),
        "--ntasks-per-node=1",
        "--signal=B:USR2@" + std::to_string(checkpointTime(settings).count()),
    };
    const auto add = [&arguments](const std::string &option, const std::string &value) {
        if (!value.empty())
            arguments.push_back(option + value);
    };
    add("--account=", settings.account);
    add("--partition=", settings.partition);
    add("--qos=", settings.qos);
    add("--time=", settings.time);
    add("--constraint=", settings.constraint);
    if (job.gpus > 0)
        add("--gres=", settings.gres + ":" + std::to_string(job.gpus));
    if (job.cpus > 0)
        add("--cpus-per-task=", std::to_string(job.cpus));
    arguments.insert(arguments.end(), settings.extra.begin(), settings.extra.end());
    return arguments;
}

std::string batchScript(const BatchJob &job, const Settings &settings)
{
    const bool needsLogin = !settings.modules.empty() || !job.setup.empty();
    std::string script = needsLogin ? "#!/bin/bash -l\n" : "#!/bin/bash\n";
    const std::string owner = AttemptLayout{}.jobFile().string();
    // An attempt runs once, also if a submission was repeated or an administrator requeued its job: the first one creates the
    // file, and with noclobber no other can.
    script += "cd " + quoted(job.folder) + " || exit 1\n";
    script += "if ! (set -C; echo \"$SLURM_JOB_ID\" > " + owner
              + "); then\n    echo \"this attempt belongs to job $(cat " + owner
              + "), so job $SLURM_JOB_ID ends\" >&2\n    exit 1\nfi\n";
    for (const std::string &module : settings.modules) {
        const std::string command = "module load " + quoted(module);
        script += command + " || { echo " + quoted(command + " failed") + " >&2; exit 1; }\n";
    }
    if (!job.setup.empty())
        script += job.setup + "\n";
    if (!job.otherFolders.empty())
        return script + stepScript(job);
    if (job.lingers.count() > 0)
        script += "job=$SLURM_JOB_ID\n";
    if (!job.slurmEnvironment)
        script += "unset ${!SLURM*} ${!SBATCH_*}\n";
    return script + (job.lingers.count() > 0 ? loopScript(job) : "exec " + quoted(job.command) + "\n");
}

}  // namespace sweepscope::slurm
