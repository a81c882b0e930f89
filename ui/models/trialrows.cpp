#include "ui/models/trialrows.h"

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

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
    connect(model, &QAbstractItemModel::columnsInserted, this, &TrialRows::takeColumns);
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

/// Groups that were known are known no more: their numbers mean others.
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

/// They come behind the others: what is known of these stays.
void TrialRows::takeColumns()
{
    endInsertColumns();
    m_filter.bind(*m_model);
    rearrange();
}

/// Whether rows may come, go or move when these columns change.
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
    tellChanged(topLeft.row(), bottomRight.row(), roles);
}

void TrialRows::tellChanged(int firstSourceRow, int lastSourceRow, const QList<int> &roles)
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
    if (isGrouped()) {  // what they say of their trials
        first = 0;
        last = rowCount() - 1;
    }
    if (first <= last)
        Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1), roles);
}

void TrialRows::rearrange()
{
    take(arranged());
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
