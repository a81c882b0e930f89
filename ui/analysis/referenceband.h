#pragma once

#include "ui/models/axisscale.h"
#include "ui/plot/qcustomplotheader.h"

#include <vector>

namespace sweepscope::ui {

/// A curve with a band around it, behind the points of a plot, for comparison with a line in front of them. A legend names
/// both.
class ReferenceBand {
public:
    /// In units of the axes. The band has as many places as the curve.
    struct Data {
        QString lineName;
        QString name;
        QString explanation;  ///< how the curve is made
        std::vector<QPointF> curve;
        std::vector<double> lows;
        std::vector<double> highs;
    };

    /// `line` is the line in front of the points; the plot owns it.
    ReferenceBand(QCustomPlot *plot, QCPGraph *line);

    /// Without a curve, nothing is shown.
    void setData(Data data);
    void setColors(const QPalette &palette, const QFont &font);
    /// Returns the tooltip at a place in pixels: the explanation on the legend, the curve's value near the curve, else
    /// nothing.
    QString textAt(const QPointF &place, const AxisScale &values) const;

private:
    QCustomPlot *m_plot;
    QCPGraph *m_line;
    QCPGraph *m_low;
    QCPGraph *m_curve;
    QCPGraph *m_high;
    Data m_data;
};

}  // namespace sweepscope::ui
