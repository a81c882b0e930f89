#pragma once

#include "ui/plot/plotframe.h"
#include "ui/plot/qcustomplotheader.h"

#include <memory>
#include <vector>

namespace sweepscope::ui {

/// Draws decimated columns exactly: first -> min -> max -> last in each, so that a spike of one sample reaches its
/// pixel row at every zoom. Draws the unsmoothed curve faintly behind, and NaN and infinities as marks at the plot's
/// edge.
class CurveItem : public QCPAbstractPlottable {
    Q_OBJECT

public:
    static constexpr int bandAlpha = 56;    ///< of the spread around a curve
    static constexpr int stackAlpha = 190;  ///< of stacked areas

    CurveItem(QCPAxis *keyAxis, QCPAxis *valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {}

    /// Shares ownership of the frame that contains the curve.
    void setCurve(std::shared_ptr<const PlotCurve> curve) { m_curve = std::move(curve); }
    const PlotCurve &curve() const { return *m_curve; }
    /// Null for none.
    void setBand(std::shared_ptr<const std::vector<series::Column>> band) { m_band = std::move(band); }
    void setColor(const QColor &color) { m_color = color; }
    /// Draws a thicker, antialiased line; otherwise a thin, fast one for many points.
    void setFine(bool fine) { m_fine = fine; }
    enum class Emphasis { None, Strong, Faint };
    void setEmphasis(Emphasis emphasis) { m_emphasis = emphasis; }
    /// The vertical distance from a point to a curve in pixels; infinite if the curve has no value there.
    static double distance(const PlotCurve &curve, const QCPAxis &keyAxis, const QCPAxis &valueAxis,
                           const QPointF &point);
    /// DenseCurves draws the lines, except in vector formats.
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
