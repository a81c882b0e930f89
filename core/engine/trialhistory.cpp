#include "engine/trialhistory.h"

#include "engine/sourcelog.h"
#include "launch/launchspec.h"
#include "launch/secrets.h"
#include "process/cpulist.h"
#include "sweep/deviceplace.h"

#include <filesystem>
#include <tuple>
#include <utility>

namespace sweepscope::engine {

namespace {

/// On another machine an attempt runs in a copy that is named after its snapshot: ".../code/TREE/below". Returns the two.
std::optional<std::pair<std::string, std::string>> copiedSnapshot(const launch::LaunchSpec &spec)
{
    constexpr std::size_t digits = 40;
    if (spec.machine.empty())
        return std::nullopt;
    const std::filesystem::path folder(spec.workingFolder);
    std::filesystem::path before;
    for (auto part = folder.begin(); part != folder.end(); ++part) {
        const std::string name = part->string();
        const bool isTree = before.filename() == "code" && name.size() == digits
                            && name.find_first_not_of("0123456789abcdef") == std::string::npos;
        before /= *part;
        if (isTree) {
            const std::filesystem::path below = folder.lexically_relative(before);
            return std::pair(name, below == "." ? std::string() : below.string());
        }
    }
    return std::nullopt;
}

/// Adds the devices and CPUs of a part of the ranks.
void addRanks(sweep::AttemptLaunch &launch, const launch::LaunchSpec &part)
{
    if (!part.cpus.empty())
        launch.cpus.resize(launch.devices.size());
    for (const std::vector<std::string> &rank : part.devices) {
        std::vector<std::string> &devices = launch.devices.emplace_back();
        for (const std::string &device : rank)
            devices.push_back(sweep::deviceOn(part.machine, device));
    }
    for (const std::vector<int> &cpus : part.cpus)
        launch.cpus.push_back(cpus.empty() ? std::string() : process::cpuListText(cpus));
}

std::optional<sweep::AttemptLaunch> readLaunch(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                               const sweep::AttemptRecord &attempt)
{
    const AttemptLayout files = workspace.attempt(sweep.folder, attempt.trial, attempt.number);
    Expected<std::vector<launch::LaunchSpec>> agents = launch::readLaunchSpecs(files);
    if (!agents)
        return std::nullopt;
    launch::LaunchSpec &first = agents->front();
    sweep::AttemptLaunch launch;
    const std::string &code = first.sourceFolder.empty() ? first.workingFolder : first.sourceFolder;
    launch.source = sourceAt(workspace.sourceLog(sweep.folder), code, attempt.created);
    if (const auto copied = copiedSnapshot(first)) {
        if (!launch.source)
            launch.source.emplace();
        std::tie(launch.source->tree, launch.source->below) = *copied;
        launch.source->problem.clear();
    }
    for (const launch::LaunchSpec &agent : *agents)
        addRanks(launch, agent);
    launch.command = std::move(first.argv);
    launch.folder = std::move(first.workingFolder);
    launch.deviceGroup = first.deviceGroup;
    launch.threads = first.ompThreads;
    launch.environment = launch::withoutSecrets(first.environment);
    return launch;
}

}  // namespace

Expected<sweep::TrialHistory> readTrialHistory(StoreReader &reader, const WorkspaceLayout &workspace,
                                               const sweep::SweepRecord &sweep, int trial)
{
    Expected<std::vector<sweep::HistoryEntry>> entries = reader.history(sweep.id, trial);
    Expected<std::vector<sweep::AttemptRecord>> attempts = reader.attempts(sweep.id, trial);
    if (!entries || !attempts)
        return tl::unexpected<Error>(!entries ? entries.error() : attempts.error());
    sweep::TrialHistory history{std::move(*entries), std::move(*attempts)};
    for (sweep::AttemptRecord &attempt : history.attempts)
        attempt.launch = readLaunch(workspace, sweep, attempt);
    return history;
}

}  // namespace sweepscope::engine
