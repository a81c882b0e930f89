#pragma once

#include "sweep/records.h"

#include <map>
#include <vector>

namespace sweepscope::ui {

/// Bars of one device that are narrower than a pixel, counted by pixel.
class ThinBars {
public:
    struct Pixel {
        double x = 0;     ///< its left edge
        double busy = 0;  ///< from 0 to 1
        sweep::TrialState state = sweep::TrialState::Completed;
    };

    /// Ignores what is left of `left` or right of `right`.
    ThinBars(double left, double right);

    void add(double from, double to, sweep::TrialState state);

    /// Returns the pixels that are busy, from the left. The state is a failure if there is any, else that of the most time.
    std::vector<Pixel> pixels() const;

private:
    double m_left;
    double m_right;
    std::map<int, std::map<sweep::TrialState, double>> m_busy;
};

}  // namespace sweepscope::ui
