#include "ui/live/curveemphasis.h"

#include "ui/live/curvelegend.h"
#include "ui/live/liveplot.h"

#include <QMouseEvent>

namespace sweepscope::ui {

CurveEmphasis::CurveEmphasis(LivePlot *plot, CurveLegend *legend) : QObject(plot), m_plot(plot), m_legend(legend)
{
    plot->installEventFilter(this);
    connect(legend, &CurveLegend::pointedAt, this, &CurveEmphasis::show);
}

bool CurveEmphasis::eventFilter(QObject *, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseMove: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        if (mouse->buttons() == Qt::NoButton)
            show(curveAt(mouse->position()));
        break;
    }
    case QEvent::MouseButtonPress:
    case QEvent::ContextMenu:
    case QEvent::Leave:
        show({});
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

void CurveEmphasis::show(const QString &key)
{
    m_plot->setEmphasized(key);
    m_legend->legendModel()->setEmphasized(key);
}

}  // namespace sweepscope::ui
