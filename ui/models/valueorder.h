#pragma once

#include <QVariant>

#include <functional>
#include <vector>

namespace sweepscope::ui {

/// Sorts `items` by valueOf(item), called once per item: numbers before strings, and missing values and NaN last in
/// either direction. Equal items keep their order.
void sortByValue(std::vector<int> &items, Qt::SortOrder order, const std::function<QVariant(int)> &valueOf);

/// Compares numbers in names by their values: "step-2" is less than "step-10".
bool isNaturallyLess(QStringView a, QStringView b);

}  // namespace sweepscope::ui
