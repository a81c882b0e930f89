#pragma once

#include "sweep/records.h"
#include "ui/plot/colorkey.h"

#include <QColor>

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// The colors of trials' curves, and what they say.
struct CurveTints {
    /// By number - 1; nullopt: the trial is not shown, or has no such value and its own color.
    std::vector<std::optional<QRgb>> colors;
    std::optional<QRgb> colorOf(int trial) const
    {
        const auto place = static_cast<std::size_t>(trial - 1);
        return place < colors.size() ? colors[place] : std::nullopt;
    }
    ColorKey key;  ///< without entries if there are too many values
};

/// By the best value that each shown trial reported: a gradient over their order, so that one trial that diverged does
/// not give all others one color.
CurveTints tintsByObjective(const sweep::SweepRecord &sweep, const std::vector<const sweep::TrialRecord *> &shown,
                            bool onDark);

/// By a parameter: numbers by a gradient over the order of those shown, other values each with a color that depends on
/// all trials. The key has only the values of shown ones.
CurveTints tintsByParameter(const std::string &parameter, const std::vector<const sweep::TrialRecord *> &all,
                            const std::vector<const sweep::TrialRecord *> &shown, bool onDark);

/// Sorts trials so that no color covers the others where curves are dense: from the last one, which is drawn on top, each
/// color has a trial in turn. Which one is drawn by lot, the same at any time.
void alternateColors(std::vector<const sweep::TrialRecord *> &trials, const CurveTints &tints);

}  // namespace sweepscope::ui
