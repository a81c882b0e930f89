#include "ui/timeline/attemptspans.h"

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

/// Returns when a file of the attempt was last changed.
WallNs lastChange(const std::filesystem::path &folder)
{
    WallNs last = 0;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
        struct stat info {};
        if (::lstat(entry.path().c_str(), &info) == 0)
            last = std::max(last, WallNs{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec);
    }
    return last;
}

}  // namespace

std::optional<AttemptSpan> readAttemptSpan(const AttemptLayout &layout)
{
    const std::vector<launch::AttemptEvent> events = launch::readAttemptEvents(layout.eventsFile());
    const Expected<launch::LaunchSpec> spec = launch::readLaunchSpec(layout.launchFile());
    if (events.empty() || !spec)
        return std::nullopt;
    AttemptSpan span;
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
    // Only attempts that are over are read. Here, one without an end may still be ending.
    const bool isOver = !spec->machine.empty() || (agent && !launch::readAgentLife(*agent));
    if (!span.to && isOver) {
        span.to = std::max(span.from, lastChange(layout.folder));
        span.state = sweep::TrialState::Lost;
    }
    for (const std::vector<std::string> &rank : spec->devices) {
        for (const std::string &id : rank) {
            std::string device = sweep::deviceOn(spec->machine, id);
            if (std::find(span.devices.begin(), span.devices.end(), device) == span.devices.end())
                span.devices.push_back(std::move(device));
        }
    }
    return span;
}

std::vector<AttemptKey> attemptsOnlyInFiles(const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<AttemptKey> keys;
    for (const sweep::TrialRecord &trial : trials) {
        // The attempt ends with the trial, unless the trial was stopped between two attempts.
        const bool lastIsTold = sweep::isUnderWay(trial.state)
                                || (sweep::isFinal(trial.state) && trial.state != sweep::TrialState::Stopped);
        for (int attempt = 1; attempt < trial.attempts || (attempt == trial.attempts && !lastIsTold); ++attempt)
            keys.emplace_back(trial.number, attempt);
    }
    return keys;
}

}  // namespace sweepscope::ui
