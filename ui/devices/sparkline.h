#pragma once

#include "ui/models/devicereadings.h"

#include <QWidget>

#include <functional>

namespace sweepscope::ui {

/// A quantity over the last few minutes, next to its value; a SparkAxis below several of them has the times. Missing readings
/// leave a gap; an unknown value is never drawn as 0.
class Sparkline : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(QWidget *parent = nullptr);

    /// `end` is at the right edge; `top`: the highest value, where the quantity has a limit.
    void setTrace(const DeviceReadings::Trace &points, WallNs end, std::optional<double> top);
    /// What is past and not going on is drawn quietly.
    void setQuiet(bool quiet);
    /// How the tooltip of a reading names the quantity and its value.
    void setWords(const QString &quantity, std::function<QString(double)> valueText);
    /// Returns the tooltip at this distance from the left: the nearest reading; empty where there is none.
    QString textAt(int x) const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QPointF at(const TimedValue &point, double top) const;

    DeviceReadings::Trace m_points;
    WallNs m_end = 0;
    std::optional<double> m_top;
    bool m_quiet = false;
    QString m_quantity;
    std::function<QString(double)> m_valueText;
};

}  // namespace sweepscope::ui
