#include "ui/analysis/contourlabel.h"

#include <QLineF>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr double shortest = 2.5;  ///< a labelled line, in widths of the label
constexpr double apart = 8;       ///< pixels between labels

}  // namespace

std::optional<QRectF> labelPlace(const QPolygonF &line, const QSizeF &size, const QRectF &area,
                                 const std::vector<QRectF> &taken)
{
    double length = 0;
    for (qsizetype i = 1; i < line.size(); ++i)
        length += QLineF(line[i - 1], line[i]).length();
    if (length < shortest * size.width())
        return std::nullopt;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const qsizetype beside = i % 2 == 0 ? i / 2 : -(i + 1) / 2;
        QRectF place(QPointF(), size);
        place.moveCenter(line[(line.size() / 2 + beside + line.size()) % line.size()]);
        const QRectF around = place.adjusted(-apart, -apart, apart, apart);
        if (area.contains(place)
            && std::ranges::none_of(taken, [&](const QRectF &other) { return other.intersects(around); }))
            return place;
    }
    return std::nullopt;
}

}  // namespace sweepscope::ui
