// LivePlot's charts: where each stands, and where one would that is dragged.
#include "ui/live/liveplot.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sweepscope::ui {

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
    // Charts that were not there have been told of no range meanwhile.
    for (const auto &pane : m_panes)
        pane->fitY(xRange().lower, xRange().upper);
    Q_EMIT aloneChanged(!id.isEmpty());
    Q_EMIT currentChanged(currentPlace());
    Q_EMIT viewChanged();
}

QString LivePlot::alone() const
{
    return m_panes.size() == 1 && m_places[0].id == m_alone ? m_alone : QString();
}

void LivePlot::arrange(const std::vector<Place> &places)
{
    if (places == m_places)
        return;
    const QCPRange range = m_panes.empty() ? QCPRange() : xRange();
    // A chart that stays keeps what the person did with its y axis.
    std::vector<std::unique_ptr<PlotPane>> panes;
    for (const Place &place : places) {
        const auto before = std::ranges::find_if(
            m_places, [&place](const Place &one) { return one.id == place.id && one.kind == place.kind; });
        std::unique_ptr<PlotPane> kept;
        if (before != m_places.end())
            kept = std::move(m_panes[static_cast<std::size_t>(before - m_places.begin())]);
        panes.push_back(kept ? std::move(kept) : std::make_unique<PlotPane>(this, place.kind, m_margins));
    }
    m_panes = std::move(panes);
    m_places = places;
    std::vector<QCPLayoutGrid *> rows;
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        if (i == 0 || m_places[i].row != m_places[i - 1].row) {
            rows.push_back(new QCPLayoutGrid);
            rows.back()->setColumnSpacing(0);
            plotLayout()->addElement(plotLayout()->rowCount(), 0, rows.back());
        }
        m_panes[i]->placeIn(rows.back());
    }
    // The former rows are empty now.
    while (plotLayout()->rowCount() > static_cast<int>(rows.size())) {
        plotLayout()->remove(plotLayout()->element(0, 0));
        plotLayout()->simplify();
    }
    m_insertion->setVisible(false);
    m_message->position->setAxisRect(m_panes[0]->area());
    applyScale();
    applyColors();
    applyHeights();
    for (const auto &pane : m_panes)
        pane->xAxis()->setRange(range);
}

PlotPane *LivePlot::chosenPane() const
{
    const auto place = std::ranges::find(m_places, chosenChart(), &Place::id);
    return place == m_places.end() ? nullptr : m_panes[static_cast<std::size_t>(place - m_places.begin())].get();
}

/// First and behind the last of the panes that stand beside this one.
std::pair<std::size_t, std::size_t> LivePlot::rowAround(std::size_t pane) const
{
    const auto [first, last] = std::ranges::equal_range(m_places, m_places[pane].row, {}, &Place::row);
    return {static_cast<std::size_t>(first - m_places.begin()), static_cast<std::size_t>(last - m_places.begin())};
}

/// Time is written below the lowest row, and where the row below has another number of charts, so that its labels would
/// stand elsewhere.
bool LivePlot::hasTimeBelow(std::size_t pane) const
{
    const auto [first, behind] = rowAround(pane);
    if (behind == m_places.size())
        return true;
    const auto [next, behindNext] = rowAround(behind);
    return behindNext - next != behind - first;
}

const QString &LivePlot::chartOf(const PlotPane &pane) const
{
    const auto found = std::ranges::find(m_panes, &pane, [](const auto &one) { return one.get(); });
    return m_places[static_cast<std::size_t>(found - m_panes.begin())].id;
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
    if (!m_isArrangeable || m_panes.size() < 2)
        return nullptr;
    const auto isOver = [&point](const auto &pane) { return pane->titleArea().contains(point.toPoint()); };
    const auto found = std::ranges::find_if(m_panes, isOver);
    return found == m_panes.end() ? nullptr : found->get();
}

/// All of a chart: title, plot and axes.
QRect LivePlot::placeOf(const PlotPane &pane) const
{
    return pane.titleArea().united(pane.area()->outerRect());
}

std::optional<ChartPlace> LivePlot::placeAt(const QPointF &point, const QString &dragged) const
{
    std::size_t nearest = 0;
    int distance = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        const QRect place = placeOf(*m_panes[i]);
        const QPoint inside(std::clamp(qRound(point.x()), place.left(), place.right()),
                            std::clamp(qRound(point.y()), place.top(), place.bottom()));
        if (const int away = (inside - point.toPoint()).manhattanLength(); away < distance) {
            nearest = i;
            distance = away;
        }
    }
    if (m_places[nearest].id == dragged)
        return std::nullopt;
    const QRect place = placeOf(*m_panes[nearest]);
    const auto [first, behind] = rowAround(nearest);
    const bool hasRoom = static_cast<qsizetype>(behind - first) < mostBeside;
    // The middle is for a place beside it, what is above and below for a row of its own: titles are on the left, and
    // whoever drags one straight down wants another row.
    const double edge = place.height() * 0.3;
    ChartPlace there{ChartPlace::Side::Below, m_places[nearest].id};
    if (hasRoom && point.y() > place.top() + edge && point.y() < place.bottom() - edge)
        there.side = point.x() > place.center().x() ? ChartPlace::Side::Right : ChartPlace::Side::Left;
    else if (point.y() < place.center().y())
        there.side = ChartPlace::Side::Above;
    return there;
}

void LivePlot::showInsertion(const std::optional<ChartPlace> &place)
{
    const auto at = place ? std::ranges::find(m_places, place->of, &Place::id) : m_places.end();
    m_insertion->setVisible(at != m_places.end());
    if (m_insertion->visible()) {
        const QRect of = placeOf(*m_panes[static_cast<std::size_t>(at - m_places.begin())]);
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

}  // namespace sweepscope::ui
