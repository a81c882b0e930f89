#pragma once

#include "sweep/records.h"

#include <QObject>

#include <functional>
#include <vector>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// What the pages of a window show.
struct Selection {
    qint64 sweepId = 0;         ///< 0: none
    int trial = 0;              ///< 0: none, which is so only until a trial of the sweep is known
    int attempt = 0;            ///< 0: the newest one
    bool followsNewest = true;  ///< Live goes on to the newest running trial

    bool operator==(const Selection &) const = default;
};

/// The sweeps and trials that can be selected.
struct SelectableSweeps {
    std::function<const sweep::SweepRecord *(qint64 sweepId)> sweep;                ///< null: unknown
    std::function<const std::vector<sweep::TrialRecord> &(qint64 sweepId)> trials;  ///< in order of their number
    std::function<bool()> isUpToDate;  ///< a sweep that is no longer known has been deleted
};

/// The one selection of a window: its pages read it, change it and subscribe to `changed`. It is always consistent: the
/// trial belongs to the sweep and the attempt to the trial, and neither outlives its record. A sweep or trial whose record
/// is still on its way can be selected, too.
class SelectionModel : public QObject {
    Q_OBJECT

public:
    explicit SelectionModel(const protocol::EngineClient *client, QObject *parent = nullptr);
    explicit SelectionModel(SelectableSweeps known, QObject *parent = nullptr);

    const Selection &current() const { return m_current; }
    /// Equal values are ignored. Can be called from a slot of `changed`: `changed` is then emitted once more when all
    /// slots have run.
    void set(const Selection &wanted);
    /// With the trial that tells most about it; follows the newest trial if the sweep is active. Keeps the trial of a sweep
    /// that is selected already.
    void selectSweep(qint64 sweepId);
    /// The person chose this trial, so nothing is followed any more. Keeps the attempt of a trial that is selected already.
    void selectTrial(qint64 sweepId, int trial);
    /// Of the selected trial.
    void selectAttempt(int attempt);
    void setFollowsNewest(bool follows);
    /// Brings the selection into line with changed records.
    void update();

Q_SIGNALS:
    void changed(const sweepscope::ui::Selection &now, const sweepscope::ui::Selection &before);

private:
    Selection consistent(Selection wanted);
    int knownTrial(const sweep::SweepRecord &sweep, int wanted) const;

    SelectableSweeps m_known;
    Selection m_current;
    Selection m_delivered;
    qint64 m_seenSweep = 0;  ///< the selected sweep once its record was there
    bool m_delivering = false;
};

}  // namespace sweepscope::ui
