#include "ui/models/trialrows.h"

#include "ui/models/rowchanges.h"
#include "ui/models/valueorder.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// Beyond this number of ranges, the model is reset instead of emitting each.
constexpr std::size_t mostRanges = 32;

std::size_t groupNumber(int id)
{
    return static_cast<std::size_t>(-1 - id);
}

}  // namespace

TrialRows::TrialRows(TrialTableModel *model, QObject *parent) : QAbstractProxyModel(parent), m_model(model)
{
    setSourceModel(model);
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
    connect(model, &QAbstractItemModel::modelReset, this, &TrialRows::sourceReset);
    connect(model, &QAbstractItemModel::rowsInserted, this, &TrialRows::rearrange);
    connect(model, &QAbstractItemModel::columnsAboutToBeInserted, this,
            [this](const QModelIndex &, int first, int last) { beginInsertColumns({}, first, last); });
    connect(model, &QAbstractItemModel::columnsInserted, this, &TrialRows::finishColumnInsert);
    connect(model, &QAbstractItemModel::dataChanged, this, &TrialRows::sourceChanged);
}

void TrialRows::setFilter(const TrialFilter &filter)
{
    TrialFilter bound = filter;
    if (filter.problem().isEmpty())
        bound.bind(*m_model);
    if (!bound.problem().isEmpty())
        return;
    m_filter = bound;
    rearrange();
}

void TrialRows::setStates(std::vector<sweep::TrialState> states)
{
    m_states = std::move(states);
    rearrange();
}

void TrialRows::setGroupedBy(const QString &columnId)
{
    if (columnId == m_groupedBy)
        return;
    beginResetModel();
    m_groupedBy = columnId;
    arrangeAnew();
    endResetModel();
}

/// Forgets existing groups, whose numbers change their meaning.
void TrialRows::arrangeAnew()
{
    m_groupSection = -1;
    for (int section = 0; !m_groupedBy.isEmpty() && section < m_model->columnCount(); ++section) {
        if (m_model->columnId(section) == m_groupedBy)
            m_groupSection = section;
    }
    m_groups.clear();
    m_groupNumbers.clear();
    setIds(arranged());
}

void TrialRows::setFolded(int row, bool folded)
{
    const Id id = m_ids[static_cast<std::size_t>(row)];
    if (!isGroup(id) || m_groups[groupNumber(id)].isFolded == folded)
        return;
    m_groups[groupNumber(id)].isFolded = folded;
    rearrange();
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
}

bool TrialRows::isFolded(int row) const
{
    const TrialGroup *found = group(row);
    return found && found->isFolded;
}

void TrialRows::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    rearrange();
}

void TrialRows::sourceReset()
{
    m_filter.bind(*m_model);
    arrangeAnew();
    endResetModel();
}

/// New columns come last, so earlier ones stay valid.
void TrialRows::finishColumnInsert()
{
    endInsertColumns();
    m_filter.bind(*m_model);
    rearrange();
}

/// Whether rows may appear, disappear or move when these columns change.
bool TrialRows::matters(int firstSection, int lastSection) const
{
    const auto isWithin = [&](int section) { return section >= firstSection && section <= lastSection; };
    return lastSection > firstSection || isFiltering() || isGrouped() || isWithin(m_sortColumn);
}

void TrialRows::sourceChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight, const QList<int> &roles)
{
    if (matters(topLeft.column(), bottomRight.column()))
        rearrange();
    m_groupTexts.clear();
    emitDataChanged(topLeft.row(), bottomRight.row(), roles);
}

void TrialRows::emitDataChanged(int firstSourceRow, int lastSourceRow, const QList<int> &roles)
{
    int first = rowCount();
    int last = -1;
    for (int source = firstSourceRow; source <= lastSourceRow; ++source) {
        const int row = m_rowOfSource[static_cast<std::size_t>(source)];
        if (row < 0)
            continue;
        first = std::min(first, row);
        last = std::max(last, row);
    }
    if (isGrouped()) {  // the texts of groups
        first = 0;
        last = rowCount() - 1;
    }
    if (first <= last)
        Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1), roles);
}

