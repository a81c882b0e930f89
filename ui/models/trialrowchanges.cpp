// What views are told when rows are arranged anew.
#include "ui/models/trialrows.h"

namespace sweepscope::ui {

namespace {

/// Ranges of rows that views are told of one by one; where there are more, all is different.
constexpr std::size_t mostRanges = 32;

struct Range {
    int first;
    int last;
};

/// The unbroken ranges of rows whose flag is set.
std::vector<Range> rangesOf(const std::vector<bool> &flags)
{
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const int row = static_cast<int>(i);
        if (!flags[i])
            continue;
        if (!ranges.empty() && ranges.back().last == row - 1)
            ranges.back().last = row;
        else
            ranges.push_back({row, row});
    }
    return ranges;
}

}  // namespace

void TrialRows::setIds(std::vector<Id> ids)
{
    m_ids = std::move(ids);
    m_rowOfSource.assign(static_cast<std::size_t>(m_model->rowCount()), -1);
    for (std::size_t row = 0; row < m_ids.size(); ++row) {
        if (!isGroup(m_ids[row]))
            m_rowOfSource[static_cast<std::size_t>(m_ids[row])] = static_cast<int>(row);
    }
}

/// What goes, then the order of what stays, then what comes.
void TrialRows::take(std::vector<Id> wanted)
{
    if (wanted == m_ids) {
        setIds(std::move(wanted));  // the model may have more rows
        return;
    }
    const std::size_t offset = m_groups.size();
    std::vector<bool> has(offset + static_cast<std::size_t>(m_model->rowCount()), false);
    const auto place = [offset](Id id) { return static_cast<std::size_t>(id + static_cast<int>(offset)); };
    std::vector<bool> stays = has;
    for (const Id id : m_ids)
        has[place(id)] = true;
    for (const Id id : wanted)
        stays[place(id)] = true;
    std::vector<bool> goes;
    for (const Id id : m_ids)
        goes.push_back(!stays[place(id)]);
    std::vector<bool> comes;
    std::vector<Id> between;
    for (const Id id : wanted) {
        comes.push_back(!has[place(id)]);
        if (has[place(id)])
            between.push_back(id);
    }
    const std::vector<Range> removed = rangesOf(goes);
    const std::vector<Range> inserted = rangesOf(comes);
    if (removed.size() + inserted.size() > mostRanges) {
        beginResetModel();
        setIds(std::move(wanted));
        endResetModel();
        return;
    }
    for (auto range = removed.rbegin(); range != removed.rend(); ++range) {
        beginRemoveRows({}, range->first, range->last);
        std::vector<Id> left = m_ids;
        left.erase(left.begin() + range->first, left.begin() + range->last + 1);
        setIds(std::move(left));
        endRemoveRows();
    }
    if (between != m_ids)
        reorder(std::move(between));
    for (const Range &range : inserted) {
        beginInsertRows({}, range.first, range.last);
        std::vector<Id> more = m_ids;
        more.insert(more.begin() + range.first, wanted.begin() + range.first, wanted.begin() + range.last + 1);
        setIds(std::move(more));
        endInsertRows();
    }
}

void TrialRows::reorder(std::vector<Id> wanted)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<Id> held;
    for (const QModelIndex &index : before)
        held.push_back(m_ids[static_cast<std::size_t>(index.row())]);
    setIds(std::move(wanted));
    std::map<Id, int> rowOfGroup;
    for (std::size_t row = 0; row < m_ids.size(); ++row) {
        if (isGroup(m_ids[row]))
            rowOfGroup[m_ids[row]] = static_cast<int>(row);
    }
    QModelIndexList after;
    for (std::size_t i = 0; i < held.size(); ++i) {
        const int row = isGroup(held[i]) ? rowOfGroup[held[i]] : m_rowOfSource[static_cast<std::size_t>(held[i])];
        after << index(row, before[static_cast<qsizetype>(i)].column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

}  // namespace sweepscope::ui
