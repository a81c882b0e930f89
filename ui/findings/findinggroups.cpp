#include "ui/findings/findinggroups.h"

#include "ui/examination/findingwords.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sweepscope::ui {

FindingGroups::FindingGroups(FindingsModel *findings, QObject *parent)
    : QAbstractItemModel(parent), m_findings(findings)
{
    connect(m_findings, &QAbstractItemModel::modelReset, this, &FindingGroups::reset);
    connect(m_findings, &QAbstractItemModel::dataChanged, this, &FindingGroups::onDataChanged);
    connect(m_findings, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &, int first, int last) {
        for (int row = first; row <= last; ++row)
            insert(row);
    });
    connect(m_findings, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this](const QModelIndex &, int first, int last) {
                for (int row = last; row >= first; --row)
                    remove(row);
            });
    connect(m_findings, &QAbstractItemModel::rowsRemoved, this, [this](const QModelIndex &, int first, int last) {
        for (Group &group : m_groups) {
            for (int &row : group.rows)
                row -= row > last ? last - first + 1 : 0;
        }
    });
    reset();
}

void FindingGroups::reset()
{
    beginResetModel();
    m_groups.clear();
    for (int row = 0; row < m_findings->rowCount(); ++row) {
        const std::string &rule = m_findings->finding(row).finding.rule;
        const auto group = std::ranges::find(m_groups, rule, &Group::rule);
        if (group == m_groups.end())
            m_groups.push_back({++m_lastId, rule, {row}});
        else
            group->rows.push_back(row);
    }
    endResetModel();
}

FindingGroups::Group *FindingGroups::groupOf(quintptr id)
{
    const auto group = std::ranges::find(m_groups, id, &Group::id);
    return group == m_groups.end() ? nullptr : &*group;
}

const FindingGroups::Group *FindingGroups::groupOf(const QModelIndex &index) const
{
    return !index.isValid()          ? nullptr
           : index.internalId() != 0 ? groupOf(index.internalId())
                                     : &m_groups[static_cast<std::size_t>(index.row())];
}

QModelIndex FindingGroups::indexOf(const Group &group) const
{
    return createIndex(static_cast<int>(&group - m_groups.data()), 0, quintptr(0));
}

QModelIndex FindingGroups::indexOf(int row) const
{
    for (const Group &group : m_groups) {
        const auto place = std::ranges::lower_bound(group.rows, row);
        if (place == group.rows.end() || *place != row)
            continue;
        return group.rows.size() == 1 ? indexOf(group)
                                      : createIndex(static_cast<int>(place - group.rows.begin()), 0, group.id);
    }
    return {};
}

int FindingGroups::sourceRow(const QModelIndex &index) const
{
    const Group *group = groupOf(index);
    return group->rows[index.internalId() != 0 ? static_cast<std::size_t>(index.row()) : 0];
}

void FindingGroups::insert(int row)
{
    for (Group &group : m_groups) {
        for (int &known : group.rows)
            known += known >= row ? 1 : 0;
    }
    const std::string rule = m_findings->finding(row).finding.rule;
    if (const auto group = std::ranges::find(m_groups, rule, &Group::rule); group != m_groups.end()) {
        addTo(*group, row);
        return;
    }
    const auto place = std::ranges::find_if(m_groups, [row](const Group &group) { return group.rows.front() > row; });
    const int at = static_cast<int>(place - m_groups.begin());
    beginInsertRows({}, at, at);
    m_groups.insert(place, {++m_lastId, rule, {row}});
    endInsertRows();
}

void FindingGroups::addTo(Group &group, int row)
{
    const bool wasAlone = group.rows.size() == 1;
    const auto place = std::ranges::lower_bound(group.rows, row);
    const int at = static_cast<int>(place - group.rows.begin());
    beginInsertRows(indexOf(group), wasAlone ? 0 : at, wasAlone ? 1 : at);
    group.rows.insert(place, row);
    endInsertRows();
    putInPlace(group.id);
}

