#pragma once

#include <QImage>
#include <QPointF>

namespace sweepscope::ui {

/// Draws thin antialiased lines into an image, one over the other, many times faster than QPainter does: ten thousand
/// lines over ten axes are a hundred thousand. Each step along a line's longer way covers the pixels across it by the
/// part that lies in the line.
class LineRaster {
public:
    /// `image`: premultiplied ARGB; it must outlive this.
    explicit LineRaster(QImage *image);

    /// From the one place, up to but without the other's pixel. In pixels of the image; what is outside is left out.
    /// `color` is not premultiplied.
    void addLine(const QPointF &from, const QPointF &to, QRgb color, double width);

private:
    void blend(int x, int y, unsigned coverage);
    void run(double from, double to, double across, double slope, double width, bool isSteep);

    QRgb *m_pixels;
    int m_lineLength;
    int m_width;
    int m_height;
    QRgb m_color = 0;  ///< premultiplied
};

}  // namespace sweepscope::ui
