#pragma once

#include <QPolygonF>
#include <QRectF>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Returns the place for a label of this size on a line, as near to its middle as there is room: inside of `area` and apart
/// from the `taken` places. nullopt if there is none, or the line is too short to be labelled.
std::optional<QRectF> labelPlace(const QPolygonF &line, const QSizeF &size, const QRectF &area,
                                 const std::vector<QRectF> &taken);

}  // namespace sweepscope::ui