void TrialRows::rearrange()
{
    setRows(arranged());
}

std::vector<TrialRows::Id> TrialRows::arranged()
{
    std::vector<int> rows = fitting();
    m_trialCount = static_cast<int>(rows.size());
    sortRows(rows);
    return isGrouped() ? grouped(rows) : rows;
}

bool TrialRows::wouldLeaveAny(const TrialFilter &filter, const std::vector<sweep::TrialState> &states) const
{
    TrialFilter bound = filter;
    bound.bind(*m_model);
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const bool hasState = states.empty() || std::ranges::find(states, m_model->trial(row).state) != states.end();
        if (hasState && bound.accepts(*m_model, row))
            return true;
    }
    return false;
}

std::vector<int> TrialRows::fitting() const
{
    std::vector<int> rows;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (!m_states.empty() && std::ranges::find(m_states, m_model->trial(row).state) == m_states.end())
            continue;
        if (m_filter.accepts(*m_model, row))
            rows.push_back(row);
    }
    return rows;
}

std::vector<int> TrialRows::fittingTrials() const
{
    std::vector<int> numbers;
    for (const int row : fitting())
        numbers.push_back(m_model->trial(row).number);
    return numbers;
}

void TrialRows::sortRows(std::vector<int> &rows) const
{
    if (m_sortColumn < 0 || m_sortColumn >= m_model->columnCount())
        return;
    sortByValue(rows, m_sortOrder, [this](int row) { return m_model->rawValue(row, m_sortColumn); });
}

std::vector<TrialRows::Id> TrialRows::grouped(const std::vector<int> &rows)
{
    m_groupTexts.clear();
    for (TrialGroup &group : m_groups)
        group.members.clear();
    std::vector<int> order;
    for (const int row : rows) {
        const QModelIndex cell = m_model->index(row, m_groupSection);
        const QString text = cell.data().toString();
        const auto [place, isNew] = m_groupNumbers.try_emplace(text, static_cast<int>(m_groups.size()));
        if (isNew) {
            TrialGroup group;
            group.title = tr("%1 = %2").arg(m_model->headerData(m_groupSection, Qt::Horizontal).toString(), text);
            group.value = cell.data(TrialTableModel::RawRole);
            m_groups.push_back(std::move(group));
        }
        TrialGroup &group = m_groups[static_cast<std::size_t>(place->second)];
        if (group.members.empty())
            order.push_back(place->second);
        group.members.push_back(row);
    }
    sortGroups(order);
    std::vector<Id> ids;
    for (const int number : order) {
        ids.push_back(-1 - number);
        const TrialGroup &group = m_groups[static_cast<std::size_t>(number)];
        if (!group.isFolded)
            ids.insert(ids.end(), group.members.begin(), group.members.end());
    }
    return ids;
}

void TrialRows::sortGroups(std::vector<int> &order) const
{
    const auto groupAt = [this](int number) -> const TrialGroup & {
        return m_groups[static_cast<std::size_t>(number)];
    };
    sortByValue(order, Qt::AscendingOrder, [&](int number) { return groupAt(number).value; });
    // Sort by the number of trials only on request: tables are initially sorted by their first column.
    const bool byColumn = m_sortColumn > 0 && m_sortColumn < m_model->columnCount() && m_sortColumn != m_groupSection;
    if (byColumn)
        sortByValue(order, m_sortOrder,
                    [&](int number) { return groupValue(groupAt(number), *m_model, m_sortColumn); });
    else if (m_sortColumn == m_groupSection && m_sortOrder == Qt::DescendingOrder)
        sortByValue(order, Qt::DescendingOrder, [&](int number) { return groupAt(number).value; });
}

void TrialRows::setIds(std::vector<Id> ids)
{
    m_ids = std::move(ids);
    m_rowOfSource.assign(static_cast<std::size_t>(m_model->rowCount()), -1);
    for (std::size_t row = 0; row < m_ids.size(); ++row) {
        if (!isGroup(m_ids[row]))
            m_rowOfSource[static_cast<std::size_t>(m_ids[row])] = static_cast<int>(row);
    }
}

