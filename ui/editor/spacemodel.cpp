#include "ui/editor/spacemodel.h"

#include "sweep/keys.h"
#include "ui/editor/dimensionpreview.h"
#include "ui/editor/dimensionreading.h"
#include "ui/editor/scalepicture.h"
#include "ui/editor/valuelist.h"

#include <QStringList>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

/// Returns the text behind a column; null for Preview.
QString *textOf(DimensionDraft &draft, SpaceColumn column)
{
    switch (column) {
    case SpaceColumn::Name:
        return &draft.name;
    case SpaceColumn::From:
        return isList(draft.kind) ? &draft.values : &draft.from;
    case SpaceColumn::To:
        return &draft.to;
    case SpaceColumn::Points:
        return hasStep(draft.kind) ? &draft.step : &draft.points;
    case SpaceColumn::When:
        return &draft.when;
    case SpaceColumn::Kind:
    case SpaceColumn::Preview:
        break;
    }
    return nullptr;
}

/// Converts the typed values to another kind: the limits of a list to a range and vice versa, unless something would be
/// lost.
void changeKind(DimensionDraft &draft, sweep::DimensionKind kind)
{
    const bool wasList = isList(draft.kind);
    draft.kind = kind;
    if (isList(kind) && !wasList && draft.values.trimmed().isEmpty()) {
        draft.values = draft.from;
        if (!draft.to.trimmed().isEmpty())
            draft.values += u", "_s + draft.to;
    } else if (!isList(kind) && wasList && draft.from.isEmpty() && draft.to.isEmpty()) {
        const std::vector<ListEntry> entries = splitList(draft.values);
        if (!entries.empty() && numberFromText(entries.front().text) && numberFromText(entries.back().text)) {
            draft.from = entries.front().text;
            draft.to = entries.back().text;
        }
    }
    if (sweep::isContinuous(kind) && draft.points.isEmpty())
        draft.points = u"3"_s;
}

/// Fills a row that has only a name with the values that suit this setting of the built-in worker.
void suggestValues(DimensionDraft &draft)
{
    const sweep::Key *setting = sweep::findBuiltinSetting(draft.name.trimmed().toStdString());
    if (!setting || draft.kind != sweep::DimensionKind::List || !draft.values.trimmed().isEmpty())
        return;
    if (setting->type == sweep::KeyType::Choice || setting->type == sweep::KeyType::Boolean) {
        std::vector<sweep::ParameterValue> values(setting->choices.begin(), setting->choices.end());
        if (setting->type == sweep::KeyType::Boolean)
            values = {false, true};
        draft.kind = sweep::DimensionKind::Choice;
        draft.values = textOfValues(values);
    }
}

}  // namespace

QStringList SpaceModel::kindNames()
{
    return {tr("Values"),      tr("Categories"), tr("Uniform"), tr("Log-uniform"), tr("Integer"),
            tr("Log integer"), tr("Stepped"),    tr("Normal"),  tr("Log-normal")};
}

void SpaceModel::setMethod(sweep::SearchMethod method)
{
    if (method == m_method)
        return;
    m_method = method;
    const int column = static_cast<int>(SpaceColumn::Preview);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, column), index(rowCount() - 1, column));
}

int SpaceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : spaceColumnCount;
}

QVariant SpaceModel::data(const QModelIndex &index, int role) const
{
    const QVariant base = RowsModel::data(index, role);
    if (role == PlaceholderRole && index.isValid())
        return placeholder(index.row(), index.column());
    if (!index.isValid() || index.column() != static_cast<int>(SpaceColumn::Preview))
        return base;
    const QString problem = firstProblemOfRow(index.row());
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return problem.isEmpty() ? preview(index.row(), false) : problem;
    if (role == ScaleRole)
        return problem.isEmpty() ? scale(index.row()) : QVariant();
    if (role == ProblemRole)
        return problem;
    if (role == Qt::DisplayRole && !problem.isEmpty())
        return problem;
    return base;
}

