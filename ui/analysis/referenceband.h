#pragma once

#include "ui/models/axisscale.h"
#include "ui/plot/qcustomplotheader.h"

#include <vector>

namespace sweepscope::ui {

/// A curve with a band around it, behind the points of a plot, for comparison with a line in front of them.
class ReferenceBand {
public:
    /// In units of the axes. The band has as many places as the curve.
    struct Data {
        QString name;
        QString explanation;  ///< how the curve is made
        std::vector<QPointF> curve;
        std::vector<double> lows;
        std::vector<double> highs;
    };

    explicit ReferenceBand(QCustomPlot *plot);

    /// Without a curve, nothing is shown.
    void setData(Data data);
    bool isShown() const { return !m_data.curve.empty(); }
    QString name() const { return m_data.name; }
    QString explanation() const { return m_data.explanation; }
    void setColors(const QPalette &palette);
    /// Draws curve and band for a legend.
    void drawSample(QPainter &painter, const QRectF &area) const;
    /// Returns the tooltip at a place in pixels: the curve's value near the curve, else nothing.
    QString textAt(const QPointF &place, const AxisScale &values) const;

private:
    QCustomPlot *m_plot;
    QCPGraph *m_low;
    QCPGraph *m_curve;
    QCPGraph *m_high;
    Data m_data;
};

}  // namespace sweepscope::ui
