#include "ui/live/liveplot.h"

#include "ui/live/chart.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/textsize.h"

#include <QDateTime>
#include <QEvent>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// Heights below which a plot shows nothing any more, its title included.
constexpr int leastCurves = 108;
constexpr int leastAlone = 90;  ///< without other curves it needs less: a small window shall not scroll
constexpr int leastStrip = 58;
constexpr int spaceBetweenLabels = 12;

/// Of whatever trial: what is chosen above the plots is meant for it.
bool isChosen(const QString &id)
{
    return Chart::fromId(id).kind == Chart::Kind::Chosen;
}

/// The chart was made for other trials.
bool isMissing(const ShownChart &chart, const PlotFrame &frame)
{
    return chart.kind == PanelKind::Curves && !isChosen(chart.id) && chart.panel->curves.empty()
           && frame.to > frame.from;
}

}  // namespace

LivePlot::LivePlot(QWidget *parent)
    : QCustomPlot(parent),
      m_margins(new QCPMarginGroup(this)),
      m_timeTicker(new TimeTicker),
      m_stepTicker(new StepTicker)
{
    plotLayout()->setRowSpacing(0);
    plotLayout()->setMargins(QMargins(4, 4, 4, 4));
    setNoAntialiasingOnDrag(false);
    setMouseTracking(true);
    setMinimumSize(100, 100);  // a page that was never shown has no room, and without any nothing can be painted
    setFocusPolicy(Qt::StrongFocus);
    describe();
    m_message = new QCPItemText(this);
    m_message->setLayer(QStringLiteral("overlay"));
    m_message->setClipToAxisRect(false);
    m_message->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_message->setVisible(false);
    m_insertion = new QCPItemLine(this);
    m_insertion->setLayer(QStringLiteral("overlay"));
    m_insertion->setClipToAxisRect(false);
    for (QCPItemPosition *end : {m_insertion->start, m_insertion->end})
        end->setType(QCPItemPosition::ptAbsolute);
    m_insertion->setVisible(false);
    m_stepTicker->setTickCount(7);
    connect(this, &QCustomPlot::afterLayout, this, [this] {
        bool isOther = false;
        for (const auto &pane : m_panes)
            isOther |= pane->fitTicks();
        if (isOther)
            replot(rpQueuedReplot);
        fitTimeTicks();
    });
    plotLayout()->clear();  // not before the items were made, which ask for an axis rect
    arrange({{chosenChart(), PanelKind::Curves, 0}});
    m_message->position->setCoords(0.5, 0.45);
}

LivePlot::~LivePlot()
{
    // Panes take their elements out of the plot, so they go first.
    m_panes.clear();
}

void LivePlot::setFrame(std::shared_ptr<const PlotFrame> shared)
{
    const bool otherSeries = m_frame->main.id != shared->main.id;
    m_frame = std::move(shared);
    const PlotFrame &frame = *m_frame;
    const std::vector<ShownChart> charts = chartsToShow();
    std::vector<Place> places;
    for (const ShownChart &chart : charts)
        places.push_back({chart.id, chart.kind, chart.row});
    arrange(places);
    if (PlotPane *chosen = chosenPane(); chosen && otherSeries)
        chosen->pinY(false);
    for (std::size_t i = 0; i < charts.size(); ++i) {
        m_panes[i]->setAwaiting(frame.view < m_view);
        // Panes share the frame: it is megabytes, and comes 25 times a second.
        m_panes[i]->setEmphasized(m_emphasized);
        m_panes[i]->setPanel({m_frame, charts[i].panel}, m_hidden);
        const QString title = panelTitle(*charts[i].panel);
        m_panes[i]->setTitle(isMissing(charts[i], frame) ? tr("%1 · not reported by this trial").arg(title) : title);
    }
    m_timeTicker->setRelativeTo(m_scale == XScale::Relative ? std::optional(frame.start) : std::nullopt);
    const bool empty = frame.to <= frame.from;
    for (std::size_t i = 0; i < m_panes.size(); ++i)
        m_panes[i]->showTickLabels(!empty && hasTimeBelow(i));
    if (m_following && !empty)
        applyRange(QCPRange(frame.from, frame.to));
    if (m_following || frame.view > m_fittedView || otherSeries) {
        m_fittedView = frame.view;
        for (const auto &pane : m_panes)
            pane->fitY(frame.from, frame.to);
    }
    replot(rpQueuedReplot);
    Q_EMIT updated();
}

void LivePlot::setMessage(const QString &text)
{
    if (m_message->text() == text && m_message->visible() != text.isEmpty())
        return;
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
    replot(rpQueuedReplot);
}

