#pragma once

#include "sweep/records.h"

#include <QColor>
#include <QString>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The colors of trials' curves, and what they say.
struct CurveTints {
    /// For each trial; nullopt: it has no such value, and its own color.
    std::vector<std::optional<QRgb>> colors;
    /// The colors with their words: the ends of a gradient, or each value. Empty: there are too many values.
    std::vector<std::pair<QString, QColor>> key;
    bool isGradient = false;
};

/// By the best value that each trial reported: a gradient over their order, so that one trial that diverged does not
/// give all others one color.
CurveTints tintsByObjective(const sweep::SweepRecord &sweep, const std::vector<const sweep::TrialRecord *> &trials,
                            bool onDark);

/// By a parameter: numbers by a gradient over their order, other values each with a color.
CurveTints tintsByParameter(const std::string &parameter, const std::vector<const sweep::TrialRecord *> &trials,
                            bool onDark);

}  // namespace sweepscope::ui