/// Removes rows, reorders the remaining ones, then inserts rows.
void TrialRows::setRows(std::vector<Id> wanted)
{
    if (wanted == m_ids) {
        setIds(std::move(wanted));  // the model may have more rows
        return;
    }
    RowChanges changes = rowChanges(m_ids, wanted);
    if (changes.removed.size() + changes.inserted.size() > mostRanges) {
        beginResetModel();
        setIds(std::move(wanted));
        endResetModel();
        return;
    }
    for (auto range = changes.removed.rbegin(); range != changes.removed.rend(); ++range) {
        beginRemoveRows({}, range->first, range->last);
        std::vector<Id> left = m_ids;
        left.erase(left.begin() + range->first, left.begin() + range->last + 1);
        setIds(std::move(left));
        endRemoveRows();
    }
    if (changes.kept != m_ids)
        reorder(std::move(changes.kept));
    for (const RowRange &range : changes.inserted) {
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

const TrialGroup *TrialRows::group(int row) const
{
    const Id id = m_ids[static_cast<std::size_t>(row)];
    return isGroup(id) ? &m_groups[groupNumber(id)] : nullptr;
}

int TrialRows::trialAt(int row) const
{
    const Id id = m_ids[static_cast<std::size_t>(row)];
    return isGroup(id) ? 0 : m_model->trial(id).number;
}

int TrialRows::rowOfTrial(int trialNumber) const
{
    const int source = m_model->rowOf(trialNumber);
    return source < 0 ? -1 : m_rowOfSource[static_cast<std::size_t>(source)];
}

QModelIndex TrialRows::mapToSource(const QModelIndex &proxyIndex) const
{
    if (!proxyIndex.isValid() || proxyIndex.row() >= rowCount())
        return {};
    const Id id = m_ids[static_cast<std::size_t>(proxyIndex.row())];
    return isGroup(id) ? QModelIndex() : m_model->index(id, proxyIndex.column());
}

QModelIndex TrialRows::mapFromSource(const QModelIndex &sourceIndex) const
{
    if (!sourceIndex.isValid() || static_cast<std::size_t>(sourceIndex.row()) >= m_rowOfSource.size())
        return {};
    const int row = m_rowOfSource[static_cast<std::size_t>(sourceIndex.row())];
    return row < 0 ? QModelIndex() : index(row, sourceIndex.column());
}

QModelIndex TrialRows::index(int row, int column, const QModelIndex &parent) const
{
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

int TrialRows::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_ids.size());
}

int TrialRows::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_model->columnCount();
}

const QString &TrialRows::textOfGroup(int row, int section) const
{
    const auto [place, isNew] = m_groupTexts.try_emplace({m_ids[static_cast<std::size_t>(row)], section});
    if (isNew)
        place->second = groupText(*group(row), *m_model, section);
    return place->second;
}

QVariant TrialRows::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const TrialGroup *found = group(index.row());
    if (role == GroupRole)
        return found != nullptr;
    if (!found)
        return m_model->data(mapToSource(index), role);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return textOfGroup(index.row(), index.column());
    case Qt::DecorationRole:
        return index.column() == 0 ? symbolIcon(found->isFolded ? u"right"_s : u"down"_s, QPalette::Text) : QVariant();
    case Qt::ToolTipRole:
        return groupToolTip(*found, *m_model, index.column());
    case TrialTableModel::RawRole:
        return groupValue(*found, *m_model, index.column());
    case Qt::FontRole:
        return emphasisFont(QGuiApplication::font());
    case Qt::BackgroundRole:
        return QGuiApplication::palette().brush(QPalette::Window);
    case Qt::TextAlignmentRole:
        return m_model->headerData(index.column(), Qt::Horizontal, role);
    default:
        return {};
    }
}

QVariant TrialRows::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_model->headerData(section, orientation, role);
}

Qt::ItemFlags TrialRows::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    return group(index.row()) ? common : common | Qt::ItemIsSelectable;
}

}  // namespace sweepscope::ui
