#pragma once

#include "ui/models/sweepsummary.h"

#include <QProgressBar>

class QPainter;

namespace sweepscope::ui {

/// Paints the progress of a sweep as one bar: completed, failed, stopped, the running trials' progress, and the rest.
void paintSweepBar(QPainter *painter, const QRectF &area, const SweepSummary &summary, const QPalette &palette);

/// The same as a widget; to programs and screen readers it is a progress bar from 0 to 1000.
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
