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
    int trial = 0;              ///< 0: none, only until a trial of the sweep is known
    int attempt = 0;            ///< 0: the newest
    bool followsNewest = true;  ///< Live switches to the newest running trial

    bool operator==(const Selection &) const = default;
};

/// The sweeps and trials that can be selected.
struct SelectableSweeps {
    std::function<const sweep::SweepRecord *(qint64 sweepId)> sweep;                ///< null if unknown
    std::function<const std::vector<sweep::TrialRecord> &(qint64 sweepId)> trials;  ///< sorted by number
    std::function<bool()> isUpToDate;  ///< true if a sweep that is missing was deleted
};

/// The one selection of a window: its pages read it, change it and subscribe to `changed`. It is always consistent: the
/// trial belongs to the sweep and the attempt to the trial, and neither outlives its record. A sweep or trial whose
/// record has not arrived yet can be selected, too.
class SelectionModel : public QObject {
    Q_OBJECT

public:
    explicit SelectionModel(const protocol::EngineClient *client, QObject *parent = nullptr);
    explicit SelectionModel(SelectableSweeps known, QObject *parent = nullptr);

    const Selection &current() const { return m_current; }
    /// Ignores equal values. Can be called from a slot of `changed`: `changed` is then emitted again after all slots
    /// have run.
    void set(const Selection &wanted);
    /// Selects the sweep and its most informative trial; follows the newest trial if the sweep is active. If the sweep
    /// is selected already, keeps the trial.
    void selectSweep(qint64 sweepId);
    /// Selects a trial that the user chose, and stops following. If the trial is selected already, keeps the attempt.
    void selectTrial(qint64 sweepId, int trial);
    /// Selects an attempt of the selected trial.
    void selectAttempt(int attempt);
    void setFollowsNewest(bool follows);
    /// Adapts the selection to changed records.
    void update();

    /// Several trials of the sweep that the user picked out on any page: rows of the table, curves, ranges on axes. Ascending;
    /// empty: none. Another sweep has none.
    const std::vector<int> &brushed() const { return m_brushed; }
    void brush(std::vector<int> trials);

Q_SIGNALS:
    void brushChanged();
    void changed(const sweepscope::ui::Selection &now, const sweepscope::ui::Selection &before);

private:
    Selection consistent(Selection wanted);
    int knownTrial(const sweep::SweepRecord &sweep, int wanted) const;

    SelectableSweeps m_known;
    Selection m_current;
    Selection m_delivered;
    std::vector<int> m_brushed;
    qint64 m_seenSweep = 0;  ///< the selected sweep, once its record has arrived
    bool m_delivering = false;
};

}  // namespace sweepscope::ui
