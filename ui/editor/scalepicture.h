#pragma once

#include "sweep/sweepspec.h"

#include <QMetaType>

#include <optional>
#include <vector>

class QPainter;
class QPalette;
class QRectF;

namespace sweepscope::ui {

/// Where a parameter's values lie on their scale. Places go from 0, the lowest value, to 1, the highest one.
struct ScalePicture {
    std::vector<double> ticks;       ///< powers of ten of a logarithmic scale, round steps of a linear one
    std::vector<double> minorTicks;  ///< 2 to 9 times a power of ten: their crowding says that the scale is logarithmic
    std::vector<double> values;
    bool isContinuous = false;  ///< any value between may be drawn, or there are too many to tell apart
};

/// Nothing for words, for a single value, and for what is wrong. A list is shown on a logarithmic scale where its numbers span it.
std::optional<ScalePicture> scalePictureOf(const sweep::Dimension &dimension, sweep::SearchMethod method);

void paintScale(QPainter &painter, const QRectF &area, const ScalePicture &picture, const QPalette &palette);

}  // namespace sweepscope::ui

Q_DECLARE_METATYPE(sweepscope::ui::ScalePicture)
