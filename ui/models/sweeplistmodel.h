#pragma once

#include "sweep/records.h"
#include "ui/models/sweepsummary.h"

#include <QAbstractListModel>

#include <vector>

namespace sweepscope::ui {

/// The workspace's sweeps, newest first.
class SweepListModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        IdRole = Qt::UserRole,  ///< qint64
        StateRole,              ///< int of sweep::SweepState
        StateTextRole,
        ProgressRole,  ///< double, 0 to 1
        SummaryRole,   ///< SweepSummary
        DetailRole,    ///< one line: how far, and the best value
        StartedRole,   ///< when, in few words
        ArchivedRole,  ///< bool
        SecondsRole,   ///< double: in which it was active
    };

    explicit SweepListModel(WallClock clock = wallNow, QObject *parent = nullptr);

    void setSweeps(const std::vector<sweep::SweepRecord> &sweeps);
    void setTrials(qint64 sweepId, const std::vector<sweep::TrialRecord> &trials);
    int rowOf(qint64 sweepId) const;  ///< -1 when there is none
    qint64 sweepId(int row) const;
    const sweep::SweepRecord &record(int row) const { return m_entries[static_cast<std::size_t>(row)].record; }
    /// With the present time; all zero for a sweep that is not there.
    SweepSummary summary(qint64 sweepId, const std::vector<sweep::TrialRecord> &trials) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    struct Entry {
        sweep::SweepRecord record;
        SweepSummary summary;
        int concurrent = 1;
        bool isProbe = false;

        void readDefinition();  ///< of the record: it may have been edited
    };
    QString detail(const Entry &entry) const;

    WallClock m_clock;
    std::vector<Entry> m_entries;
};

}  // namespace sweepscope::ui
