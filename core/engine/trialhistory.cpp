#include "engine/trialhistory.h"

#include "engine/sourcelog.h"
#include "launch/launchspec.h"
#include "launch/secrets.h"
#include "process/cpulist.h"
#include "sweep/deviceplace.h"

#include <filesystem>
#include <map>
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

/// The launch files of the other machines of an attempt, by their first rank.
std::map<int, std::filesystem::path> otherParts(const AttemptLayout &attempt)
{
    std::map<int, std::filesystem::path> parts;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(attempt.folder, error)) {
        if (const auto ranks = rankRangeOf(entry.path()))
            parts.emplace(ranks->first, attempt.ofRanks(ranks->first, ranks->last).launchFile());
    }
    return parts;
}

std::optional<sweep::AttemptLaunch> readLaunch(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                               const sweep::AttemptRecord &attempt)
{
    const AttemptLayout files = workspace.attempt(sweep.folder, attempt.trial, attempt.number);
    Expected<launch::LaunchSpec> spec = launch::readLaunchSpec(files.launchFile());
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
    addRanks(launch, *spec);
    for (const auto &[rank, file] : otherParts(files)) {
        if (const auto part = launch::readLaunchSpec(file))
            addRanks(launch, *part);
    }
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
