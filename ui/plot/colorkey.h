#pragma once

#include <QColor>
#include <QString>

#include <utility>
#include <vector>

namespace sweepscope::ui {

/// What the colors of curves mean: a color for each value, or the ends of a gradient.
struct ColorKey {
    QString title;                                    ///< of the values
    std::vector<std::pair<QString, QColor>> entries;  ///< empty: there is nothing to explain
    bool isGradient = false;

    bool operator==(const ColorKey &) const = default;
};

}  // namespace sweepscope::ui
