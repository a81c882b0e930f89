#pragma once

#include "ui/live/plotframe.h"
#include "ui/live/qcustomplotheader.h"

#include <memory>
#include <vector>

namespace sweepscope::ui {

/// Draws decimated columns as they are: first -> min -> max -> last in each, so that a spike of one sample reaches its
/// pixel row at every zoom; the curve before smoothing faintly behind; NaN and infinities as marks at the plot's edge.
class CurveItem : public QCPAbstractPlottable {
    Q_OBJECT

public:
    static constexpr int bandAlpha = 56;    ///< of a spread around its curve
    static constexpr int stackAlpha = 190;  ///< of areas on top of each other

    CurveItem(QCPAxis *keyAxis, QCPAxis *valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {}

    /// Of a frame, which is kept as long as it is shown.
    void setCurve(std::shared_ptr<const PlotCurve> curve) { m_curve = std::move(curve); }
    const PlotCurve &curve() const { return *m_curve; }
    /// Null: none.
    void setBand(std::shared_ptr<const std::vector<series::Column>> band) { m_band = std::move(band); }
    void setColor(const QColor &color) { m_color = color; }
    /// A thicker line, smoothed; thin and fast where there is much to draw.
    void setFine(bool fine) { m_fine = fine; }
    enum class Emphasis { None, Strong, Faint };
    void setEmphasis(Emphasis emphasis) { m_emphasis = emphasis; }
    /// In pixels, up or down from the point; infinite where the curve has nothing.
    double distanceTo(const QPointF &point) const;
    /// DenseCurves draws the lines, except into a file of vectors.
    void setLinesElsewhere(bool elsewhere) { m_linesElsewhere = elsewhere; }

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain) const override;
    QCPRange getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const override;

protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *, const QRectF &) const override {}

private:
    QPointF pixel(double x, double value) const;
    bool drawable(double value) const;
    std::vector<QPolygonF> lines(const std::vector<series::Column> &columns) const;
    void drawLines(QCPPainter *painter, const std::vector<series::Column> &columns, const QPen &pen) const;
    static void drawNoise(QCPPainter *painter, const QPolygonF &line, const QColor &color);
    QColor color() const;
    void drawDots(QCPPainter *painter) const;
    void drawBand(QCPPainter *painter) const;
    void drawEdgeMarks(QCPPainter *painter) const;

    std::shared_ptr<const PlotCurve> m_curve = std::make_shared<PlotCurve>();
    std::shared_ptr<const std::vector<series::Column>> m_band;
    QColor m_color;
    Emphasis m_emphasis = Emphasis::None;
    bool m_fine = true;
    bool m_linesElsewhere = false;
};

}  // namespace sweepscope::ui
