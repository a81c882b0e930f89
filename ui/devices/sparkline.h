#pragma once

#include "ui/devices/recentreadings.h"

#include <QWidget>

namespace sweepscope::ui {

/// A quantity over the last minutes, without axes: its course beside its value. Where nothing was read the line is
/// broken; nothing is drawn as 0 that is not known.
class Sparkline : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(QWidget *parent = nullptr);

    /// `end` is at the right edge; `top`: the highest value, where the quantity has a limit.
    void setTrace(const std::vector<TimedValue> &points, WallNs end, std::optional<double> top);
    /// What is past and not going on is drawn quietly.
    void setQuiet(bool quiet);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QPointF at(const TimedValue &point, double top) const;

    std::vector<TimedValue> m_points;
    WallNs m_end = 0;
    std::optional<double> m_top;
    bool m_quiet = false;
};

}  // namespace sweepscope::ui
