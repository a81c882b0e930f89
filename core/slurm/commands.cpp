#include "slurm/commands.h"

#include "base/printable.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace sweepscope::slurm {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds answerLimit = 60s;  ///< above MessageTimeout, which is 10 s by default
/// scancel goes on trying while a job does not run.
constexpr const char *signalLimit = "10";
constexpr int timedOut = 124;  ///< of timeout(1)
constexpr int notFound = 127;
constexpr std::size_t longestError = 300;

std::string joined(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : ",") + part;
    return text;
}

std::string messageOf(const Output &output)
{
    std::istringstream lines(output.errors.empty() ? output.output : output.errors);
    std::string message;
    for (std::string line; std::getline(lines, line);)
        message += (message.empty() ? "" : " ") + line;
    return printable(message.substr(0, longestError));
}

tl::unexpected<Error> errorOf(const Output &output, const std::string &program)
{
    const auto has = [&output](const char *part) { return output.errors.find(part) != std::string::npos; };
    const std::string message = program + ": " + messageOf(output);
    if (output.exitCode == notFound)
        return makeError(ErrorCode::NotFound, program + " is not installed, or not in PATH");
    if (has("Invalid job id specified"))
        return makeError(ErrorCode::NotFound, message);
    if (has("accounting storage is disabled") || has("supported accounting_storage plugin"))
        return makeError(ErrorCode::Unsupported, "this cluster has no accounting database");
    if (output.exitCode == timedOut && output.errors.empty())
        return makeError(ErrorCode::Timeout, program + " did not finish in time");
    return makeError(ErrorCode::Unavailable, message);
}

template <typename Answer>
Answer uncertain(const Error &error)
{
    return Uncertain{facts::Fact(facts::Code::SubmissionUncertain).with(facts::Field::Detail, error.message)};
}

}  // namespace

/// Times as seconds, because Slurm prints them without a time zone.
Expected<Output> Commands::run(const std::vector<std::string> &command, const std::string &input) const
{
    std::vector<std::string> words{"env", "LC_ALL=C", "SLURM_TIME_FORMAT=%s"};
    words.insert(words.end(), command.begin(), command.end());
    return m_run(words, input, answerLimit);
}

Expected<std::string> Commands::ask(const std::vector<std::string> &command) const
{
    Expected<Output> output = run(command);
    if (!output)
        return tl::unexpected(output.error());
    if (output->exitCode != 0)
        return errorOf(*output, command.front());
    return std::move(output->output);
}

SubmitAnswer Commands::submit(const BatchJob &job, const Settings &settings) const
{
    std::vector<std::string> command{"sbatch"};
    std::ranges::copy(sbatchArguments(job, settings), std::back_inserter(command));
    const Expected<Output> output = run(command, batchScript(job, settings));
    if (!output)
        return uncertain<SubmitAnswer>(output.error());
    return parseSubmission(output->exitCode, output->output, output->errors);
}

TestAnswer Commands::test(const BatchJob &job, const Settings &settings) const
{
    std::vector<std::string> command{"sbatch", "--test-only"};
    std::ranges::copy(sbatchArguments(job, settings), std::back_inserter(command));
    const Expected<Output> output = run(command, batchScript(job, settings));
    if (!output)
        return uncertain<TestAnswer>(output.error());
    return parseTest(output->exitCode, output->output, output->errors);
}

Expected<std::vector<Job>> Commands::queue() const
{
    return ask({"squeue", "--me", "--states=all", std::string("--format=") + queueFormat})
        .and_then([](const auto &text) { return parseQueue(text); });
}

Expected<Job> Commands::show(const std::string &job) const
{
    return ask({"scontrol", "show", "job", job}).and_then([](const auto &text) { return parseShownJob(text); });
}

Expected<std::vector<Job>> Commands::accounted(const std::vector<std::string> &names) const
{
    return ask({"sacct", "--parsable2", "--allocations", "--duplicates", "--starttime=now-90days",
                std::string("--format=") + accountingFormat, "--name=" + joined(names)})
        .and_then([](const auto &text) { return parseAccounting(text); });
}

Expected<void> Commands::cancel(const std::vector<std::string> &jobs) const
{
    std::vector<std::string> command{"scancel"};
    command.insert(command.end(), jobs.begin(), jobs.end());
    const Expected<std::string> done = ask(command);
    if (!done && done.error().code != ErrorCode::NotFound)  // then it has ended
        return tl::unexpected(done.error());
    return {};
}

Expected<void> Commands::signal(const std::string &job, const std::string &name) const
{
    const Expected<std::string> done =
        ask({"timeout", signalLimit, "scancel", "--state=RUNNING", "--batch", "--signal=" + name, job});
    if (!done && done.error().code != ErrorCode::NotFound)
        return tl::unexpected(done.error());
    return {};
}

Expected<Partition> Commands::partition(const Settings &settings) const
{
    const Expected<std::string> shown = ask({"scontrol", "show", "partition", "--oneliner"});
    const Expected<std::string> nodes =
        shown ? ask({"sinfo", "--noheader", std::string("--format=") + nodeFormat}) : shown;
    if (!nodes)
        return tl::unexpected(nodes.error());
    std::vector<Partition> partitions = parsePartitions(*shown);
    addNodes(partitions, *nodes);
    const auto found = std::ranges::find_if(partitions, [&settings](const Partition &one) {
        return settings.partition.empty() ? one.isDefault : one.name == settings.partition;
    });
    if (found == partitions.end())
        return makeError(ErrorCode::NotFound,
                         settings.partition.empty()
                             ? std::string("the cluster has no default partition; set slurm.partition")
                             : "the cluster has no partition " + settings.partition);
    return *found;
}

}  // namespace sweepscope::slurm
