#include "ui/analysis/importancemodel.h"

#include <algorithm>

namespace sweepscope::ui {

void ImportanceModel::setImportance(const FigurePtr &figure, const analysis::Importance &importance)
{
    std::vector<Row> rows;
    if (figure && importance.problem == analysis::Importance::Problem::None) {
        for (std::size_t i = 0; i < importance.shares.size(); ++i)
            rows.push_back({figure->axes[i].title, importance.shares[i], importance.lows[i], importance.highs[i]});
    }
    std::ranges::stable_sort(rows, std::ranges::greater(), &Row::share);
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int ImportanceModel::rowOf(const QString &id) const
{
    const auto found = std::ranges::find(m_rows, id, &Row::name);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int ImportanceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ImportanceModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case IdRole:
        return row.name;
    case ShareRole:
        return row.share;
    case LowRole:
        return row.low;
    case HighRole:
        return row.high;
    case LongestRole:
        return std::ranges::max(m_rows, {}, &Row::high).high;
    case Qt::AccessibleTextRole:
        return tr("%1: %2%, between %3% and %4%")
            .arg(row.name)
            .arg(100 * row.share, 0, 'f', 0)
            .arg(100 * row.low, 0, 'f', 0)
            .arg(100 * row.high, 0, 'f', 0);
    case Qt::ToolTipRole: {
        const QString interval =
            tr("80% interval: %1% to %2%").arg(100 * row.low, 0, 'f', 1).arg(100 * row.high, 0, 'f', 1);
        if (row.share == 0)
            return tr("%1: no more than expected by chance with this many trials").arg(row.name) + u'\n' + interval;
        return tr("%1: %2% of the effect of individual parameters on the result")
                   .arg(row.name)
                   .arg(100 * row.share, 0, 'f', 1)
               + u'\n' + interval;
    }
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
