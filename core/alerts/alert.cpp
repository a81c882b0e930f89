#include "alerts/alert.h"

#include <algorithm>
#include <utility>

namespace sweepscope::alerts {

namespace {

constexpr AlertKind allKinds[] = {AlertKind::SweepEnded, AlertKind::NewBest, AlertKind::TrialFailed,
                                  AlertKind::TrialHung, AlertKind::DiskFilling};
constexpr std::pair<AlertKind, const char *> kindNames[] = {{AlertKind::SweepEnded, "sweep_ended"},
                                                            {AlertKind::NewBest, "new_best"},
                                                            {AlertKind::TrialFailed, "trial_failed"},
                                                            {AlertKind::TrialHung, "trial_hung"},
                                                            {AlertKind::DiskFilling, "disk_filling"}};

std::string trialsOf(const Alert &alert)
{
    return alert.count > 1 ? std::to_string(alert.count) + " trials" : "trial " + std::to_string(alert.trial);
}

}  // namespace

std::span<const AlertKind> allAlertKinds()
{
    return allKinds;
}

std::string toString(AlertKind kind)
{
    return std::ranges::find(kindNames, kind, &std::pair<AlertKind, const char *>::first)->second;
}

std::optional<AlertKind> alertKindFromString(const std::string &text)
{
    const auto found = std::ranges::find(kindNames, text, &std::pair<AlertKind, const char *>::second);
    return found == std::end(kindNames) ? std::nullopt : std::optional(found->first);
}

std::vector<std::pair<std::string, std::string>> environmentOf(const Alert &alert,
                                                               const std::filesystem::path &workspace)
{
    return {{"SWEEPSCOPE_ALERT", toString(alert.kind)},
            {"SWEEPSCOPE_TITLE", titleOf(alert)},
            {"SWEEPSCOPE_TEXT", alert.text},
            {"SWEEPSCOPE_SWEEP", alert.sweep},
            {"SWEEPSCOPE_TRIAL", alert.trial == 0 ? "" : std::to_string(alert.trial)},
            {"SWEEPSCOPE_WORKSPACE", workspace.string()}};
}

std::string titleOf(const Alert &alert)
{
    switch (alert.kind) {
    case AlertKind::SweepEnded:
        return alert.sweep
               + (alert.state == sweep::SweepState::Stopped  ? " was stopped"
                  : alert.state == sweep::SweepState::Failed ? " failed"
                                                             : " completed");
    case AlertKind::NewBest:
        return alert.sweep + ": new best value";
    case AlertKind::TrialFailed:
        return alert.sweep + ": " + trialsOf(alert) + " failed";
    case AlertKind::TrialHung:
        return alert.sweep + ": " + trialsOf(alert) + " hung";
    case AlertKind::DiskFilling:
        return "The disk is filling up";
    }
    return {};
}

}  // namespace sweepscope::alerts
