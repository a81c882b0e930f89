#include "ui/logs/sweephitsmodel.h"

#include <QLocale>

namespace sweepscope::ui {

void SweepHitsModel::clear()
{
    beginResetModel();
    m_hits.clear();
    endResetModel();
}

void SweepHitsModel::append(const std::vector<SweepHit> &hits)
{
    if (hits.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(hits.size()) - 1);
    m_hits.insert(m_hits.end(), hits.begin(), hits.end());
    endInsertRows();
}

int SweepHitsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_hits.size());
}

int SweepHitsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SweepHitsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const SweepHit &one = hit(index.row());
    if (role == MatchStartRole)
        return one.start;
    if (role == MatchLengthRole)
        return one.length;
    if (role == Qt::TextAlignmentRole && index.column() == Line)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Trial:
        return tr("Trial %1").arg(one.trial);
    case Log:
        return one.isOnlyAttempt ? tr("Rank %1").arg(one.rank)
                                 : tr("Attempt %1, rank %2").arg(one.attempt).arg(one.rank);
    case Line:
        return QLocale().toString(one.line);
    case Text:
        return one.text;
    default:
        return {};
    }
}

QVariant SweepHitsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Trial:
        return tr("Trial");
    case Log:
        return tr("Log");
    case Line:
        return tr("Line");
    case Text:
        return tr("Text");
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
