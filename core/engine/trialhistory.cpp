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

std::optional<sweep::AttemptLaunch> readLaunch(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                               const sweep::AttemptRecord &attempt)
{
    Expected<launch::LaunchSpec> spec =
        launch::readLaunchSpec(workspace.attempt(sweep.folder, attempt.trial, attempt.number).launchFile());
    if (!spec)
        return std::nullopt;
    sweep::AttemptLaunch launch;
    const std::string &code = spec->sourceFolder.empty() ? spec->workingFolder : spec->sourceFolder;
    launch.source = sourceAt(workspace.sourceLog(sweep.folder), code, attempt.created);
    if (const auto copied = copiedSnapshot(*spec)) {
        if (!launch.source)
            launch.source.emplace();
        std::tie(launch.source->tree, launch.source->below) = *copied;
        launch.source->problem.clear();
    }
    launch.command = std::move(spec->argv);
    launch.folder = std::move(spec->workingFolder);
    launch.devices = std::move(spec->devices);
    for (std::vector<std::string> &rank : launch.devices) {
        for (std::string &device : rank)
            device = sweep::deviceOn(spec->machine, device);
    }
    for (const std::vector<int> &cpus : spec->cpus)
        launch.cpus.push_back(cpus.empty() ? std::string() : process::cpuListText(cpus));
    launch.deviceGroup = spec->deviceGroup;
    launch.threads = spec->ompThreads;
    launch.environment = launch::withoutSecrets(spec->environment);
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
