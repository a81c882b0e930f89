#include "ui/home/sweepbar.h"

#include "ui/theme/stateappearance.h"

#include <QPainter>
#include <QPainterPath>

namespace sweepscope::ui {

namespace {

constexpr int barSteps = 1000;
constexpr int barHeight = 6;

}  // namespace

void paintSweepBar(QPainter *painter, const QRectF &area, const SweepSummary &summary, const QPalette &palette)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QPainterPath shape;
    shape.addRoundedRect(area, area.height() / 2, area.height() / 2);
    painter->setClipPath(shape);
    painter->fillRect(area, palette.color(QPalette::Midlight));
    if (summary.total > 0) {
        const double each = area.width() / summary.total;
        const double runningShare = summary.progress * summary.total - summary.ended();
        const std::pair<double, QColor> parts[] = {
            {summary.completed, stateColor(sweep::TrialState::Completed)},
            {summary.pruned, stateColor(sweep::TrialState::Pruned)},
            {summary.failed, stateColor(sweep::TrialState::Failed)},
            {summary.stopped, stateColor(sweep::TrialState::Stopped)},
            {runningShare, stateColor(sweep::TrialState::Running)},
        };
        double left = area.left();
        for (const auto &[trials, color] : parts) {
            painter->fillRect(QRectF(left, area.top(), trials * each, area.height()), color);
            left += trials * each;
        }
    }
    painter->restore();
}

SweepBar::SweepBar(QWidget *parent) : QProgressBar(parent)
{
    setRange(0, barSteps);
    setTextVisible(false);
    setFixedHeight(barHeight);
    setValue(0);
}

void SweepBar::setSummary(const SweepSummary &summary)
{
    m_summary = summary;
    setValue(static_cast<int>(summary.progress * barSteps));
    setToolTip(countsText(summary));
    update();
}

void SweepBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintSweepBar(&painter, rect(), m_summary, palette());
}

}  // namespace sweepscope::ui
