#include "ui/timeline/attemptspans.h"

#include "base/folderentries.h"
#include "launch/agentlife.h"
#include "launch/attemptevents.h"
#include "launch/launchspec.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <sys/stat.h>

namespace sweepscope::ui {

namespace {

sweep::TrialState stateAfter(const launch::AttemptEvent &ended)
{
    switch (ended.outcome) {
    case launch::AttemptOutcome::Completed:
        return sweep::TrialState::Completed;
    case launch::AttemptOutcome::Failed:
        return sweep::TrialState::Failed;
    case launch::AttemptOutcome::Stopped:
        break;
    }
    return ended.reason.code == facts::Code::EndedOnRequest ? sweep::TrialState::Paused : sweep::TrialState::Stopped;
}

/// All other attempts have devices.
bool isOfJob(const launch::LaunchSpec &spec)
{
    return !spec.devices.empty() && std::ranges::all_of(spec.devices, [](const auto &rank) { return rank.empty(); });
}

/// Returns when the file was last changed; 0 if there is none.
WallNs changeOf(const std::filesystem::path &file)
{
    struct stat info {};
    return ::lstat(file.c_str(), &info) == 0 ? WallNs{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec : 0;
}

/// Returns when a file of the attempt was last changed.
WallNs lastChange(const std::filesystem::path &folder)
{
    WallNs last = 0;
    for (const auto &entry : entriesOf(folder))
        last = std::max(last, changeOf(entry.path()));
    return last;
}

}  // namespace

std::optional<AttemptSpan> readAttemptSpan(const AttemptLayout &layout)
{
    const std::vector<launch::AttemptEvent> events = launch::readAttemptEvents(layout.eventsFile());
    const Expected<std::vector<launch::LaunchSpec>> agents = launch::readLaunchSpecs(layout);
    const bool ofJob = agents && isOfJob(agents->front());
    if (!agents || (events.empty() && !ofJob))
        return std::nullopt;
    AttemptSpan span;
    if (ofJob)
        span.queued = changeOf(layout.launchFile());
    if (events.empty()) {
        if (const WallNs withdrawn = changeOf(layout.jobFile()); withdrawn != 0)
            span.to = withdrawn;
        return span;
    }
    span.from = events.front().time;
    std::optional<launch::ProcessIdentity> agent;
    for (const launch::AttemptEvent &event : events) {
        if (event.kind == launch::AttemptEventKind::AgentStarted)
            agent = launch::ProcessIdentity{event.pid, event.startTime};
        if (event.kind != launch::AttemptEventKind::Ended)
            continue;
        span.to = event.time;
        span.state = stateAfter(event);
    }
    // Only attempts that are over are read, and those of jobs. Here, one without an end may still be ending.
    const bool isOver = !agents->front().machine.empty() || (agent && !launch::readAgentLife(*agent));
    if (!span.to && isOver) {
        span.to = std::max(span.from, lastChange(layout.folder));
        span.state = sweep::TrialState::Lost;
    }
    for (const launch::LaunchSpec &part : *agents) {
        for (const std::vector<std::string> &rank : part.devices) {
            for (const std::string &id : rank) {
                std::string device = sweep::deviceOn(part.machine, id);
                if (std::find(span.devices.begin(), span.devices.end(), device) == span.devices.end())
                    span.devices.push_back(std::move(device));
            }
        }
    }
    return span;
}

std::vector<AttemptKey> attemptsOnlyInFiles(const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<AttemptKey> keys;
    for (const sweep::TrialRecord &trial : trials) {
        // The attempt ends with the trial, unless the trial was stopped between two attempts.
        const bool isJob = !trial.devices.empty() && sweep::isJobDevice(trial.devices.front());
        const bool lastIsTold = !isJob
                                && (sweep::isUnderWay(trial.state)
                                    || (sweep::isFinal(trial.state) && trial.state != sweep::TrialState::Stopped));
        for (int attempt = 1; attempt < trial.attempts || (attempt == trial.attempts && !lastIsTold); ++attempt)
            keys.emplace_back(trial.number, attempt);
    }
    return keys;
}

}  // namespace sweepscope::ui
