#include "ui/theme/applicationstyle.h"

#include "ui/theme/spacing.h"

#include <QApplication>
#include <QKeyEvent>
#include <QTableView>
#include <QWidget>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

ApplicationStyle::ApplicationStyle() : QProxyStyle(u"Fusion"_s)
{
    qApp->installEventFilter(this);
}

int ApplicationStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                                QStyleHintReturn *result) const
{
    if (hint == SH_UnderlineShortcut)
        return m_altHeld ? 1 : 0;
    return QProxyStyle::styleHint(hint, option, widget, result);
}

int ApplicationStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    if (metric == PM_SmallIconSize)
        return spacing::iconSize;
    if (metric == PM_FocusFrameHMargin && qobject_cast<const QTableView *>(widget))
        return spacing::small - 1;  // cells begin where the titles above them do
    return QProxyStyle::pixelMetric(metric, option, widget);
}

bool ApplicationStyle::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
        if (static_cast<QKeyEvent *>(event)->key() == Qt::Key_Alt)
            setAltHeld(event->type() == QEvent::KeyPress);
        break;
    case QEvent::ApplicationDeactivate:
    case QEvent::WindowDeactivate:
        setAltHeld(false);
        break;
    default:
        break;
    }
    return QProxyStyle::eventFilter(watched, event);
}

void ApplicationStyle::setAltHeld(bool held)
{
    if (held == m_altHeld)
        return;
    m_altHeld = held;
    for (QWidget *widget : QApplication::allWidgets()) {
        if (widget->isVisible())
            widget->update();
    }
}

}  // namespace sweepscope::ui
