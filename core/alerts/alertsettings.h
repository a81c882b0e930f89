#pragma once

#include "alerts/alert.h"
#include "base/error.h"

#include <filesystem>
#include <set>
#include <string>

namespace sweepscope::alerts {

/// Of a user, for all workspaces.
struct AlertSettings {
    std::set<AlertKind> desktop{AlertKind::SweepEnded};  ///< while the window is in the background
    std::set<AlertKind> byCommand;
    std::string command;  ///< for a shell; runs where the engine runs

    bool operator==(const AlertSettings &) const = default;
};

/// sweepscope/alerts.toml in XDG_CONFIG_HOME or ~/.config.
std::filesystem::path alertSettingsFile();

/// Returns the defaults if there is no file.
Expected<AlertSettings> readAlertSettings(const std::filesystem::path &file);
Expected<void> writeAlertSettings(const std::filesystem::path &file, const AlertSettings &settings);

}  // namespace sweepscope::alerts
