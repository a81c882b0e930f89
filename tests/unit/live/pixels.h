#pragma once

#include <QColor>
#include <QImage>
#include <QPointF>

#include <cstdlib>

namespace sweepscope::tests {

/// Returns whether a pixel within `reach` of the point has nearly this colour.
inline bool isColored(const QImage &image, const QPointF &point, const QColor &color, int reach = 1)
{
    for (int y = qRound(point.y()) - reach; y <= qRound(point.y()) + reach; ++y) {
        for (int x = qRound(point.x()) - reach; x <= qRound(point.x()) + reach; ++x) {
            if (!image.rect().contains(x, y))
                continue;
            const QColor pixel = image.pixelColor(x, y);
            if (std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green())
                    + std::abs(pixel.blue() - color.blue())
                < 90)
                return true;
        }
    }
    return false;
}

}  // namespace sweepscope::tests
