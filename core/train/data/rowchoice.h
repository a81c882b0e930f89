#pragma once

#include "base/error.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sweepscope::train {

/// Asked by the reader of a table, once it knows how many rows there are: which of them are wanted, and in which order.
/// Readers keep no other row in memory. An empty function wants all.
using RowChoice = std::function<Expected<std::vector<std::int64_t>>(std::int64_t count)>;

/// For the training samples of a data set, and for its own test set where it has one.
struct RowChoices {
    RowChoice samples{};
    RowChoice test{};
};

/// The rows that `choice` wants of `count`, all of them for an empty one.
Expected<std::vector<std::int64_t>> chosenRows(const RowChoice &choice, std::int64_t count);

}  // namespace sweepscope::train
