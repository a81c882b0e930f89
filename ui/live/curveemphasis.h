#pragma once

#include <QObject>
#include <QPointF>
#include <QString>

namespace sweepscope::ui {

class CurveLegend;
class LivePlot;

/// The curve that the mouse is at, in a plot or in the legend, or the keyboard in the legend, stands out of the others in
/// both.
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
