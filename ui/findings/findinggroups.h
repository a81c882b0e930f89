#pragma once

#include "ui/findings/findingsmodel.h"

#include <QAbstractItemModel>

namespace sweepscope::ui {

/// The findings by their rule, the one found last first: many trials with the same are one row that opens to them, newest
/// first. What was found once stands for itself.
class FindingGroups : public QAbstractItemModel {
    Q_OBJECT

public:
    explicit FindingGroups(FindingsModel *findings, QObject *parent = nullptr);

    bool isGroup(const QModelIndex &index) const { return rowCount(index) > 0; }
    /// Where this row of the findings is.
    QModelIndex indexOf(int row) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &) const override { return 1; }
    /// Of a group as of its newest finding, but for its texts.
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    struct Group {
        quintptr id = 0;
        std::string rule;
        std::vector<int> rows;  ///< of the findings, newest first
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
