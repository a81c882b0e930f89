#pragma once

#include "ui/examination/findingsmodel.h"

#include <QAbstractItemModel>

namespace sweepscope::ui {

/// Groups findings by rule, the most recent first: many trials with the same finding form one row that expands to them,
/// newest first. A finding that occurs once is not grouped.
class FindingGroups : public QAbstractItemModel {
    Q_OBJECT

public:
    explicit FindingGroups(FindingsModel *findings, QObject *parent = nullptr);

    bool isGroup(const QModelIndex &index) const { return rowCount(index) > 0; }
    /// Returns the index of a row of the source model.
    QModelIndex indexOf(int row) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &) const override { return 1; }
    /// A group has the data of its newest finding, except for its texts.
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    struct Group {
        quintptr id = 0;
        std::string rule;
        std::vector<int> rows;  ///< rows of the findings, newest first
    };

    Group *groupOf(quintptr id);
    const Group *groupOf(quintptr id) const { return const_cast<FindingGroups *>(this)->groupOf(id); }
    const Group *groupOf(const QModelIndex &index) const;
    QModelIndex indexOf(const Group &group) const;
    int sourceRow(const QModelIndex &index) const;
    QString extentText(const Group &group) const;
    void reset();
    void insert(int row);
    void addTo(Group &group, int row);
    void remove(int row);
    void putInPlace(quintptr id);
    void onDataChanged(const QModelIndex &first, const QModelIndex &last);

    FindingsModel *m_findings;
    std::vector<Group> m_groups;
    quintptr m_lastId = 0;
};

}  // namespace sweepscope::ui
