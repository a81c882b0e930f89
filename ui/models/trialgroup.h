#pragma once

#include "ui/models/trialtablemodel.h"

#include <QString>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Trials with the same value in one column.
struct TrialGroup {
    QString title;
    QVariant value;            ///< raw; sort key of the groups by default
    std::vector<int> members;  ///< rows of the model, in display order
    bool isFolded = true;
};

/// Min, max, median and sum of a numeric column over a group's trials, without those that have no finite value; for
/// results, also without those that failed.
struct GroupNumbers {
    int count = 0;
    double low = 0;
    double high = 0;
    double median = 0;  ///< unlike a mean, independent of one trial that diverged
    double sum = 0;
    int brokeDown = 0;  ///< left out although they have a value
};
GroupNumbers numbersOf(const TrialGroup &group, const TrialTableModel &model, int section);

/// Returns the sort key of a group for this column: the best of the best values, the median of other numbers, the number
/// of trials, or the common value. Invalid if there is none.
QVariant groupValue(const TrialGroup &group, const TrialTableModel &model, int section);

/// Returns the text of a group's cell: a common value, a range, or the number of different values.
QString groupText(const TrialGroup &group, const TrialTableModel &model, int section);
QString groupToolTip(const TrialGroup &group, const TrialTableModel &model, int section);

}  // namespace sweepscope::ui
