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

/// When an attempt ran and on which devices, according to its files.
struct AttemptSpan {
    WallNs from = 0;           ///< 0: it has not begun
    std::optional<WallNs> to;  ///< nullopt: it has not ended
    /// How it ended: Completed, Failed, Stopped, Lost, or Paused if it was asked to save a checkpoint. The state of the
    /// trial if it has not ended.
    sweep::TrialState state = sweep::TrialState::Running;
    std::vector<std::string> devices;  ///< empty: a job's, which only the record of its trial names
    std::optional<WallNs> queued{};    ///< when its job was submitted
};

/// Trial and attempt.
using AttemptKey = std::pair<int, int>;
using AttemptSpans = std::map<AttemptKey, AttemptSpan>;

/// Reads launch.json and events.jsonl; nullopt if they lack it (yet), and there is no job that waits. An attempt whose agent is gone without an end was
/// lost when its files were last changed.
std::optional<AttemptSpan> readAttemptSpan(const AttemptLayout &layout);

/// Returns the attempts that the records do not cover: a trial's record has only its first start and the last attempt, and not
/// when a job was submitted.
std::vector<AttemptKey> attemptsOnlyInFiles(const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::ui
