#include "ui/analysis/rungsplot.h"

#include "ui/analysis/insetlegend.h"
#include "ui/analysis/scaleticker.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QSize smallestRungs{190, 110};
constexpr double barWidth = 0.7;  ///< of the distance between two bars
constexpr int barAlpha = 170;
constexpr double headroom = 1.15;  ///< above the highest bar

ScaleTicker *scaleTickerOf(const QCPAxis *axis)
{
    return static_cast<ScaleTicker *>(axis->ticker().data());
}

}  // namespace

RungsPlot::RungsPlot(QWidget *parent)
    : QCustomPlot(parent), m_pruned(new QCPBars(xAxis, yAxis)), m_continued(new QCPBars(xAxis, yAxis))
{
    setObjectName(u"rungsPlot"_s);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    xAxis->setTicker(QSharedPointer<ScaleTicker>::create(Qt::Horizontal));
    yAxis->setTicker(QSharedPointer<ScaleTicker>::create(Qt::Vertical));
    xAxis->setLabel(tr("step"));
    yAxis->setLabel(tr("trials"));
    for (QCPBars *bars : {m_pruned, m_continued}) {
        bars->setWidth(barWidth);
        bars->setAntialiased(false);
        bars->setAntialiasedFill(false);
    }
    m_pruned->setName(tr("Pruned"));
    m_continued->setName(tr("Continued"));
    m_pruned->moveAbove(m_continued);
    legend->setVisible(true);
    connect(this, &QCustomPlot::afterLayout, this, [this] {
        scaleTickerOf(xAxis)->setRoom(axisRect()->width(), xAxis->tickLabelFont());
        scaleTickerOf(yAxis)->setRoom(axisRect()->height(), yAxis->tickLabelFont());
    });
    followTextSize(this, [this] { applyColors(); });
}

QSize RungsPlot::minimumSizeHint() const
{
    return smallestRungs * textScale();
}

void RungsPlot::setSaved(analysis::SavedByPruning saved)
{
    m_saved = std::move(saved);
    AxisScale steps;
    steps.scale = analysis::Scale::Categories;
    QVector<double> places;
    QVector<double> pruned;
    QVector<double> continued;
    int most = 1;
    QString description;
    for (const analysis::PruningRung &rung : m_saved.rungs) {
        description += textOf(static_cast<int>(places.size())) + u'\n';
        steps.categories << u"%L1"_s.arg(rung.step);
        places << static_cast<double>(places.size());
        pruned << rung.pruned;
        continued << rung.reached - rung.pruned;
        most = std::max(most, rung.reached);
    }
    steps.high = std::max<double>(1, static_cast<double>(places.size()) - 1);
    AxisScale trials;
    trials.isWhole = true;
    trials.high = std::ceil(headroom * most);
    scaleTickerOf(xAxis)->setScale(steps);
    scaleTickerOf(yAxis)->setScale(trials);
    m_pruned->setData(places, pruned, true);
    m_continued->setData(places, continued, true);
    xAxis->setRange(-0.5, std::max<double>(0, static_cast<double>(places.size()) - 1) + 0.5);
    yAxis->setRange(0, trials.high);
    setAccessibleDescription(description);
    replot(rpQueuedReplot);
}

QString RungsPlot::textOf(int rung) const
{
    const analysis::PruningRung &shown = m_saved.rungs[static_cast<std::size_t>(rung)];
    return shown.pruned == 1 ? tr("Step %L1: reached by %L2 trials, 1 was pruned").arg(shown.step).arg(shown.reached)
                             : tr("Step %L1: reached by %L2 trials, %L3 were pruned")
                                   .arg(shown.step)
                                   .arg(shown.reached)
                                   .arg(shown.pruned);
}

int RungsPlot::rungAt(const QPointF &place) const
{
    if (!axisRect()->rect().contains(place.toPoint()))
        return -1;
    const auto rung = static_cast<int>(std::lround(xAxis->pixelToCoord(place.x())));
    return rung >= 0 && rung < static_cast<int>(m_saved.rungs.size()) ? rung : -1;
}

void RungsPlot::applyColors()
{
    const PlotColors colors = plotColors(palette());
    setBackground(colors.background);
    QColor continued = palette().color(QPalette::Link);
    continued.setAlpha(barAlpha);
    const QColor pruned = stateColor(sweep::TrialState::Pruned);
    m_continued->setPen(Qt::NoPen);
    m_continued->setBrush(continued);
    m_pruned->setPen(QPen(pruned));
    m_pruned->setBrush(QBrush(pruned, Qt::BDiagPattern));
    for (QCPAxis *axis : {xAxis, yAxis})
        styleScaleAxis(axis, palette(), font());
    xAxis->grid()->setVisible(false);
    styleInsetLegend(legend, palette(), font());
    replot(rpQueuedReplot);
}

void RungsPlot::changeEvent(QEvent *event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColors();
}

void RungsPlot::paintEvent(QPaintEvent *event)
{
    QCustomPlot::paintEvent(event);
    QPainter painter(this);
    paintWidgetFocus(&painter, this);
}

/// Shows the tooltip of a bar; -1 hides it.
void RungsPlot::choose(int rung)
{
    if (rung == m_rung)
        return;
    m_rung = rung;
    const QPointF place(xAxis->coordToPixel(rung), axisRect()->center().y());
    QToolTip::showText(mapToGlobal(place.toPoint()), rung >= 0 ? textOf(rung) : QString(), this);
}

void RungsPlot::mouseMoveEvent(QMouseEvent *event)
{
    QCustomPlot::mouseMoveEvent(event);
    choose(rungAt(event->position()));
}

void RungsPlot::leaveEvent(QEvent *event)
{
    QCustomPlot::leaveEvent(event);
    m_rung = -1;
}

void RungsPlot::keyPressEvent(QKeyEvent *event)
{
    const int last = static_cast<int>(m_saved.rungs.size()) - 1;
    if (last >= 0 && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        choose(std::clamp(m_rung + (event->key() == Qt::Key_Right ? 1 : -1), 0, last));
    else
        QCustomPlot::keyPressEvent(event);
}

void RungsPlot::paintPicture(QCPPainter *painter)
{
    toPainter(painter, width(), height());
}

}  // namespace sweepscope::ui
