#pragma once

#include "ui/models/axisscale.h"

#include <QPointF>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace sweepscope::ui {

/// Trials over two axes: a disc with the number of each, from 1.
class PointPlot : public QWidget {
    Q_OBJECT

public:
    struct Axis {
        AxisScale scale;
        std::vector<double> values;  ///< of trials 1, 2, …; NaN if the trial does not have the parameter
    };

    explicit PointPlot(QWidget *parent = nullptr);

    /// Both axes have as many values. `texts` are the tooltips of the trials.
    void setPoints(Axis x, Axis y, const QStringList &texts);
    /// Shows an empty plot without axes.
    void clear();
    /// The centers of the discs, in pixels of the widget. Trials that share a place lie next to each other.
    std::vector<QPointF> places() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    std::vector<AxisTick> ticksOf(const Axis &axis, Qt::Orientation orientation) const;
    int labelWidth() const;
    QRectF area() const;
    void paintTicks(QPainter &painter, const QRectF &area) const;
    void paintDiscs(QPainter &painter) const;

    Axis m_x;
    Axis m_y;
    QStringList m_texts;
};

}  // namespace sweepscope::ui
