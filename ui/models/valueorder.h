#pragma once

#include <QVariant>

#include <functional>
#include <vector>

namespace sweepscope::ui {

/// Sorts `items` by valueOf(item), called once per item: numbers before strings, and missing values and NaN last in
/// either direction. Equal items keep their order.
void sortByValue(std::vector<int> &items, Qt::SortOrder order, const std::function<QVariant(int)> &valueOf);

}  // namespace sweepscope::ui
