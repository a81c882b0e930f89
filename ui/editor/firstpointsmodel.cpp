#include "ui/editor/firstpointsmodel.h"

#include "ui/models/valuetext.h"

namespace sweepscope::ui {

/// Without a reset if nothing has changed, so that the view keeps selection and scroll position.
void FirstPointsModel::setPoints(const std::vector<std::string> &names, const std::vector<sweep::ParameterSet> &points)
{
    if (names == m_names && points == m_points)
        return;
    beginResetModel();
    m_names = names;
    m_points = points;
    endResetModel();
}

int FirstPointsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_points.size());
}

int FirstPointsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_names.size());
}

QVariant FirstPointsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    if (index.column() == 0)
        return role == Qt::DisplayRole ? QString::number(index.row() + 1) : QVariant();
    const sweep::ParameterValue *value = sweep::find(m_points[static_cast<std::size_t>(index.row())],
                                                     m_names[static_cast<std::size_t>(index.column()) - 1]);
    if (!value)
        return {};
    return role == Qt::DisplayRole ? parameterText(*value) : exactText(*value);
}

QVariant FirstPointsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return section == 0 ? tr("Trial") : QString::fromStdString(m_names[static_cast<std::size_t>(section) - 1]);
}

}  // namespace sweepscope::ui
