#pragma once

#include "sweep/sweepspec.h"

#include <QMetaType>

#include <optional>
#include <vector>

class QPainter;
class QPalette;
class QRectF;

namespace sweepscope::ui {

/// The positions of a parameter's values on their scale, from 0 for the lowest value to 1 for the highest.
struct ScalePicture {
    std::vector<double> ticks;       ///< powers of ten on a logarithmic scale, round steps on a linear one
    std::vector<double> minorTicks;  ///< 2 to 9 times a power of ten: their spacing shows that the scale is logarithmic
    std::vector<double> values;
    bool isContinuous = false;  ///< any value between is possible, or there are too many to draw
};

/// Returns nullopt for strings, for a single value, and for an invalid dimension. A list gets a logarithmic scale if
/// its numbers span one.
std::optional<ScalePicture> scalePictureOf(const sweep::Dimension &dimension, sweep::SearchMethod method);

void paintScale(QPainter &painter, const QRectF &area, const ScalePicture &picture, const QPalette &palette);

}  // namespace sweepscope::ui

Q_DECLARE_METATYPE(sweepscope::ui::ScalePicture)
