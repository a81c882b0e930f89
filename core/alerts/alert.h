#pragma once

#include "sweep/records.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// What is worth telling a user who does not look: found in the records of sweeps, told on the desktop and through a
/// command of the user's.
namespace sweepscope::alerts {

enum class AlertKind { SweepEnded, NewBest, TrialFailed, TrialHung, DiskFilling };

std::span<const AlertKind> allAlertKinds();
/// "sweep_ended": in the settings, and for the command.
std::string toString(AlertKind kind);
std::optional<AlertKind> alertKindFromString(const std::string &text);

struct Alert {
    AlertKind kind = AlertKind::SweepEnded;
    std::int64_t sweepId = 0;
    std::string sweep;  ///< its name
    int trial = 0;      ///< 0: about none, or about several
    int count = 1;      ///< trials that failed or hung
    WallNs at = 0;      ///< when it happened; of several, the first
    sweep::SweepState state = sweep::SweepState::Running;
    std::string text;  ///< a sentence without a full stop: how it ended, why a trial failed

    bool operator==(const Alert &) const = default;
};

/// Environment variables for the user's command.
std::vector<std::pair<std::string, std::string>> environmentOf(const Alert &alert,
                                                               const std::filesystem::path &workspace);

/// "digits-mlp completed", "digits-mlp: trial 7 failed", "digits-mlp: 12 trials failed".
std::string titleOf(const Alert &alert);

}  // namespace sweepscope::alerts
