#pragma once

#include "sweep/sweepspec.h"

#include <QString>

#include <optional>

namespace sweepscope::ui {

/// What a series of this name is usually trained towards, by the words in it: accuracies and throughputs up, losses and
/// errors down. Empty: the name does not tell.
std::optional<sweep::Goal> usualGoal(const QString &series);

}  // namespace sweepscope::ui
