#pragma once

#include "ui/models/axisscale.h"
#include "ui/plot/qcustomplotheader.h"

#include <QFont>
#include <QPalette>

#include <vector>

namespace sweepscope::ui {

/// Ticks at the values and categories of an AxisScale, as many as fit.
class ScaleTicker : public QCPAxisTicker {
public:
    explicit ScaleTicker(Qt::Orientation orientation) : m_orientation(orientation) {}

    void setScale(const AxisScale &scale) { m_scale = scale; }
    /// Sets the length of the axis in pixels and the font of its labels. Returns whether they changed.
    bool setRoom(int pixels, const QFont &font);

protected:
    int getSubTickCount(double) override { return 0; }
    double getTickStep(const QCPRange &range) override { return range.size(); }
    QVector<double> createTickVector(double, const QCPRange &range) override;
    QString getTickLabel(double tick, const QLocale &, QChar, int) override;

private:
    AxisScale m_scale;
    std::vector<AxisTick> m_ticks;
    Qt::Orientation m_orientation;
    int m_room = 300;
    QFont m_font;
    double m_labelRoom = 100;  ///< pixels
};

/// Sets colours and fonts of an axis that has a ScaleTicker.
void styleScaleAxis(QCPAxis *axis, const QPalette &palette, const QFont &font);

}  // namespace sweepscope::ui
