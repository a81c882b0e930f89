#include "ui/plot/curveemphasis.h"

#include "ui/plot/curvelegend.h"
#include "ui/plot/liveplot.h"

#include <QGuiApplication>
#include <QMouseEvent>
#include <QStyleHints>

#include <utility>

namespace sweepscope::ui {

CurveEmphasis::CurveEmphasis(LivePlot *plot, CurveLegend *legend) : QObject(plot), m_plot(plot), m_legend(legend)
{
    plot->installEventFilter(this);
    connect(legend, &CurveLegend::pointedAt, this, &CurveEmphasis::show);
    m_click.setSingleShot(true);
    m_click.setInterval(QGuiApplication::styleHints()->mouseDoubleClickInterval());
    connect(&m_click, &QTimer::timeout, this, [this] { Q_EMIT clicked(m_clicked, m_modifiers); });
}

bool CurveEmphasis::eventFilter(QObject *, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseMove: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        if (mouse->buttons() == Qt::NoButton)
            point(mouse->position(), mouse->globalPosition().toPoint());
        break;
    }
    case QEvent::MouseButtonPress: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        m_pressed = mouse->button() == Qt::LeftButton ? curveAt(mouse->position()) : QString();
        m_pressedAt = mouse->position();
        point({-1, -1}, {});
        break;
    }
    case QEvent::MouseButtonRelease: {
        constexpr double clickPixels = 5;
        const QPointF moved = static_cast<QMouseEvent *>(event)->position() - m_pressedAt;
        const QString key = std::exchange(m_pressed, {});
        if (!key.isEmpty() && moved.manhattanLength() < clickPixels) {
            m_clicked = key;
            m_modifiers = static_cast<QMouseEvent *>(event)->modifiers();
            m_click.start();
        }
        break;
    }
    case QEvent::MouseButtonDblClick:
        m_click.stop();
        break;
    case QEvent::ContextMenu:
    case QEvent::Leave:
        point({-1, -1}, {});
        break;
    default:
        break;
    }
    return false;
}

QString CurveEmphasis::curveAt(const QPointF &point) const
{
    const PlotPane *pane = m_plot->paneAt(point);
    return pane && pane->area()->rect().contains(point.toPoint()) ? pane->curveAt(point) : QString();
}

void CurveEmphasis::point(const QPointF &at, const QPoint &place)
{
    const QString key = curveAt(at);
    show(key);
    if (std::exchange(m_pointed, key) != key || !key.isEmpty())
        Q_EMIT pointedAt(key, place);
}

void CurveEmphasis::setChosen(const QString &key)
{
    if (std::exchange(m_chosen, key) != key && m_pointed.isEmpty())
        show({});
}

void CurveEmphasis::show(const QString &pointed)
{
    const QString &key = pointed.isEmpty() ? m_chosen : pointed;
    m_plot->setEmphasized(key);
    m_legend->legendModel()->setEmphasized(key);
}

}  // namespace sweepscope::ui
