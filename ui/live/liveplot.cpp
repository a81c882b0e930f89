#include "ui/live/liveplot.h"

#include "ui/live/chart.h"
#include "ui/theme/plotcolors.h"

#include <QDateTime>
#include <QEvent>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

/// Heights below which a plot shows nothing any more, its title included.
constexpr int leastCurves = 108;
constexpr int leastAlone = 90;  ///< without other curves it needs less: a small window shall not scroll
constexpr int leastStrip = 58;

}  // namespace

LivePlot::LivePlot(QWidget *parent)
    : QCustomPlot(parent),
      m_margins(new QCPMarginGroup(this)),
      m_timeTicker(new TimeTicker),
      m_stepTicker(new StepTicker)
{
    plotLayout()->clear();
    plotLayout()->setRowSpacing(0);
    plotLayout()->setMargins(QMargins(4, 4, 4, 4));
    setNoAntialiasingOnDrag(false);
    setMouseTracking(true);
    setMinimumSize(100, 100);  // a page that was never shown has no room, and without any nothing can be painted
    setFocusPolicy(Qt::StrongFocus);
    m_panes.push_back(std::make_unique<PlotPane>(this, PanelKind::Curves, m_margins, 0));
    m_message = new QCPItemText(this);
    m_message->setLayer(QStringLiteral("overlay"));
    m_message->setClipToAxisRect(false);
    m_message->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_message->position->setAxisRect(m_panes[0]->area());
    m_message->position->setCoords(0.5, 0.45);
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
    });
    applyScale();
    applyColors();
}

LivePlot::~LivePlot()
{
    // Panes take their elements out of the plot, so they go first.
    m_panes.clear();
}

/// Panes share the frame: it is megabytes, and comes 25 times a second.
std::shared_ptr<const PlotPanel> LivePlot::strip(std::size_t index) const
{
    return {m_frame, &m_frame->strips[index]};
}

void LivePlot::setFrame(std::shared_ptr<const PlotFrame> shared)
{
    const bool otherSeries = m_frame->main.id != shared->main.id;
    m_frame = std::move(shared);
    const PlotFrame &frame = *m_frame;
    if (otherSeries)
        m_panes[0]->pinY(false);
    makeStrips();
    for (const auto &pane : m_panes)
        pane->setAwaiting(frame.view < m_view);
    m_panes[0]->setPanel({m_frame, &frame.main}, m_hidden);
    m_panes[0]->setTitle(panelTitle(frame.main.id));
    for (std::size_t i = 0; i < frame.strips.size(); ++i) {
        m_panes[i + 1]->setPanel(strip(i), m_hidden);
        m_panes[i + 1]->setTitle(panelTitle(frame.strips[i].id));
    }
    m_timeTicker->setRelativeTo(m_scale == XScale::Relative ? std::optional(frame.start) : std::nullopt);
    const bool empty = frame.to <= frame.from;
    m_panes.back()->showTickLabels(!empty);
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

void LivePlot::makeStrips()
{
    const std::vector<PlotPanel> &strips = m_frame->strips;
    bool same = m_panes.size() == strips.size() + 1;
    for (std::size_t i = 0; same && i < strips.size(); ++i)
        same = m_panes[i + 1]->panel().id == strips[i].id;
    if (same)
        return;
    m_panes.resize(1);
    plotLayout()->simplify();
    m_insertion->setVisible(false);
    for (std::size_t i = 0; i < strips.size(); ++i) {
        const PanelKind kind = strips[i].isStrip ? PanelKind::Strip : PanelKind::Curves;
        m_panes.push_back(std::make_unique<PlotPane>(this, kind, m_margins, 2 * static_cast<int>(i + 1)));
        // The kind of curves is known from here on, before their first frame.
        m_panes.back()->setPanel(strip(i), m_hidden);
    }
    applyScale();
    applyColors();
    applyHeights();
    for (const auto &pane : m_panes)
        pane->xAxis()->setRange(m_panes[0]->xAxis()->range());
}

void LivePlot::applyScale()
{
    for (const auto &pane : m_panes) {
        if (m_scale == XScale::Step)
            pane->xAxis()->setTicker(m_stepTicker);
        else
            pane->xAxis()->setTicker(m_timeTicker);
        pane->showTickLabels(pane == m_panes.back());
        pane->xAxis()->setLabel(QString());
    }
    m_panes[0]->setLogarithmic(m_logarithmic);
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
    m_panes.back()->xAxis()->setLabel(label);
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
    const auto strips = static_cast<int>(
        std::ranges::count_if(m_panes, [](const auto &pane) { return pane->kind() == PanelKind::Strip; }));
    const int curves = static_cast<int>(m_panes.size()) - strips;
    // Of five parts of the height, three are for one plot of curves; further ones share the rest with the strips.
    const int room = height() * 2 / (3 + 2 * curves);
    for (const auto &pane : m_panes) {
        if (pane->kind() == PanelKind::Strip)
            pane->setHeight(std::clamp(room / std::max(2, strips) - 30, 26, 140));
    }
    const int axisLabels = 3 * fontMetrics().height();
    setMinimumHeight((curves == 1 ? leastAlone : leastCurves * curves) + leastStrip * strips + axisLabels);
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
    m_panes[0]->pinY(false);
    m_panes[0]->setLogarithmic(logarithmic);
    m_panes[0]->fitY(xRange().lower, xRange().upper);
    replot(rpQueuedReplot);
    Q_EMIT viewChanged();
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
    request.columns = std::max(50, static_cast<int>(m_panes[0]->area()->width() * devicePixelRatioF()));
    request.picture = m_panes[0]->picture();
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

PlotPane *LivePlot::paneAt(const QPointF &point) const
{
    for (const auto &pane : m_panes) {
        if (pane->area()->outerRect().contains(point.toPoint()))
            return pane.get();
    }
    return nullptr;
}

PlotPane *LivePlot::titleAt(const QPointF &point) const
{
    const auto isOver = [&point](const auto &pane) { return pane->titleArea().contains(point.toPoint()); };
    const auto found = std::ranges::find_if(m_panes, isOver);
    return found == m_panes.end() || found == m_panes.begin() ? nullptr : found->get();
}

int LivePlot::placeAt(const QPointF &point) const
{
    int place = 0;
    for (std::size_t i = 1; i < m_panes.size(); ++i) {
        const double middle = (m_panes[i]->titleArea().top() + m_panes[i]->area()->bottom()) / 2.0;
        place += point.y() > middle ? 1 : 0;
    }
    return place;
}

void LivePlot::showInsertion(std::optional<int> place)
{
    m_insertion->setVisible(place.has_value() && m_panes.size() > 1);
    if (m_insertion->visible()) {
        const auto next = static_cast<std::size_t>(*place + 1);
        const int y = next < m_panes.size() ? m_panes[next]->titleArea().top() : m_panes.back()->area()->bottom() + 2;
        m_insertion->setPen(QPen(palette().color(QPalette::Highlight), 2));
        m_insertion->start->setCoords(4, y);
        m_insertion->end->setCoords(width() - 4, y);
    }
    m_insertion->layer()->replot();
}

void LivePlot::moveChart(const QString &id, int place)
{
    // Its own place counts, until it is taken out of it.
    for (std::size_t i = 1; i < m_panes.size(); ++i) {
        if (m_panes[i]->panel().id == id && static_cast<int>(i) <= place)
            --place;
    }
    Q_EMIT chartMoved(id, place);
}

void LivePlot::changeEvent(QEvent *event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyColors();
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

}  // namespace sweepscope::ui
