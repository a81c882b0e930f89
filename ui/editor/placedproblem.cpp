#include "ui/editor/placedproblem.h"

#include "sweep/dimensionvalues.h"
#include "sweep/keys.h"
#include "sweep/searchspace.h"
#include "ui/editor/dimensionreading.h"
#include "ui/editor/valuelist.h"

#include <optional>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

SpaceColumn columnOfRange(const DimensionDraft &draft)
{
    const std::optional<double> from = decimalFromText(draft.from);
    const std::optional<double> to = decimalFromText(draft.to);
    if (sweep::isNormal(draft.kind))
        return !from ? SpaceColumn::From : !to || *to <= 0 ? SpaceColumn::To : SpaceColumn::Points;
    if (!from || (draft.kind == sweep::DimensionKind::Log && *from <= 0))
        return SpaceColumn::From;
    if (!to || *to <= *from)
        return SpaceColumn::To;
    return SpaceColumn::Points;
}

bool isWellFormed(const DimensionDraft &dimension, const SweepDraft &draft)
{
    std::vector<PlacedProblem> typed;
    const sweep::Dimension read = readDimension(dimension, 0, typed);
    return typed.empty() && sweep::checkDimension(read, draft.method() == sweep::SearchMethod::Grid).empty();
}

/// The checks ask the worker about a parameter only if it has no other problem: then its name or its kind is wrong. For
/// a command, they check that it uses the parameter.
std::optional<SpaceColumn> columnForWorker(const DimensionDraft &dimension, const SweepDraft &draft)
{
    const std::string name = dimension.name.trimmed().toStdString();
    if (name == "ranks" || name == "seed" || !isWellFormed(dimension, draft))
        return std::nullopt;
    if (draft.worker() == sweep::WorkerKind::Command)
        return SpaceColumn::Name;
    const sweep::Key *setting = sweep::findBuiltinSetting(name);
    if (!setting)
        return SpaceColumn::Name;
    const bool isDecimal = sweep::isContinuous(dimension.kind) || dimension.kind == sweep::DimensionKind::Stepped;
    return isDecimal && setting->type != sweep::KeyType::Float ? std::optional(SpaceColumn::Kind) : std::nullopt;
}

/// The checks name the parameter; its contents tell which of its cells is wrong.
SpaceColumn columnOf(const sweep::Problem &problem, const QString &part, const DimensionDraft &draft,
                     const SweepDraft &all, bool nameTaken)
{
    if (part == "when"_L1 || problem.position > 0)
        return SpaceColumn::When;
    if (part == "points"_L1 || part == "step"_L1)
        return SpaceColumn::Points;
    if (part == "name"_L1 || draft.name.trimmed().isEmpty() || nameTaken)
        return SpaceColumn::Name;
    if (!sweep::checkParameterName(draft.name.trimmed().toStdString()).empty())
        return SpaceColumn::Name;
    if (const std::optional<SpaceColumn> column = columnForWorker(draft, all))
        return *column;
    return isList(draft.kind) ? SpaceColumn::From : columnOfRange(draft);
}

/// Splits "space.lr.when" at the longest name of the table that it starts with, because names may contain dots.
template <typename Row>
std::pair<QString, QString> splitField(const QString &rest, const std::vector<Row> &rows)
{
    QString name = rest;
    QString part;
    qsizetype longest = -1;
    for (const Row &row : rows) {
        const QString candidate = row.name.trimmed();
        if (candidate.size() > longest && (rest == candidate || rest.startsWith(candidate + u'.'))) {
            longest = candidate.size();
            name = candidate;
            part = rest.mid(candidate.size() + 1);
        }
    }
    return {name, part};
}

template <typename Row>
std::vector<int> rowsNamed(const QString &name, const std::vector<Row> &rows)
{
    std::vector<int> found;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].name.trimmed() == name)
            found.push_back(static_cast<int>(i));
    if (!found.empty())
        return found;
    bool isPlace = false;
    const int place = name.toInt(&isPlace);
    if (isPlace && place >= 1 && place <= static_cast<int>(rows.size()))
        found.push_back(place - 1);
    return found;
}

/// The places in a table with named rows, if the field belongs to it ("constraints.fits").
template <typename Row, typename ColumnOf>
std::vector<PlacedProblem> placesIn(const QString &table, const std::vector<Row> &rows, const sweep::Problem &problem,
                                    ColumnOf columnOf)
{
    const QString field = QString::fromStdString(problem.field);
    std::vector<PlacedProblem> places;
    if (!field.startsWith(table + u'.'))
        return places;
    const auto [name, part] = splitField(field.mid(table.size() + 1), rows);
    const std::vector<int> named = rowsNamed(name, rows);
    for (const int row : named) {
        const auto column = columnOf(rows[static_cast<std::size_t>(row)], part, named.size() > 1);
        places.push_back({field, QString::fromStdString(problem.message), row, static_cast<int>(column)});
    }
    return places;
}

std::vector<PlacedProblem> placesInConstraints(const QString &table, const std::vector<ConstraintDraft> &rows,
                                               const sweep::Problem &problem)
{
    return placesIn(table, rows, problem, [&](const ConstraintDraft &row, const QString &, bool nameTaken) {
        const bool inName = problem.position == 0 && (nameTaken || row.name.trimmed().isEmpty());
        return inName ? ConstraintColumn::Name : ConstraintColumn::Expression;
    });
}

}  // namespace

std::vector<PlacedProblem> placeProblem(const sweep::Problem &problem, const SweepDraft &draft)
{
    const auto columnInSpace = [&](const DimensionDraft &row, const QString &part, bool nameTaken) {
        return columnOf(problem, part, row, draft, nameTaken);
    };
    const auto nameOfObjective = [](const ObjectiveDraft &, const QString &, bool) { return ObjectiveColumn::Name; };
    std::vector<PlacedProblem> all = placesIn(u"space"_s, draft.space, problem, columnInSpace);
    for (const std::vector<PlacedProblem> &places :
         {placesInConstraints(u"constraints"_s, draft.constraints, problem),
          placesIn(u"objectives"_s, draft.objectives, problem, nameOfObjective),
          placesInConstraints(u"outcome_constraints"_s, draft.outcomeConstraints, problem)})
        all.insert(all.end(), places.begin(), places.end());
    if (all.empty())
        all.push_back({QString::fromStdString(problem.field), QString::fromStdString(problem.message)});
    return all;
}

}  // namespace sweepscope::ui
