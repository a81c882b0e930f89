#pragma once

#include "base/clock.h"

#include <QStringList>
#include <QWidget>

namespace sweepscope::ui {

/// The times below the sparklines of a card: a tick per minute, and as many labels as fit.
class SparkAxis : public QWidget {
    Q_OBJECT

public:
    explicit SparkAxis(QWidget *parent = nullptr);

    /// `end` is at the right edge. Readings that are not live ended at this time.
    void setEnd(WallNs end, bool isLive);
    /// The labels from the left, for this width; the last one is the end.
    QStringList labels(int width) const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString labelAt(int minutesAgo) const;
    /// Minutes between two labels.
    int step(int width) const;

    WallNs m_end = 0;
    bool m_isLive = true;
};

}  // namespace sweepscope::ui
