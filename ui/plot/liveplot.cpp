#include "ui/plot/liveplot.h"

#include "ui/plot/chart.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAccessibleWidget>
#include <QDateTime>
#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// A plot with less height shows nothing, not even its title.
constexpr int leastCurves = 108;
constexpr int leastAlone = 90;  ///< a single plot may be smaller, so that a small window does not scroll
constexpr int leastStrip = 58;
constexpr int spaceBetweenLabels = 12;

/// Whether the chart shows the selected series, which applies to any trial.
bool isChosen(const QString &id)
{
    return Chart::fromId(id).kind == Chart::Kind::Chosen;
}

/// Whether the trial lacks the series of this chart, which was made for other trials.
bool isMissing(const ShownChart &chart, const PlotFrame &frame)
{
    return chart.kind == PanelKind::Curves && !isChosen(chart.id) && chart.panel->curves.empty()
           && frame.to > frame.from;
}

/// A chart whose accessible value is the text of the cursor.
class AccessiblePlot : public QAccessibleWidget {
public:
    explicit AccessiblePlot(LivePlot *plot) : QAccessibleWidget(plot, QAccessible::Chart) {}

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? static_cast<const LivePlot *>(widget())->cursorText()
                                          : QAccessibleWidget::text(kind);
    }
};

QAccessibleInterface *makeAccessible(const QString &, QObject *object)
{
    auto *plot = qobject_cast<LivePlot *>(object);
    return plot ? new AccessiblePlot(plot) : nullptr;
}

}  // namespace

LivePlot::LivePlot(QWidget *parent)
    : QCustomPlot(parent), m_grid(this), m_timeTicker(new TimeTicker), m_stepTicker(new StepTicker)
{
    plotLayout()->setRowSpacing(0);
    plotLayout()->setMargins(QMargins(4, 4, 4, 4));
    setNoAntialiasingOnDrag(false);
    setMouseTracking(true);
    setMinimumSize(100, 100);  // a page that was never shown has no size, and nothing can be painted without one
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
        for (const auto &pane : panes())
            isOther |= pane->fitTicks();
        if (isOther)
            replot(rpQueuedReplot);
        fitTimeTicks();
    });
    plotLayout()->clear();  // only after creating the items, which need an axis rect
    arrange({{chosenChart(), PanelKind::Curves, 0}});
    m_message->position->setCoords(0.5, 0.45);
}

LivePlot::~LivePlot()
{
    // Panes remove their elements from the plot, so destroy them first.
    m_grid.clear();
}