void LivePlot::applyScale()
{
    for (const auto &pane : m_panes) {
        if (m_scale == XScale::Step)
            pane->xAxis()->setTicker(m_stepTicker);
        else
            pane->xAxis()->setTicker(m_timeTicker);
        pane->xAxis()->setLabel(QString());
    }
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        m_panes[i]->showTickLabels(hasTimeBelow(i));
        m_panes[i]->setLogarithmic(m_logarithmic && isChosen(m_places[i].id));
        m_panes[i]->setIgnoringOutliers(m_ignoresOutliers);
    }
    QString label;
    switch (m_scale) {
    case XScale::WallTime:
        label = tr("time (%1)").arg(QDateTime::currentDateTime().timeZoneAbbreviation());
        break;
    case XScale::Relative:
        label = tr("time since the start");
        break;
    case XScale::Step:
        label = tr("step");
        break;
    }
    for (std::size_t i = rowAround(m_panes.size() - 1).first; i < m_panes.size(); ++i)
        m_panes[i]->xAxis()->setLabel(label);
}

void LivePlot::applyColors()
{
    const PlotColors colors = plotColors(palette());
    setBackground(QBrush(colors.background));
    m_message->setColor(colors.subtleText);
    m_message->setFont(font());
    for (const auto &pane : m_panes)
        pane->setColors(colors);
}

void LivePlot::applyHeights()
{
    int strips = 0;  // rows
    int curves = 0;  // rows with curves
    std::vector<bool> isStrip(m_panes.size());
    for (std::size_t i = 0; i < m_panes.size();) {
        const auto [first, behind] = rowAround(i);
        const bool low = std::all_of(m_panes.begin() + static_cast<std::ptrdiff_t>(first),
                                     m_panes.begin() + static_cast<std::ptrdiff_t>(behind),
                                     [](const auto &pane) { return pane->kind() == PanelKind::Strip; });
        (low ? strips : curves) += 1;
        for (; i < behind; ++i)
            isStrip[i] = low;
    }
    // Of five parts of the height, three are for one row of curves; further ones share the rest with the strips. Where
    // there are no curves, the strips share it all.
    const int room = height() * 2 / (3 + 2 * curves);
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        const bool low = isStrip[i] && curves > 0;
        m_panes[i]->setHeight(low ? std::optional(std::clamp(room / std::max(2, strips) - 30, 26, 140)) : std::nullopt);
        plotLayout()->setRowStretchFactor(m_places[i].row, isStrip[i] ? 0.34 : 1.0);
    }
    const int axisLabels = 3 * fontMetrics().height();
    setMinimumHeight(textScaled((curves <= 1 ? leastAlone : leastCurves * curves) + leastStrip * strips) + axisLabels);
}

/// As many labels at the time axis as the narrowest plot has room for.
void LivePlot::fitTimeTicks()
{
    constexpr int usual = 7;
    constexpr int comfortable = 240;  // px from one to the next, where there is room for more of them
    int narrowest = width();
    for (const auto &pane : m_panes)
        narrowest = std::min(narrowest, pane->area()->width());
    const int label = QFontMetrics(m_panes[0]->xAxis()->tickLabelFont()).horizontalAdvance(u"00:00:00.0"_s);
    // Steps are round, so there are mostly fewer than that.
    const int count =
        std::clamp(narrowest / (label + spaceBetweenLabels) + 1, 2, std::max(usual, narrowest / comfortable));
    if (count == m_timeTicker->tickCount())
        return;
    m_timeTicker->setTickCount(count);
    m_stepTicker->setTickCount(count);
    replot(rpQueuedReplot);
}

void LivePlot::applyRange(const QCPRange &range)
{
    for (const auto &pane : m_panes)
        pane->xAxis()->setRange(range);
}

void LivePlot::takeView()
{
    ++m_view;
    for (const auto &pane : m_panes)
        pane->setAwaiting(true);
    if (m_following) {
        m_following = false;
        Q_EMIT followingChanged(false);
    }
    replot(rpQueuedReplot);
    Q_EMIT viewChanged();
    Q_EMIT updated();
}

void LivePlot::setXScale(XScale scale)
{
    if (scale == m_scale)
        return;
    // Wall and relative time are the same range with other labels; a range of steps is another thing.
    const bool sameRange = scale != XScale::Step && m_scale != XScale::Step;
    m_scale = scale;
    m_timeTicker->setRelativeTo(scale == XScale::Relative ? std::optional(m_frame->start) : std::nullopt);
    applyScale();
    if (sameRange) {
        replot(rpQueuedReplot);
        Q_EMIT viewChanged();
        Q_EMIT updated();
    } else {
        follow();
    }
}

