#include "ui/editor/constraintmodel.h"

namespace sweepscope::ui {
namespace {

bool isName(int column)
{
    return column == static_cast<int>(ConstraintColumn::Name);
}

}  // namespace

int ConstraintModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : constraintColumnCount;
}

QVariant ConstraintModel::data(const QModelIndex &index, int role) const
{
    if (role == PlaceholderRole && index.isValid())
        return isName(index.column()) ? tr("name") : tr("e.g. batch_size * ranks <= 256");
    return RowsModel::data(index, role);
}

QVariant ConstraintModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole)
        return isName(section) ? tr("Constraint") : tr("Only trials that satisfy this expression run");
    return role == Qt::DisplayRole ? RowsModel::headerData(section, orientation, role) : QVariant();
}

QString ConstraintModel::cellText(int row, int column) const
{
    return isName(column) ? at(row).name : at(row).expression;
}

bool ConstraintModel::setCellText(int row, int column, const QString &text)
{
    QString &cell = isName(column) ? at(row).name : at(row).expression;
    if (cell == text)
        return false;
    cell = text;
    return true;
}

}  // namespace sweepscope::ui
