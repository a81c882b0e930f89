#pragma once

#include "ui/models/trialfilter.h"
#include "ui/models/trialgroup.h"

#include <QAbstractProxyModel>

#include <map>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The trials that match a filter, sorted by raw values (missing values and NaN last in either direction), and
/// optionally in groups with the same value in one column: a row for each group, with what its trials have in common,
/// and below it the trials, unless it is collapsed.
///
/// Each change rebuilds all rows, which takes milliseconds for 10,000 trials, and notifies views of the few ranges that
/// differ; if there are many, resets the model: QSortFilterProxyModel emits each range, and then a table takes seconds
/// to filter.
class TrialRows : public QAbstractProxyModel {
    Q_OBJECT

public:
    enum Role { GroupRole = Qt::UserRole + 100 };  ///< bool: the row is a group

    explicit TrialRows(TrialTableModel *model, QObject *parent = nullptr);

    /// An invalid filter changes nothing.
    void setFilter(const TrialFilter &filter);
    void setFilterText(const QString &text) { setFilter(TrialFilter(text)); }
    /// Empty: all states.
    void setStates(std::vector<sweep::TrialState> states);
    /// Whether any trial would match these.
    bool wouldLeaveAny(const TrialFilter &filter, const std::vector<sweep::TrialState> &states) const;
    bool isFiltering() const { return !m_filter.isEmpty() || !m_states.empty(); }
    /// TrialTableModel::columnId(); no groups if empty or unknown.
    void setGroupedBy(const QString &columnId);
    bool isGrouped() const { return m_groupSection >= 0; }
    void setFolded(int row, bool folded);
    bool isFolded(int row) const;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /// Null for a trial's row.
    const TrialGroup *group(int row) const;
    /// Number of the trial; 0 for a group's row.
    int trialAt(int row) const;
    int rowOfTrial(int trialNumber) const;           ///< -1 if it is not shown
    std::vector<int> fittingTrials() const;          ///< numbers, ascending; including those in collapsed groups
    int trialCount() const { return m_trialCount; }  ///< matching trials, including those in collapsed groups

    QModelIndex mapToSource(const QModelIndex &proxyIndex) const override;
    QModelIndex mapFromSource(const QModelIndex &sourceIndex) const override;
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &) const override { return {}; }
    QModelIndex sibling(int row, int column, const QModelIndex &) const override { return index(row, column); }
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override { return !parent.isValid() && rowCount() > 0; }
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    /// A row: the model's row, or -1 - number of a group.
    using Id = int;
    static bool isGroup(Id id) { return id < 0; }

    void sourceReset();
    void finishColumnInsert();
    void sourceChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight, const QList<int> &roles);
    const QString &textOfGroup(int row, int section) const;
    void emitDataChanged(int firstSourceRow, int lastSourceRow, const QList<int> &roles);
    bool matters(int firstSection, int lastSection) const;
    void rearrange();
    void arrangeAnew();
    std::vector<Id> arranged();
    std::vector<int> fitting() const;
    void sortRows(std::vector<int> &rows) const;
    std::vector<Id> grouped(const std::vector<int> &rows);
    void sortGroups(std::vector<int> &order) const;
    void setRows(std::vector<Id> wanted);
    void reorder(std::vector<Id> wanted);
    void setIds(std::vector<Id> ids);

    TrialTableModel *m_model;
    TrialFilter m_filter;
    std::vector<sweep::TrialState> m_states;
    QString m_groupedBy;
    int m_groupSection = -1;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::vector<Id> m_ids;           ///< in display order
    std::vector<int> m_rowOfSource;  ///< -1: not shown
    std::map<QString, int> m_groupNumbers;
    std::vector<TrialGroup> m_groups;  ///< by number; some may have become empty
    int m_trialCount = 0;
    mutable std::map<std::pair<int, int>, QString> m_groupTexts;  ///< by id of the row and section; cached
};

}  // namespace sweepscope::ui