void LivePlot::setLogarithmic(bool logarithmic)
{
    m_logarithmic = logarithmic;
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        if (!isChosen(m_places[i].id))
            continue;
        m_panes[i]->pinY(false);
        m_panes[i]->setLogarithmic(logarithmic);
        m_panes[i]->fitY(xRange().lower, xRange().upper);
    }
    replot(rpQueuedReplot);
    Q_EMIT viewChanged();
}

void LivePlot::setIgnoringOutliers(bool ignoring)
{
    if (ignoring == m_ignoresOutliers)
        return;
    m_ignoresOutliers = ignoring;
    for (const auto &pane : m_panes) {
        pane->setIgnoringOutliers(ignoring);
        pane->fitY(xRange().lower, xRange().upper);
    }
    replot(rpQueuedReplot);
    Q_EMIT viewChanged();
}

void LivePlot::setEmphasized(const QString &key)
{
    if (key == m_emphasized)
        return;
    m_emphasized = key;
    for (const auto &pane : m_panes)
        pane->setEmphasized(key);
    replot(rpQueuedReplot);
}

void LivePlot::setHidden(const QSet<QString> &hidden)
{
    m_hidden = hidden;
    setFrame(m_frame);
    if (!m_following) {
        for (const auto &pane : m_panes)
            pane->fitY(xRange().lower, xRange().upper);
    }
    Q_EMIT viewChanged();
    Q_EMIT hiddenChanged();
}

void LivePlot::follow()
{
    ++m_view;
    for (const auto &pane : m_panes)
        pane->pinY(false);
    if (!m_following) {
        m_following = true;
        Q_EMIT followingChanged(true);
    }
    Q_EMIT viewChanged();
}

void LivePlot::fillRequest(PlotRequest &request) const
{
    request.view = m_view;
    request.axis = m_scale == XScale::Step ? series::XAxis::Step : series::XAxis::WallTime;
    request.relative = m_scale == XScale::Relative;
    request.follow = m_following;
    request.from = m_following ? 0 : xRange().lower;
    request.to = m_following ? 0 : xRange().upper;
    const PlotPane *chosen = chosenPane();
    int width = 50;  // a pane that has not been laid out yet has none
    for (const auto &pane : m_panes)
        width = std::max(width, static_cast<int>(pane->area()->width() * devicePixelRatioF()));
    request.columns = width;
    request.picture = chosen ? chosen->picture() : PictureRequest();
}

QCPRange LivePlot::xRange() const
{
    return m_panes[0]->xAxis()->range();
}

void LivePlot::setXRange(QCPRange range)
{
    // Below this, doubles of seconds since 1970 cannot tell pixels apart.
    const double smallest = m_scale == XScale::Step ? 2 : 1e-4;
    if (range.size() < smallest)
        range = QCPRange(range.center() - smallest / 2, range.center() + smallest / 2);
    applyRange(range);
    takeView();
}

void LivePlot::setYRange(PlotPane &pane, QCPRange range)
{
    pane.yAxis()->setRange(range);
    pane.pinY(true);
    takeView();
}

void LivePlot::changeEvent(QEvent *event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyColors();
        applyHeights();
        replot(rpQueuedReplot);
        Q_EMIT viewChanged();
    }
}

void LivePlot::resizeEvent(QResizeEvent *event)
{
    applyHeights();
    QCustomPlot::resizeEvent(event);
    Q_EMIT viewChanged();
}

QString panelTitle(const QString &id)
{
    if (id == QLatin1String("gpu.utilization"))
        return LivePlot::tr("GPU utilization");
    if (id == QLatin1String("gpu.memory"))
        return LivePlot::tr("GPU memory");
    if (id == QLatin1String("gpu.power"))
        return LivePlot::tr("GPU power");
    if (id == QLatin1String("gpu.sm_clock"))
        return LivePlot::tr("GPU clock");
    if (id == QLatin1String("gpu.memory_clock"))
        return LivePlot::tr("GPU memory clock");
    if (id == QLatin1String("gpu.temperature"))
        return LivePlot::tr("GPU temperature");
    if (id == QLatin1String("rank.cpu"))
        return LivePlot::tr("CPU per rank");
    if (id == QLatin1String("rank.memory"))
        return LivePlot::tr("Memory per rank");
    if (id == QLatin1String("core.utilization"))
        return LivePlot::tr("CPU per core");
    const Chart chart = Chart::fromId(id);
    return chart.kind == Chart::Kind::Devices && !chart.isPinned() ? id : chart.title();
}

QString panelTitle(const PlotPanel &panel)
{
    return panel.title.isEmpty() ? panelTitle(panel.id) : panel.title;
}

}  // namespace sweepscope::ui
