#pragma once

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "sweep/records.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// When an attempt ran, and on what, as its own files say.
struct AttemptSpan {
    WallNs from = 0;
    std::optional<WallNs> to;  ///< empty: it has not ended
    /// How it ended: Completed, Failed, Stopped, Lost, or Paused if it was asked to save a checkpoint. Without an end the
    /// state of its trial.
    sweep::TrialState state = sweep::TrialState::Running;
    std::vector<std::string> devices;
};

/// By trial and attempt.
using AttemptKey = std::pair<int, int>;
using AttemptSpans = std::map<AttemptKey, AttemptSpan>;

/// Reads launch.json and events.jsonl; nullopt if they do not have it, or not yet. An attempt whose agent is gone without
/// an end was lost when its files changed last.
std::optional<AttemptSpan> readAttemptSpan(const AttemptLayout &layout);

/// The attempts of which the records do not tell all: of a trial they know the first start and the last attempt.
std::vector<AttemptKey> attemptsOnlyInFiles(const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::ui
