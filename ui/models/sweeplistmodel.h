#pragma once

#include "sweep/records.h"
#include "ui/models/sweepsummary.h"

#include <QAbstractListModel>

#include <vector>

namespace sweepscope::ui {

/// "cifar, wide"
QString tagsText(const sweep::Mark &mark);

/// The workspace's sweeps, newest first.
class SweepListModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        IdRole = Qt::UserRole,  ///< qint64
        StateRole,              ///< sweep::SweepState as int
        StateTextRole,
        ProgressRole,  ///< double, 0 to 1
        SummaryRole,   ///< SweepSummary
        DetailRole,    ///< one line: progress and best value
        StartedRole,   ///< start time, short
        ArchivedRole,  ///< bool
        SecondsRole,   ///< double: seconds of activity
        StarredRole,   ///< bool
        TagsRole,      ///< "cifar, wide"
        IsRunRole,     ///< bool: a single run (core/sweep/singlerun.h)
    };

    explicit SweepListModel(WallClock clock = wallNow, QObject *parent = nullptr);

    void setSweeps(const std::vector<sweep::SweepRecord> &sweeps);
    void setTrials(qint64 sweepId, const std::vector<sweep::TrialRecord> &trials);
    int rowOf(qint64 sweepId) const;  ///< -1 if there is none
    qint64 sweepId(int row) const;
    const sweep::SweepRecord &record(int row) const { return m_entries[static_cast<std::size_t>(row)].record; }
    /// At the current time; all zero if there is no such sweep.
    SweepSummary summary(qint64 sweepId, const std::vector<sweep::TrialRecord> &trials) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    struct Entry {
        sweep::SweepRecord record;
        SweepSummary summary;
        int concurrent = 1;
        bool isProbe = false;
        bool isRun = false;

        void readDefinition();  ///< again for each record, because it may have been edited
    };
    QString detail(const Entry &entry) const;
    QString toolTip(const Entry &entry) const;

    WallClock m_clock;
    std::vector<Entry> m_entries;
};

}  // namespace sweepscope::ui
