#pragma once

#include "sweep/sweepspec.h"

#include <QString>

#include <optional>

namespace sweepscope::ui {

/// Returns the usual goal of a series, by the words in its name: maximize accuracies and throughputs, minimize losses
/// and errors; nullopt if unknown.
std::optional<sweep::Goal> usualGoal(const QString &series);

}  // namespace sweepscope::ui
