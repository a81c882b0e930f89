#pragma once

#include "base/workspacelayout.h"
#include "protocol/devicestatus.h"
#include "sweep/records.h"

#include <QString>

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// Where the live view finds a trial's attempts that continue one another, and what it needs to know about the last one. A value: it crosses threads.
struct TrialSource {
    qint64 sweepId = 0;
    int trial = 0;
    int attempt = 0;               ///< 0: none has begun, there are no files
    int firstAttempt = 0;          ///< of those that continue one another, up to `attempt`; 0: it continues none
    std::filesystem::path folder;  ///< of the attempt
    std::filesystem::path devicesFeed;
    int ranks = 0;
    std::vector<std::string> devices;  ///< GPU UUIDs or "cpu:N", of rank 0 first; each once
    std::vector<std::string>
        deviceNames;        ///< for the person, one for each device: "GPU 1", "core 3", "simulated GPU 0"
    WallNs started = 0;     ///< 0: not yet
    WallNs ended = 0;       ///< the attempt; 0: not yet
    bool isFrozen = false;  ///< the attempt is paused where it is
    std::string objective;

    AttemptLayout files() const { return {folder}; }
    bool continuesOthers() const { return firstAttempt > 0 && firstAttempt < attempt; }
    /// Of one of those that it continues.
    AttemptLayout filesOf(int number) const { return {folder.parent_path() / std::to_string(number)}; }
    bool operator==(const TrialSource &) const = default;
    /// The same feeds: only what is known about the attempt may differ (its end, its devices).
    bool sameFiles(const TrialSource &other) const;
};

/// `machine`: its devices, by which those of the trial are named.
TrialSource trialSource(const QString &workspace, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                        const std::vector<protocol::DeviceStatus> &machine);

}  // namespace sweepscope::ui
