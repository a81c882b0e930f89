#pragma once

#include "ui/models/sweepsummary.h"

#include <QProgressBar>

class QPainter;

namespace sweepscope::ui {

/// How a sweep stands as one line: completed, failed, stopped, what the running trials have done, and what is left.
void paintSweepBar(QPainter *painter, const QRectF &area, const SweepSummary &summary, const QPalette &palette);

/// The same as a widget; programs and screen readers find a progress bar from 0 to 1000.
class SweepBar : public QProgressBar {
    Q_OBJECT

public:
    explicit SweepBar(QWidget *parent = nullptr);
    void setSummary(const SweepSummary &summary);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    SweepSummary m_summary;
};

}  // namespace sweepscope::ui
