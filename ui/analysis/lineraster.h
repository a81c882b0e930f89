#pragma once

#include <QImage>
#include <QPointF>

#include <array>
#include <cstdint>
#include <vector>

class QColor;

namespace sweepscope::ui {

/// Draws thin antialiased lines over each other, much faster than QPainter: ten thousand lines over ten axes are a
/// hundred thousand segments. Each step along a line's longer side covers pixels across it by the area within the line.
/// Channels have 16 bits, so that thousands of almost transparent lines add up to the right colour.
class LineRaster {
public:
    /// Starts with a transparent image of `size` pixels.
    explicit LineRaster(const QSize &size);

    /// Draws a line from the first point to the second, without the latter's pixel. In pixels; clips to the image.
    void addLine(const QPointF &from, const QPointF &to, const QColor &color, double width);
    /// Returns premultiplied ARGB.
    QImage image() const;

private:
    using Pixel = std::array<std::uint16_t, 4>;  ///< blue, green, red, alpha; premultiplied

    void blend(int x, int y, std::uint32_t coverage);
    void run(double from, double to, double across, double slope, double width, bool isSteep);

    std::vector<Pixel> m_pixels;
    int m_width;
    int m_height;
    std::array<std::uint32_t, 4> m_color{};
};

}  // namespace sweepscope::ui
