#pragma once

#include "protocol/devicestatus.h"
#include "sweep/records.h"
#include "ui/live/plotframe.h"
#include "ui/live/trialchoice.h"

#include <QAbstractListModel>

#include <algorithm>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// What a tile shows of a running trial: what the engine tells of it, and what its feeds do.
struct RunningTrial {
    TrialChoice trial;
    QString sweepName;  ///< empty: all that run are of the sweep that is shown
    sweep::TrialState state = sweep::TrialState::Starting;
    int ranks = 1;
    QString devices;  ///< "cores 0–3"
    QString shortDevices;
    QString parameters;  ///< "lr 0.01 · hidden 64"
    int attempt = 1;
    std::int64_t toldStep = 0;  ///< to which `progress` belongs; the feeds are ahead of it
    double progress = 0;        ///< 0 to 1; 0: not known

    // From the feeds; nothing before the first frame.
    QString series;  ///< of the curve
    QString unit;
    std::vector<series::Column> columns;
    std::optional<double> newest;  ///< value
    std::optional<TrialPace> pace;
    std::int64_t step() const { return pace ? std::max(toldStep, pace->step) : toldStep; }
    bool isSilent = false;  ///< it reported steps, and reports none any more

    /// At the pace of the last seconds; none: not known.
    std::optional<double> secondsLeft() const;
};

/// The running trials of all sweeps, and those that were paused while they ran, in an order that does not change meanwhile.
class RunningTrialsModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    /// As the engine tells them; what is known of their feeds stays.
    void setTrials(std::vector<RunningTrial> trials);
    /// Of OverviewFeeds.
    void setFrame(const PlotFrame &frame, WallNs now);
    /// Looks who has fallen silent.
    void setNow(WallNs now);

    const RunningTrial &trial(int row) const { return m_trials[static_cast<std::size_t>(row)]; }
    /// -1: it does not run.
    int rowOf(const TrialChoice &trial) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void changed(std::size_t row);

    std::vector<RunningTrial> m_trials;
};

/// What a tile shows of all trials that run, or were paused while they ran. `machine`: its devices, by which those of the
/// trials are named.
/// `shownSweep`: of which one a trial is shown large.
std::vector<RunningTrial> runningTrials(const std::vector<sweep::SweepRecord> &sweeps, const TrialsOfSweep &trials,
                                        const std::vector<protocol::DeviceStatus> &machine, qint64 shownSweep);

QString ranksText(int ranks);                  ///< "1 rank", "4 ranks"
QString paceText(double stepsPerSecond);       ///< "52 steps/s", "3.1 s/step"
QString shortPaceText(double stepsPerSecond);  ///< "52/s", "3.1 s each"

}  // namespace sweepscope::ui
