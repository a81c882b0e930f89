#pragma once

#include "protocol/devicestatus.h"
#include "sweep/records.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/trialchoice.h"

#include <QAbstractListModel>

#include <algorithm>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// The content of a running trial's tile: data from the engine, and from the feeds.
struct RunningTrial {
    TrialChoice trial;
    QString sweepName;  ///< empty if all running trials belong to the selected sweep
    sweep::TrialState state = sweep::TrialState::Starting;
    int ranks = 1;
    QString devices;  ///< "cores 0–3"
    QString shortDevices;
    QString parameters;  ///< "lr 0.01 · hidden 64"
    int attempt = 1;
    std::int64_t reportedStep = 0;  ///< the step of `progress`; the feeds are ahead of it
    double progress = 0;            ///< 0 to 1; 0 if unknown
    bool isUnreachable = false;     ///< there is no connection to its machine

    // From the feeds; nothing before the first frame.
    QString series;  ///< of the curve
    QString unit;
    std::vector<series::Column> columns;
    std::optional<double> newest;  ///< latest value
    std::optional<TrialPace> pace;
    std::int64_t step() const { return pace ? std::max(reportedStep, pace->step) : reportedStep; }
    bool isSilent = false;  ///< it reported steps, but no longer does

    /// At the rate of the last seconds; nullopt if unknown.
    std::optional<double> secondsLeft() const;
};

/// The running trials of all sweeps, and those that were paused while running, in a stable order.
class RunningTrialsModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    /// Sets the engine's data; keeps those from the feeds.
    void setTrials(std::vector<RunningTrial> trials);
    /// Sets the data of OverviewFeeds.
    void setFrame(const PlotFrame &frame, WallNs now);
    /// Updates which trials are silent.
    void setNow(WallNs now);

    const RunningTrial &trial(int row) const { return m_trials[static_cast<std::size_t>(row)]; }
    /// -1 if it does not run.
    int rowOf(const TrialChoice &trial) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void changed(std::size_t row);

    std::vector<RunningTrial> m_trials;
};

/// Returns the tiles of all trials that run or were paused while running. `machine`: provides the devices' names.
/// `shownSweep`: the selected sweep.
std::vector<RunningTrial> runningTrials(const std::vector<sweep::SweepRecord> &sweeps, const TrialsOfSweep &trials,
                                        const std::vector<protocol::DeviceStatus> &machine, qint64 shownSweep);

QString ranksText(int ranks);                  ///< "1 rank", "4 ranks"
QString paceText(double stepsPerSecond);       ///< "52 steps/s", "3.1 s/step"
QString shortPaceText(double stepsPerSecond);  ///< "52/s", "3.1 s each"

}  // namespace sweepscope::ui