QVariant SpaceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return RowsModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    const bool tip = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !tip)
        return {};
    switch (static_cast<SpaceColumn>(section)) {
    case SpaceColumn::Name:
        return tip ? tr("Setting of the built-in worker, or {name} in a command.") : tr("Parameter");
    case SpaceColumn::Kind:
        return tip ? tr(
                   "Values: list of numbers\nCategories: list of words\nUniform: range with linear "
                   "spacing\nLog-uniform: range with logarithmic spacing\nInteger: range of integers with a step\nLog "
                   "integer: range of integers with logarithmic spacing\nStepped: range of decimals with a "
                   "step\nNormal: mean and standard deviation\nLog-normal: the "
                   "same, of the natural logarithm")
                   : tr("Kind");
    case SpaceColumn::From:
        return tip ? tr("Comma-separated values, start of the range, or mean.") : tr("Values / from");
    case SpaceColumn::To:
        return tip ? tr("End of the range, inclusive, or standard deviation.") : tr("To");
    case SpaceColumn::Points:
        return tip ? tr("Grid search: number of points in the range. Integer: step.") : tr("Points");
    case SpaceColumn::When:
        return tip ? tr("Condition for this parameter, e.g. optimizer == 'sgd'. It can use the parameters above.")
                   : tr("When");
    case SpaceColumn::Preview:
        return tip ? tr("Values used by the trials.") : tr("Resulting values");
    }
    return {};
}

QString SpaceModel::cellText(int row, int column) const
{
    DimensionDraft draft = at(row);
    const auto which = static_cast<SpaceColumn>(column);
    if (which == SpaceColumn::Kind)
        return kindNames().value(static_cast<int>(draft.kind));
    if (which == SpaceColumn::Preview)
        return preview(row, true);
    if (isList(draft.kind) && (which == SpaceColumn::To || which == SpaceColumn::Points))
        return {};
    return *textOf(draft, which);
}

bool SpaceModel::setCellText(int row, int column, const QString &text)
{
    DimensionDraft draft = at(row);
    const auto which = static_cast<SpaceColumn>(column);
    if (which == SpaceColumn::Kind) {
        const int kind = static_cast<int>(kindNames().indexOf(text));
        if (kind < 0)
            return false;
        changeKind(draft, static_cast<sweep::DimensionKind>(kind));
    } else {
        *textOf(draft, which) = text;
        if (which == SpaceColumn::Name)
            suggestValues(draft);
    }
    if (draft == at(row))
        return false;
    at(row) = draft;
    return true;
}

bool SpaceModel::isUntouched(int row) const
{
    return at(row) == DimensionDraft();
}

bool SpaceModel::isCellEditable(int row, int column) const
{
    const auto which = static_cast<SpaceColumn>(column);
    const bool covered = which == SpaceColumn::To || which == SpaceColumn::Points;
    return which != SpaceColumn::Preview && !(covered && isList(at(row).kind));
}

int SpaceModel::columnSpan(int row, int column) const
{
    return column == static_cast<int>(SpaceColumn::From) && isList(at(row).kind) ? 3 : 1;
}

QString SpaceModel::preview(int row, bool shortForm) const
{
    std::vector<PlacedProblem> problems;
    const sweep::Dimension dimension = readDimension(at(row), row, problems);
    return problems.empty() ? previewOf(dimension, m_method, shortForm) : QString();
}

QVariant SpaceModel::scale(int row) const
{
    std::vector<PlacedProblem> problems;
    const sweep::Dimension dimension = readDimension(at(row), row, problems);
    const auto picture = problems.empty() ? scalePictureOf(dimension, m_method) : std::nullopt;
    return picture ? QVariant::fromValue(*picture) : QVariant();
}

QString SpaceModel::placeholder(int row, int column) const
{
    const sweep::DimensionKind kind = at(row).kind;
    switch (static_cast<SpaceColumn>(column)) {
    case SpaceColumn::Name:
        return tr("name");
    case SpaceColumn::From:
        if (kind == sweep::DimensionKind::Choice)
            return tr("sgd, adam");
        if (kind == sweep::DimensionKind::List)
            return tr("32, 64, 128");
        return sweep::isNormal(kind) ? tr("mean") : tr("from");
    case SpaceColumn::To:
        return sweep::isNormal(kind) ? tr("deviation") : tr("to");
    case SpaceColumn::Points:
        if (hasStep(kind))
            return kind == sweep::DimensionKind::Integer ? tr("step 1") : tr("step");
        return m_method == sweep::SearchMethod::Grid ? tr("points") : QString();
    case SpaceColumn::When:
        return tr("always");
    case SpaceColumn::Kind:
    case SpaceColumn::Preview:
        break;
    }
    return {};
}

}  // namespace sweepscope::ui
