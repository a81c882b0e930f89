// LivePlot by keyboard: the current chart, the frame around it, and what assistive programs are told.
#include "ui/live/liveplot.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QAccessibleWidget>
#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {

namespace {

/// A chart whose value is what stands under the cursor.
class AccessiblePlot : public QAccessibleWidget {
public:
    explicit AccessiblePlot(LivePlot *plot) : QAccessibleWidget(plot, QAccessible::Chart) {}

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? static_cast<const LivePlot *>(widget())->told()
                                          : QAccessibleWidget::text(kind);
    }
};

QAccessibleInterface *makeAccessible(const QString &, QObject *object)
{
    auto *plot = qobject_cast<LivePlot *>(object);
    return plot ? new AccessiblePlot(plot) : nullptr;
}

}  // namespace

void LivePlot::describe()
{
    static const bool installed = (QAccessible::installFactory(makeAccessible), true);
    (void)installed;
    setAccessibleName(tr("Plots"));
    setAccessibleDescription(
        tr("Left and Right move in time, with Shift they move the cursor; Up and Down choose a chart"));
}

std::size_t LivePlot::currentIndex() const
{
    const auto place = std::ranges::find(m_places, m_current, &Place::id);
    return place == m_places.end() ? 0 : static_cast<std::size_t>(place - m_places.begin());
}

PlotPane &LivePlot::currentPane() const
{
    return *m_panes[currentIndex()];
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
    const auto last = static_cast<int>(m_panes.size()) - 1;
    choose(*m_panes[static_cast<std::size_t>(std::clamp(static_cast<int>(currentIndex()) + step, 0, last))]);
}

QRect LivePlot::currentPlace() const
{
    return placeOf(currentPane());
}

void LivePlot::tell(const QString &values)
{
    if (values == m_told)
        return;
    m_told = values;
    if (m_told.isEmpty())
        return;
    QAccessibleValueChangeEvent event(this, m_told);
    QAccessible::updateAccessibility(&event);
}

/// Where a menu opens that a key asked for.
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