void FindingGroups::remove(int row)
{
    const auto group =
        std::ranges::find_if(m_groups, [row](const Group &one) { return std::ranges::binary_search(one.rows, row); });
    if (group == m_groups.end())
        return;
    if (group->rows.size() == 1) {
        const int at = static_cast<int>(group - m_groups.begin());
        beginRemoveRows({}, at, at);
        m_groups.erase(group);
        endRemoveRows();
        return;
    }
    const bool leavesOne = group->rows.size() == 2;
    const auto place = std::ranges::lower_bound(group->rows, row);
    const int at = static_cast<int>(place - group->rows.begin());
    beginRemoveRows(indexOf(*group), leavesOne ? 0 : at, leavesOne ? 1 : at);
    group->rows.erase(place);
    endRemoveRows();
    putInPlace(group->id);
}

/// Moves the group to the position of its newest finding.
void FindingGroups::putInPlace(quintptr id)
{
    const auto from = std::ranges::find(m_groups, id, &Group::id);
    const int row = static_cast<int>(from - m_groups.begin());
    const int newest = from->rows.front();
    const int place = static_cast<int>(
        std::ranges::count_if(m_groups, [newest](const Group &group) { return group.rows.front() < newest; }));
    if (place != row) {
        beginMoveRows({}, row, row, {}, place > row ? place + 1 : place);
        Group moved = std::move(*from);
        m_groups.erase(from);
        m_groups.insert(m_groups.begin() + place, std::move(moved));
        endMoveRows();
    }
    const QModelIndex changed = index(place, 0);
    Q_EMIT dataChanged(changed, changed);
}

void FindingGroups::onDataChanged(const QModelIndex &first, const QModelIndex &last)
{
    for (int row = first.row(); row <= last.row(); ++row) {
        const QModelIndex changed = indexOf(row);
        Q_EMIT dataChanged(changed, changed);
        if (const QModelIndex group = changed.parent(); group.isValid())
            Q_EMIT dataChanged(group, group);
    }
}

QModelIndex FindingGroups::index(int row, int column, const QModelIndex &parent) const
{
    if (column != 0 || row < 0 || row >= rowCount(parent))
        return {};
    return createIndex(row, column, parent.isValid() ? groupOf(parent)->id : quintptr(0));
}

QModelIndex FindingGroups::parent(const QModelIndex &index) const
{
    return index.isValid() && index.internalId() != 0 ? indexOf(*groupOf(index.internalId())) : QModelIndex();
}

int FindingGroups::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    const std::size_t inside = parent.internalId() != 0 ? 0 : groupOf(parent)->rows.size();
    return inside > 1 ? static_cast<int>(inside) : 0;
}

/// "31 trials"
QString FindingGroups::extentText(const Group &group) const
{
    std::set<int> trials;
    for (const int row : group.rows)
        trials.insert(m_findings->finding(row).finding.trial);
    const qsizetype found = static_cast<qsizetype>(group.rows.size());
    if (trials.size() == 1)
        return tr("%L1× in trial %2").arg(found).arg(*trials.begin());
    return trials.size() == group.rows.size() ? tr("%L1 trials").arg(found)
                                              : tr("%L1× in %L2 trials").arg(found).arg(trials.size());
}

QVariant FindingGroups::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const QModelIndex source = m_findings->index(sourceRow(index));
    if (!isGroup(index))
        return source.data(role);
    const Group &group = *groupOf(index);
    const ShownFinding &newest = m_findings->finding(group.rows.front());
    switch (role) {
    case FindingsModel::ExtentRole:
        return extentText(group);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tr("%1: %2, %3. Latest: trial %4: %5")
            .arg(severityText(newest.finding.severity), ruleTitle(group.rule), extentText(group),
                 QString::number(newest.finding.trial), QString::fromStdString(newest.finding.sentence));
    default:
        return source.data(role);
    }
}

}  // namespace sweepscope::ui
