#include "ui/editor/objectivemodel.h"

#include "ui/models/usualgoal.h"

namespace sweepscope::ui {
namespace {

bool isGoal(int column)
{
    return column == static_cast<int>(ObjectiveColumn::Goal);
}

sweep::Goal usualGoalOf(const QString &objective)
{
    return usualGoal(objective).value_or(sweep::Goal::Minimize);
}

}  // namespace

QStringList ObjectiveModel::goalNames()
{
    return {tr("Minimize"), tr("Maximize")};
}

int ObjectiveModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : objectiveColumnCount;
}

QVariant ObjectiveModel::data(const QModelIndex &index, int role) const
{
    if (role == PlaceholderRole && index.isValid())
        return tr("e.g. latency");
    return RowsModel::data(index, role);
}

QVariant ObjectiveModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole)
        return isGoal(section) ? tr("Goal") : tr("Further objective");
    return role == Qt::DisplayRole ? RowsModel::headerData(section, orientation, role) : QVariant();
}

bool ObjectiveModel::isUntouched(int row) const
{
    return at(row) == ObjectiveDraft();
}

QString ObjectiveModel::cellText(int row, int column) const
{
    return isGoal(column) ? goalNames().value(static_cast<int>(at(row).goal)) : at(row).name;
}

/// The goal follows the name until the user changes it.
bool ObjectiveModel::setCellText(int row, int column, const QString &text)
{
    ObjectiveDraft draft = at(row);
    if (!isGoal(column)) {
        if (draft.goal == usualGoalOf(draft.name))
            draft.goal = usualGoalOf(text);
        draft.name = text;
    } else if (const auto goal = goalNames().indexOf(text); goal >= 0) {
        draft.goal = static_cast<sweep::Goal>(goal);
    }
    if (draft == at(row))
        return false;
    at(row) = draft;
    return true;
}

}  // namespace sweepscope::ui