void LivePlot::setFrame(std::shared_ptr<const PlotFrame> shared)
{
    const bool otherSeries = m_frame->main.id != shared->main.id;
    m_frame = std::move(shared);
    const PlotFrame &frame = *m_frame;
    const std::vector<ShownChart> charts = chartsToShow();
    std::vector<PaneGrid::Cell> cells;
    for (const ShownChart &chart : charts)
        cells.push_back({chart.id, chart.kind, chart.row});
    arrange(cells);
    if (PlotPane *chosen = chosenPane(); chosen && otherSeries)
        chosen->pinY(false);
    for (std::size_t i = 0; i < charts.size(); ++i) {
        panes()[i]->setAwaiting(frame.view < m_view);
        // Panes share the frame: it has megabytes, and arrives 25 times a second.
        panes()[i]->setEmphasized(m_emphasized);
        panes()[i]->setPanel({m_frame, charts[i].panel}, m_hidden);
        const QString title = panelTitle(*charts[i].panel);
        panes()[i]->setTitle(isMissing(charts[i], frame) ? tr("%1 · not reported by this trial").arg(title) : title);
    }
    m_timeTicker->setRelativeTo(m_scale == XScale::Relative ? std::optional(frame.start) : std::nullopt);
    const bool empty = frame.to <= frame.from;
    for (std::size_t i = 0; i < panes().size(); ++i)
        panes()[i]->showTickLabels(!empty && m_grid.hasTimeBelow(i));
    if (m_following && !empty)
        applyRange(QCPRange(frame.from, frame.to));
    if (m_following || frame.view > m_fittedView || otherSeries) {
        m_fittedView = frame.view;
        for (const auto &pane : panes())
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
    for (const auto &pane : panes()) {
        if (m_scale == XScale::Step)
            pane->xAxis()->setTicker(m_stepTicker);
        else
            pane->xAxis()->setTicker(m_timeTicker);
        pane->xAxis()->setLabel(QString());
    }
    for (std::size_t i = 0; i < panes().size(); ++i) {
        panes()[i]->showTickLabels(m_grid.hasTimeBelow(i));
        panes()[i]->setLogarithmic(m_logarithmic && isChosen(m_grid.cells()[i].chart));
        panes()[i]->setIgnoringOutliers(m_ignoresOutliers);
    }
    QString label;
    switch (m_scale) {
    case XScale::WallTime:
        label = tr("time (%1)").arg(QDateTime::currentDateTime().timeZoneAbbreviation());
        break;
    case XScale::Relative:
        label = tr("time since start");
        break;
    case XScale::Step:
        label = tr("step");
        break;
    }
    for (std::size_t i = m_grid.rowAround(panes().size() - 1).first; i < panes().size(); ++i)
        panes()[i]->xAxis()->setLabel(label);
}

void LivePlot::applyColors()
{
    const PlotColors colors = plotColors(palette());
    setBackground(QBrush(colors.background));
    m_message->setColor(colors.subtleText);
    m_message->setFont(font());
    for (const auto &pane : panes())
        pane->setColors(colors);
}

void LivePlot::applyHeights()
{
    int strips = 0;  // number of rows
    int curves = 0;  // number of rows with curves
    std::vector<bool> isStrip(panes().size());
    for (std::size_t i = 0; i < panes().size();) {
        const auto [first, behind] = m_grid.rowAround(i);
        const bool low = std::all_of(panes().begin() + static_cast<std::ptrdiff_t>(first),
                                     panes().begin() + static_cast<std::ptrdiff_t>(behind),
                                     [](const auto &pane) { return pane->kind() == PanelKind::Strip; });
        (low ? strips : curves) += 1;
        for (; i < behind; ++i)
            isStrip[i] = low;
    }
    // One row of curves gets three fifths of the height; further ones share the rest with the strips. Without curves,
    // the strips share everything.
    const int room = height() * 2 / (3 + 2 * curves);
    for (std::size_t i = 0; i < panes().size(); ++i) {
        const bool low = isStrip[i] && curves > 0;
        panes()[i]->setHeight(low ? std::optional(std::clamp(room / std::max(2, strips) - 30, 26, 140)) : std::nullopt);
        plotLayout()->setRowStretchFactor(m_grid.cells()[i].row, isStrip[i] ? 0.34 : 1.0);
    }
    const int axisLabels = 3 * fontMetrics().height();
    setMinimumHeight(textScaled((curves <= 1 ? leastAlone : leastCurves * curves) + leastStrip * strips) + axisLabels);
}

/// Sets the number of labels on the time axis to what the narrowest plot has room for.
void LivePlot::fitTimeTicks()
{
    constexpr int usual = 7;
    constexpr int comfortable = 240;  // pixels between labels if there is room
    int narrowest = width();
    for (const auto &pane : panes())
        narrowest = std::min(narrowest, pane->area()->width());
    const int label = QFontMetrics(panes()[0]->xAxis()->tickLabelFont()).horizontalAdvance(u"00:00:00.0"_s);
    // Ticks are at round values, so usually fewer fit.
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
    for (const auto &pane : panes())
        pane->xAxis()->setRange(range);
}

void LivePlot::commitView()
{
    ++m_view;
    for (const auto &pane : panes())
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
    // Wall and relative time have the same range with different labels; a range of steps differs.
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
    for (std::size_t i = 0; i < panes().size(); ++i) {
        if (!isChosen(m_grid.cells()[i].chart))
            continue;
        panes()[i]->pinY(false);
        panes()[i]->setLogarithmic(logarithmic);
        panes()[i]->fitY(xRange().lower, xRange().upper);
    }
    replot(rpQueuedReplot);
    Q_EMIT viewChanged();
}

void LivePlot::setIgnoringOutliers(bool ignoring)
{
    if (ignoring == m_ignoresOutliers)
        return;
    m_ignoresOutliers = ignoring;
    for (const auto &pane : panes()) {
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
    for (const auto &pane : panes())
        pane->setEmphasized(key);
    replot(rpQueuedReplot);
}

void LivePlot::setHidden(const QSet<QString> &hidden)
{
    m_hidden = hidden;
    setFrame(m_frame);
    if (!m_following) {
        for (const auto &pane : panes())
            pane->fitY(xRange().lower, xRange().upper);
    }
    Q_EMIT viewChanged();
    Q_EMIT hiddenChanged();
}

void LivePlot::follow()
{
    ++m_view;
    for (const auto &pane : panes())
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
    int width = 50;  // a pane without a layout has no width yet
    for (const auto &pane : panes())
        width = std::max(width, static_cast<int>(pane->area()->width() * devicePixelRatioF()));
    request.columns = width;
    request.picture = chosen ? chosen->picture() : PictureRequest();
}

QCPRange LivePlot::xRange() const
{
    return panes()[0]->xAxis()->range();
}

void LivePlot::setXRange(QCPRange range)
{
    // Below this, doubles of seconds since 1970 cannot distinguish pixels.
    const double smallest = m_scale == XScale::Step ? 2 : 1e-4;
    if (range.size() < smallest)
        range = QCPRange(range.center() - smallest / 2, range.center() + smallest / 2);
    applyRange(range);
    commitView();
}

void LivePlot::setYRange(PlotPane &pane, QCPRange range)
{
    pane.yAxis()->setRange(range);
    pane.pinY(true);
    commitView();
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

std::vector<ShownChart> LivePlot::chartsToShow() const
{
    std::vector<ShownChart> charts = shownCharts(*m_frame);
    const auto alone = std::ranges::find(charts, m_alone, &ShownChart::id);
    if (alone == charts.end())
        return charts;
    ShownChart only = *alone;
    only.row = 0;
    return {only};
}

void LivePlot::setAlone(const QString &id)
{
    if (id == m_alone)
        return;
    m_alone = id;
    setFrame(m_frame);
    // Hidden charts have missed changes of the range.
    for (const auto &pane : panes())
        pane->fitY(xRange().lower, xRange().upper);
    Q_EMIT aloneChanged(!id.isEmpty());
    Q_EMIT currentChanged(currentPlace());
    Q_EMIT viewChanged();
}

QString LivePlot::alone() const
{
    return m_grid.cells().size() == 1 && m_grid.cells()[0].chart == m_alone ? m_alone : QString();
}

void LivePlot::arrange(const std::vector<PaneGrid::Cell> &cells)
{
    const QCPRange range = m_grid.isEmpty() ? QCPRange() : xRange();
    if (!m_grid.arrange(cells))
        return;
    m_insertion->setVisible(false);
    m_message->position->setAxisRect(panes()[0]->area());
    applyScale();
    applyColors();
    applyHeights();
    applyRange(range);
}

PlotPane *LivePlot::chosenPane() const
{
    return m_grid.find(chosenChart());
}

PlotPane *LivePlot::titleAt(const QPointF &point) const
{
    return m_isArrangeable && (panes().size() > 1 || !m_alone.isEmpty()) ? m_grid.titleAt(point) : nullptr;
}

void LivePlot::showInsertion(const std::optional<ChartPlace> &place)
{
    const PlotPane *neighbour = place ? m_grid.find(place->of) : nullptr;
    m_insertion->setVisible(neighbour != nullptr);
    if (neighbour) {
        const QRect of = neighbour->outerArea();
        m_insertion->setPen(QPen(palette().color(QPalette::Highlight), 3));
        const bool isBeside = place->side == ChartPlace::Side::Left || place->side == ChartPlace::Side::Right;
        const int x = place->side == ChartPlace::Side::Left ? of.left() + 1 : of.right() - 1;
        const int y = place->side == ChartPlace::Side::Above ? of.top() + 1 : of.bottom() - 1;
        m_insertion->start->setCoords(isBeside ? x : 4, isBeside ? of.top() : y);
        m_insertion->end->setCoords(isBeside ? x : width() - 4, isBeside ? of.bottom() : y);
    }
    m_insertion->layer()->replot();
}

void LivePlot::removeChart(const QString &id)
{
    if (m_isArrangeable)
        Q_EMIT chartRemoved(id);
}

void LivePlot::describe()
{
    static const bool installed = (QAccessible::installFactory(makeAccessible), true);
    (void)installed;
    setAccessibleName(tr("Plots"));
    setAccessibleDescription(
        tr("Left and Right pan in time. Shift+Left and Right move the cursor. Up and Down select a chart."));
}

PlotPane &LivePlot::currentPane() const
{
    PlotPane *pane = m_grid.find(m_current);
    return pane ? *pane : *panes()[0];
}

void LivePlot::choose(const PlotPane &pane)
{
    if (chartOf(pane) == m_current)
        return;
    m_current = chartOf(pane);
    update();
    Q_EMIT currentChanged(currentPlace());
}

void LivePlot::chooseBeside(int step)
{
    const auto last = static_cast<int>(panes().size()) - 1;
    const auto current = static_cast<int>(m_grid.indexOf(currentPane()));
    choose(*panes()[static_cast<std::size_t>(std::clamp(current + step, 0, last))]);
}

QRect LivePlot::currentPlace() const
{
    return currentPane().outerArea();
}

void LivePlot::setCursorText(const QString &values)
{
    if (values == m_cursorText)
        return;
    m_cursorText = values;
    if (m_cursorText.isEmpty())
        return;
    QAccessibleValueChangeEvent event(this, m_cursorText);
    QAccessible::updateAccessibility(&event);
}

/// Returns the position of a menu opened by a key.
QVariant LivePlot::inputMethodQuery(Qt::InputMethodQuery query) const
{
    if (query != Qt::ImCursorRectangle)
        return QCustomPlot::inputMethodQuery(query);
    return QRect(currentPane().area()->center(), QSize(1, 1));
}

void LivePlot::paintEvent(QPaintEvent *event)
{
    QCustomPlot::paintEvent(event);
    if (!hasFocus() || !window()->testAttribute(Qt::WA_KeyboardFocusChange))
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(focusColor(palette()));
    painter.drawRoundedRect(
        QRectF(currentPlace()).adjusted(-2.5, 0.5, 2.5, 1.5).intersected(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5)),
        spacing::cornerRadius, spacing::cornerRadius);
}

void LivePlot::focusInEvent(QFocusEvent *event)
{
    QCustomPlot::focusInEvent(event);
    update();
}

void LivePlot::focusOutEvent(QFocusEvent *event)
{
    QCustomPlot::focusOutEvent(event);
    update();
}

}  // namespace sweepscope::ui
