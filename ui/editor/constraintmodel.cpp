#include "ui/editor/constraintmodel.h"

namespace sweepscope::ui {
namespace {

bool isName(int column)
{
    return column == static_cast<int>(ConstraintColumn::Name);
}

}  // namespace

ConstraintModel::ConstraintModel(const QString &meaning, const QString &example, QObject *parent)
    : RowsModel(parent), m_meaning(meaning), m_example(example)
{}

int ConstraintModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : constraintColumnCount;
}

QVariant ConstraintModel::data(const QModelIndex &index, int role) const
{
    if (role == PlaceholderRole && index.isValid())
        return isName(index.column()) ? tr("name") : m_example;
    return RowsModel::data(index, role);
}

QVariant ConstraintModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole)
        return isName(section) ? tr("Constraint") : m_meaning;
    return role == Qt::DisplayRole ? RowsModel::headerData(section, orientation, role) : QVariant();
}

bool ConstraintModel::isUntouched(int row) const
{
    return at(row) == ConstraintDraft();
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
