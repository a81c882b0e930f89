#pragma once

#include "base/workspacelayout.h"
#include "protocol/engineclient.h"
#include "sweep/records.h"

#include <QColor>
#include <QString>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// A group of trials of which only the median is shown.
struct CurveGroup {
    int place = 0;  ///< among the groups, from 0
    QString name;
    QRgb color = 0;

    bool operator==(const CurveGroup &) const = default;
};

/// Where the files of a trial's attempts that continue one another are, and what is known about the last one. A value
/// that crosses threads.
struct TrialSource {
    qint64 sweepId = 0;
    int trial = 0;
    int attempt = 0;               ///< 0: none has started, there are no files
    int firstAttempt = 0;          ///< the first one that is continued up to `attempt`; 0 if it continues none
    std::filesystem::path folder;  ///< of the attempt
    /// Of each machine on which it runs; the name of the engine's is empty.
    std::map<std::string, std::filesystem::path> devicesFeeds;
    QString clockNote{};  ///< how their clocks differ, if that can be seen; times are not corrected
    int ranks = 0;
    std::vector<std::string>
        devices;  ///< GPU UUIDs or "cpu:N", perhaps with "@MACHINE"; those of rank 0 first, without duplicates
    std::vector<std::string> deviceNames;  ///< names for display, one per device: "GPU 1", "core 3", "gpu1: core 3"
    WallNs started = 0;                    ///< 0: not yet
    WallNs ended = 0;                      ///< of the attempt; 0: not yet
    bool hasReported = false;              ///< as the engine knows; output may be read after the end
    sweep::TrialState state = sweep::TrialState::Running;
    bool isFrozen = false;    ///< the attempt is paused
    bool isMirrored = false;  ///< the files come from another machine, as far as they are shown
    std::string objective;
    std::optional<QRgb> tint{};        ///< of its curve, if the color tells something about the trial
    bool isFaint = false;              ///< the curve is behind those that the user isolated
    QString sweepName{};               ///< of a trial of another sweep than the one shown, for the name of its curve
    std::vector<CurveGroup> groups{};  ///< in whose medians it counts; without any, it has its own curve

    AttemptLayout files() const { return {folder}; }
    bool continuesOthers() const { return firstAttempt > 0 && firstAttempt < attempt; }
    /// Files of an attempt that it continues.
    AttemptLayout filesOf(int number) const { return {folder.parent_path() / std::to_string(number)}; }
    bool operator==(const TrialSource &) const = default;
    /// The same feeds: only the data about the attempt may differ (end, devices).
    bool sameFiles(const TrialSource &other) const;
};

/// Whether there was a time at which both ran.
bool ranTogether(const TrialSource &a, const TrialSource &b);

/// `known`: provides the names of the trial's devices.
TrialSource trialSource(const QString &workspace, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                        const std::vector<protocol::DeviceStatus> &known);

/// The same, for its curve alone: without devices.
TrialSource curveSource(const QString &workspace, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);

/// The same as trialSource(), of a trial that is shown now: if its files are on another machine, they come.
TrialSource sourceToShow(const protocol::EngineClient &client, const sweep::SweepRecord &sweep,
                         const sweep::TrialRecord &trial);

}  // namespace sweepscope::ui
