#pragma once

#include "ui/models/devicereadings.h"

#include <QWidget>

namespace sweepscope::ui {

/// A quantity over the last few minutes, without axes, next to its value. Missing readings leave a gap; an unknown
/// value is never drawn as 0.
class Sparkline : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(QWidget *parent = nullptr);

    /// `end` is at the right edge; `top`: the highest value, where the quantity has a limit.
    void setTrace(const DeviceReadings::Trace &points, WallNs end, std::optional<double> top);
    /// What is past and not going on is drawn quietly.
    void setQuiet(bool quiet);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QPointF at(const TimedValue &point, double top) const;

    DeviceReadings::Trace m_points;
    WallNs m_end = 0;
    std::optional<double> m_top;
    bool m_quiet = false;
};

}  // namespace sweepscope::ui
