#pragma once

#include <QObject>
#include <QPointF>
#include <QString>

namespace sweepscope::ui {

class CurveLegend;
class LivePlot;

/// The emphasized curve, common to plots and legend: the one under the mouse, or the current one of the legend.
class CurveEmphasis : public QObject {
    Q_OBJECT

public:
    CurveEmphasis(LivePlot *plot, CurveLegend *legend);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void show(const QString &key);
    QString curveAt(const QPointF &point) const;

    LivePlot *m_plot;
    CurveLegend *m_legend;
};

}  // namespace sweepscope::ui
