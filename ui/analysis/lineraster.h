#pragma once

#include <QImage>
#include <QPointF>

#include <array>
#include <cstdint>
#include <vector>

class QColor;

namespace sweepscope::ui {

/// Draws thin antialiased lines over each other, many times faster than QPainter does: ten thousand lines over ten axes are
/// a hundred thousand. Each step along a line's longer way covers the pixels across it by the part that lies in the line.
/// Channels have 16 bits, so that thousands of lines that can hardly be seen one by one add up to the right colour.
class LineRaster {
public:
    /// Nothing, of so many pixels.
    explicit LineRaster(const QSize &size);

    /// From the one place, up to but without the other's pixel. In pixels; what is outside is left out.
    void addLine(const QPointF &from, const QPointF &to, const QColor &color, double width);
    /// Premultiplied ARGB.
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
