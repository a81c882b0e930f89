#pragma once

#include "sweep/problem.h"
#include "ui/editor/sweepdraft.h"

#include <QString>

#include <vector>

namespace sweepscope::ui {

/// Columns of the search space table. For a list, From holds its values and spans To and Points.
enum class SpaceColumn { Name, Kind, From, To, Points, When, Preview };
inline constexpr int spaceColumnCount = 7;
enum class ConstraintColumn { Name, Expression };
inline constexpr int constraintColumnCount = 2;
enum class ObjectiveColumn { Name, Goal };
inline constexpr int objectiveColumnCount = 2;

/// A problem and the one place of the form that shows it. `row` and `column` refer to the table that the first part of
/// `field` names ("space", "objectives"); -1 for a whole table and for all other fields.
struct PlacedProblem {
    QString field;  ///< dotted path: "run.ranks", "space.lr"
    QString message;
    int row = -1;
    int column = -1;

    bool operator==(const PlacedProblem &) const = default;
};

/// Returns the places in the form for a problem of the sweep's checks: several rows if a name is used twice.
std::vector<PlacedProblem> placeProblem(const sweep::Problem &problem, const SweepDraft &draft);

}  // namespace sweepscope::ui
