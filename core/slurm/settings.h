#pragma once

#include "base/error.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// Running attempts as jobs of Slurm, 22.05 or newer.
namespace sweepscope::slurm {

/// How a machine's jobs are submitted: its table `slurm` in machines.toml. What is empty is left to the cluster's defaults
/// and to the SBATCH_ variables of the user.
struct Settings {
    std::string account;
    std::string partition;
    std::string qos;
    std::string gres = "gpu";  ///< of a GPU, without the number: "gpu:h100"
    std::string time;          ///< wall time of an attempt, as sbatch takes it: "1-12:00:00", "90" (minutes)
    std::string constraint;
    std::vector<std::string> modules;  ///< loaded before the trial, in this order
    std::vector<std::string> extra;    ///< further options of sbatch: "--mem=64G"
    int waiting = 16;                  ///< jobs of a workspace that wait in the queue, at most

    bool operator==(const Settings &) const = default;
};

/// Reads the keys of the table from TOML without its header. BadInput names the key.
Expected<Settings> settingsIn(const std::string &toml);
/// Returns the keys as TOML, without the header. What has its default is left out.
std::string toToml(const Settings &settings);

/// Parses a time as Slurm writes and takes it: "MM", "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS". nullopt if it is
/// none, or not limited ("UNLIMITED", "infinite").
std::optional<std::chrono::seconds> slurmTime(const std::string &text);

}  // namespace sweepscope::slurm
