#pragma once

#include "ui/models/trialtablemodel.h"

#include <QString>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Trials that have the same value in one column.
struct TrialGroup {
    QString title;
    QVariant value;            ///< raw; what groups are sorted by, where nothing better is chosen
    std::vector<int> members;  ///< rows of the model, in the order in which they are shown
    bool isFolded = true;
};

/// Lowest, highest and mean of a column of numbers over a group's trials, those without a finite value left out; of
/// results also those that broke down.
struct GroupNumbers {
    int count = 0;
    double low = 0;
    double high = 0;
    double mean = 0;
    int brokeDown = 0;  ///< left out, though they have a value
};
GroupNumbers numbersOf(const TrialGroup &group, const TrialTableModel &model, int section);

/// What a group is sorted by when the table is sorted by this column: the best of the best values, the mean of other
/// numbers, how many trials it has, or what its trials have in common. Invalid: there is none.
QVariant groupValue(const TrialGroup &group, const TrialTableModel &model, int section);

/// What stands in the group's row: a value that all have, a range, or how many different ones there are.
QString groupText(const TrialGroup &group, const TrialTableModel &model, int section);
QString groupToolTip(const TrialGroup &group, const TrialTableModel &model, int section);

}  // namespace sweepscope::ui
