#pragma once

#include "ui/live/plotframe.h"
#include "ui/live/qcustomplotheader.h"

#include <QImage>

#include <cstdint>
#include <memory>
#include <vector>

namespace sweepscope::ui {

/// Draws many curves of columns into one image, without antialiasing: of each curve the rows that its line covers in
/// each pixel column. The topmost curve is drawn first and the others only where nothing is yet, so that a frame of 64
/// noisy ranks costs about as much as one.
class CurveRaster {
public:
    /// An empty picture of `size` pixels.
    void begin(const QSize &size);
    /// What a line does at one place: comes at `first`, goes up and down between `low` and `high`, leaves from `last`.
    /// In pixels of the picture.
    struct Stroke {
        double x;
        double first;
        double low;
        double high;
        double last;
    };
    /// From left to right; goes below what is there. A line of one stroke is a dot at least.
    void addLine(const std::vector<Stroke> &line, QRgb color);
    /// The picture; valid until the next begin().
    const QImage &finish();

private:
    struct Rows {
        int from = 0;
        int to = -1;  ///< below `from`: none
    };
    void join(const Stroke &from, const Stroke &to);
    void cover(int column, double oneY, double otherY);
    int columnOf(double x) const;
    void fill(int column, const Rows &rows, std::uint16_t color);
    std::uint16_t numberOf(QRgb color);

    int m_width = 0;
    int m_height = 0;
    std::vector<QRgb> m_colors;  ///< by the numbers in m_pixels; the first one is nothing
    /// Half as large as colours, which the cache likes. Column by column, so that rows of a column lie together.
    std::vector<std::uint16_t> m_pixels;
    std::vector<Rows> m_covered;  ///< rows of each column that are known to be full
    std::vector<Rows> m_line;     ///< of the line that is being added
    QImage m_image;
};

/// All curves of a panel as one item, where there is too much to draw each line well.
class DenseCurves : public QCPAbstractPlottable {
    Q_OBJECT

public:
    struct Curve {
        std::shared_ptr<const PlotCurve> data;
        QColor color;
    };

    DenseCurves(QCPAxis *keyAxis, QCPAxis *valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {}

    /// The last one is on top.
    void setCurves(std::vector<Curve> curves) { m_curves = std::move(curves); }
    void setBackground(const QColor &color) { m_background = color; }

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain) const override { return nothing(found); }
    QCPRange getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const override { return nothing(found); }

protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *, const QRectF &) const override {}

private:
    static QCPRange nothing(bool &found)
    {
        found = false;
        return {};
    }

    std::vector<Curve> m_curves;
    QColor m_background;
    CurveRaster m_raster;
};

}  // namespace sweepscope::ui
