#include "ui/models/sweeprows.h"

#include "ui/models/valueorder.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SweepRows::SweepRows(SweepTableModel *model, QObject *parent) : QAbstractProxyModel(parent), m_model(model)
{
    setSourceModel(model);
    m_rows = arranged();
    connect(model, &QAbstractItemModel::rowsInserted, this, &SweepRows::rearrange);
    connect(model, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] {
        beginResetModel();
        m_rows.clear();
        endResetModel();
    });
    connect(model, &QAbstractItemModel::rowsRemoved, this, &SweepRows::rearrange);
    connect(model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first, const QModelIndex &last) {
        rearrange();
        for (int row = 0; row < rowCount(); ++row) {
            const int source = m_rows[static_cast<std::size_t>(row)].source;
            if (source >= first.row() && source <= last.row())
                Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
        }
    });
}

void SweepRows::showArchived(bool on)
{
    m_showsArchived = on;
    rearrange();
}

void SweepRows::search(const QString &text)
{
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    rearrange();
}

void SweepRows::setGroupedBy(std::optional<Column> column)
{
    m_groupedBy = column;
    m_folded.clear();
    rearrange();
}

void SweepRows::setFolded(int row, bool folded)
{
    if (!isGroup(row))
        return;
    m_folded[m_rows[static_cast<std::size_t>(row)].group] = folded;
    rearrange();
}

bool SweepRows::isFolded(int row) const
{
    const auto found = m_folded.find(m_rows[static_cast<std::size_t>(row)].group);
    return isGroup(row) && found != m_folded.end() && found->second;
}

void SweepRows::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    rearrange();
}

QString SweepRows::cell(int source, Column column) const
{
    return m_model->index(source, static_cast<int>(column)).data().toString();
}

bool SweepRows::matches(int source) const
{
    const QModelIndex name = m_model->index(source, static_cast<int>(Column::Name));
    if (!m_showsArchived && name.data(SweepTableModel::ArchivedRole).toBool())
        return false;
    const QString text = QStringList{cell(source, Column::Name), u'#' + name.data(SweepTableModel::IdRole).toString(),
                                     cell(source, Column::Tags), name.data(SweepTableModel::NoteRole).toString(),
                                     cell(source, Column::State)}
                             .join(u'\n');
    return std::ranges::all_of(m_words,
                               [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

std::vector<SweepRows::Row> SweepRows::arranged() const
{
    std::vector<int> sources;
    for (int source = 0; source < m_model->rowCount(); ++source) {
        if (matches(source))
            sources.push_back(source);
    }
    if (m_sortColumn >= 0)
        sortByValue(sources, m_sortOrder, [this](int source) {
            return m_model->index(source, m_sortColumn).data(SweepTableModel::SortRole);
        });
    std::vector<Row> rows;
    if (!m_groupedBy) {
        for (const int source : sources)
            rows.push_back({source, {}, 0});
        return rows;
    }
    std::map<QString, std::vector<int>> groups;
    for (const int source : sources) {
        for (const QString &group : groupsOf(source))
            groups[group].push_back(source);
    }
    std::vector<std::pair<QString, std::vector<int>>> ordered(groups.begin(), groups.end());
    std::ranges::stable_sort(ordered, {}, [](const auto &group) { return group.first.isEmpty(); });  // these last
    if (m_groupedBy == Column::Kind && ordered.size() == 1) {
        for (const int source : sources)
            rows.push_back({source, {}, 0});
        return rows;
    }
    for (const auto &[group, members] : ordered) {
        rows.push_back({-1, group, static_cast<int>(members.size())});
        const auto folded = m_folded.find(group);
        if (folded != m_folded.end() && folded->second)
            continue;
        for (const int source : members)
            rows.push_back({source, group, 0});
    }
    return rows;
}

/// A sweep is in the group of each of its tags. Where all are of one kind, these are no groups.
QStringList SweepRows::groupsOf(int source) const
{
    if (*m_groupedBy == Column::Kind) {
        const QModelIndex kind = m_model->index(source, static_cast<int>(Column::Kind));
        return {kind.data(SweepTableModel::IsRunRole).toBool() ? tr("Runs") : tr("Sweeps")};
    }
    const QString text = cell(source, *m_groupedBy);
    return *m_groupedBy == Column::Tags ? text.split(u", "_s) : QStringList{text};
}

void SweepRows::rearrange()
{
    std::vector<Row> rows = arranged();
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

qint64 SweepRows::sweepAt(int row) const
{
    const int source = m_rows[static_cast<std::size_t>(row)].source;
    return source < 0 ? 0 : m_model->index(source, 0).data(SweepTableModel::IdRole).toLongLong();
}

int SweepRows::rowOfSweep(qint64 sweepId) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (sweepId != 0 && sweepAt(row) == sweepId)
            return row;
    }
    return -1;
}

QModelIndex SweepRows::mapToSource(const QModelIndex &proxyIndex) const
{
    if (!proxyIndex.isValid() || proxyIndex.row() >= rowCount())
        return {};
    const int source = m_rows[static_cast<std::size_t>(proxyIndex.row())].source;
    return source < 0 ? QModelIndex() : m_model->index(source, proxyIndex.column());
}

QModelIndex SweepRows::mapFromSource(const QModelIndex &sourceIndex) const
{
    const auto found = std::ranges::find(m_rows, sourceIndex.row(), &Row::source);
    return !sourceIndex.isValid() || found == m_rows.end()
               ? QModelIndex()
               : index(static_cast<int>(found - m_rows.begin()), sourceIndex.column());
}

QModelIndex SweepRows::index(int row, int column, const QModelIndex &parent) const
{
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

int SweepRows::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SweepRows::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_model->columnCount();
}

QVariant SweepRows::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (!isGroup(index.row()))
        return m_model->data(mapToSource(index), role);
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isTitle = index.column() == static_cast<int>(Column::Name);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        if (!isTitle)
            return {};
        return tr("%1 (%L2)")
            .arg(!row.group.isEmpty()          ? row.group
                 : m_groupedBy == Column::Tags ? tr("No tags")
                                               : tr("None"))
            .arg(row.members);
    case Qt::DecorationRole:
        return isTitle ? symbolIcon(isFolded(index.row()) ? u"right"_s : u"down"_s, QPalette::Text) : QVariant();
    case Qt::FontRole:
        return emphasisFont(QGuiApplication::font());
    case Qt::BackgroundRole:
        return QGuiApplication::palette().brush(QPalette::Window);
    default:
        return {};
    }
}

QVariant SweepRows::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_model->headerData(section, orientation, role);
}

Qt::ItemFlags SweepRows::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    return isGroup(index.row()) ? common : common | Qt::ItemIsSelectable;
}

}  // namespace sweepscope::ui
