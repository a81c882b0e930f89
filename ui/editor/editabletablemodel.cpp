#include "ui/editor/editabletablemodel.h"

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void EditableTableModel::setProblems(std::vector<PlacedProblem> problems)
{
    if (problems == m_problems)
        return;
    m_problems = std::move(problems);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {ProblemRole, Qt::ToolTipRole});
}

QString EditableTableModel::problemAt(int row, int column) const
{
    for (const PlacedProblem &problem : m_problems)
        if (problem.row == row && problem.column == column)
            return problem.message;
    return {};
}

QString EditableTableModel::firstProblemOfRow(int row) const
{
    for (const PlacedProblem &problem : m_problems)
        if (problem.row == row)
            return problem.message;
    return {};
}

QVariant EditableTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const QString problem = problemAt(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return cellText(index.row(), index.column());
    case Qt::ToolTipRole:
        return problem.isEmpty() ? QVariant() : problem;
    case Qt::AccessibleTextRole:
        return headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() + u": "_s
               + cellText(index.row(), index.column());
    case Qt::AccessibleDescriptionRole:
    case ProblemRole:
        return problem;
    case ColumnSpanRole:
        return columnSpan(index.row(), index.column());
    case NoteRole:
        return !isCellEditable(index.row(), index.column());
    default:
        return {};
    }
}

bool EditableTableModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)
        || !isCellEditable(index.row(), index.column()))
        return false;
    if (!setCellText(index.row(), index.column(), value.toString()))
        return true;
    Q_EMIT dataChanged(this->index(index.row(), 0), this->index(index.row(), columnCount() - 1));
    Q_EMIT edited(u"cell %1 %2"_s.arg(index.row()).arg(index.column()));
    return true;
}

Qt::ItemFlags EditableTableModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren;
    if (isCellEditable(index.row(), index.column()))
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool EditableTableModel::isCellEditable(int, int) const
{
    return true;
}

int EditableTableModel::columnSpan(int, int) const
{
    return 1;
}

}  // namespace sweepscope::ui
