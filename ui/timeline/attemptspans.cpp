#include "ui/timeline/attemptspans.h"

#include "launch/attemptevents.h"
#include "launch/launchspec.h"

#include <algorithm>

namespace sweepscope::ui {

std::optional<AttemptSpan> readAttemptSpan(const AttemptLayout &layout)
{
    const std::vector<launch::AttemptEvent> events = launch::readAttemptEvents(layout.eventsFile());
    const Expected<launch::LaunchSpec> spec = launch::readLaunchSpec(layout.launchFile());
    if (events.empty() || !spec)
        return std::nullopt;
    AttemptSpan span;
    span.from = events.front().time;
    for (const launch::AttemptEvent &event : events) {
        if (event.kind != launch::AttemptEventKind::Ended)
            continue;
        span.to = event.time;
        span.failed = event.outcome == launch::AttemptOutcome::Failed;
    }
    for (const std::vector<std::string> &rank : spec->devices) {
        for (const std::string &device : rank) {
            if (std::find(span.devices.begin(), span.devices.end(), device) == span.devices.end())
                span.devices.push_back(device);
        }
    }
    return span;
}

std::vector<AttemptKey> attemptsOnlyInFiles(const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<AttemptKey> keys;
    for (const sweep::TrialRecord &trial : trials) {
        // Its end is that of the trial, unless somebody stopped it between two attempts.
        const bool lastIsTold = sweep::isUnderWay(trial.state)
                                || (sweep::isFinal(trial.state) && trial.state != sweep::TrialState::Stopped);
        for (int attempt = 1; attempt < trial.attempts || (attempt == trial.attempts && !lastIsTold); ++attempt)
            keys.emplace_back(trial.number, attempt);
    }
    return keys;
}

}  // namespace sweepscope::ui
