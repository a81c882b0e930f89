#include "exporting/reportedrun.h"

#include "launch/secrets.h"
#include "snapshot/snapshot.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

namespace sweepscope::exporting {

namespace {

/// In a report, which a mail must hold.
constexpr std::size_t mostOfCodeDifference = std::size_t{200} << 10;

}  // namespace

int reportedTrial(const std::vector<sweep::TrialRecord> &trials)
{
    const auto started =
        std::ranges::find_if(trials, [](const sweep::TrialRecord &trial) { return trial.attempts > 0; });
    return started == trials.end() ? 0 : started->number;
}

std::optional<ReportedRun> reportedRun(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep, int trial,
                                       const sweep::TrialHistory &history)
{
    if (history.attempts.empty() || !history.attempts.back().launch)
        return std::nullopt;
    const sweep::AttemptRecord &attempt = history.attempts.back();
    ReportedRun run{trial, *attempt.launch,
                    launch::readEnvironment(workspace.attempt(sweep.folder, trial, attempt.number))};
    const std::optional<sweep::SourceState> &source = run.launch.source;
    if (source && !source->revision.empty() && !source->tree.empty()) {
        const std::atomic<bool> notCancelled = false;
        // The repository may be gone.
        if (auto difference = snapshot::differenceFromCommit(workspace.codeStore(), run.launch.folder, source->revision,
                                                             source->tree, mostOfCodeDifference, notCancelled)) {
            run.changedFiles = std::move(difference->files);
            run.codeDifference = std::move(difference->text);
        }
    }
    return run;
}

ReportFacts codeFacts(const ReportedRun &run)
{
    std::string command;
    for (const std::string &argument : run.launch.command)
        command += (command.empty() ? "" : " ") + argument;
    ReportFacts facts = {{"Command", command}, {"Working directory", run.launch.folder}};
    const sweep::SourceState source = run.launch.source.value_or(sweep::SourceState());
    if (!source.revision.empty())
        facts.emplace_back("Revision", source.revision + (source.isChanged ? ", with changes" : ""));
    if (!source.branch.empty())
        facts.emplace_back("Branch", source.branch);
    if (!source.tree.empty())
        facts.emplace_back("Snapshot", source.tree);
    return facts;
}

ReportFacts environmentFacts(const ReportedRun &run)
{
    ReportFacts facts;
    std::string devices;
    for (const std::vector<std::string> &ofRank : run.launch.devices)
        for (const std::string &device : ofRank)
            devices += (devices.empty() ? "" : ", ") + device;
    if (!devices.empty())
        facts.emplace_back("Devices", devices);
    const launch::AttemptEnvironment environment = run.environment.value_or(launch::AttemptEnvironment());
    for (const auto &[name, value] : environment.machine)
        facts.emplace_back(name, value);
    if (!environment.python.empty())
        facts.emplace_back("python", environment.python);
    std::map<std::string, std::string> variables = run.launch.environment;
    variables.insert(environment.variables.begin(), environment.variables.end());
    for (const auto &[name, value] : launch::withoutSecrets(variables))
        facts.emplace_back(name, value);
    return facts;
}

std::string packageList(const ReportedRun &run)
{
    std::string packages;
    if (!run.environment)
        return packages;
    for (const auto &[name, version] : run.environment->packages)
        packages += name + "==" + version + "\n";
    for (const auto &[name, version] : run.environment->conda)
        packages += "# conda " + name + " " + version + "\n";
    return packages;
}

}  // namespace sweepscope::exporting
