#include "ui/theme/applicationstyle.h"

#include "ui/theme/icons.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QCursor>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double checkRadius = 3;

/// Returns the largest centred square, on whole pixels.
QRectF square(const QRect &rect)
{
    const int side = std::min(rect.width(), rect.height());
    return QRectF(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side)
        .adjusted(0.5, 0.5, -0.5, -0.5);
}

/// Sets the pen for the symbol on it.
void drawGround(const QStyleOption &option, QPainter *painter, const QRectF &area, double radius, bool filled)
{
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool marked = option.state.testAnyFlags(QStyle::State_MouseOver | QStyle::State_HasFocus);
    const QColor accent = option.palette.color(QPalette::Highlight);
    const QColor outline = !enabled           ? option.palette.color(QPalette::Mid)
                           : filled || marked ? accent
                                              : subtleTextColor(option.palette);
    painter->setPen(outline);
    painter->setBrush(filled ? accent : option.palette.color(QPalette::Base));
    painter->drawRoundedRect(area, radius, radius);
    painter->setPen(
        QPen(option.palette.color(QPalette::HighlightedText), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

void drawCheckBox(const QStyleOption &option, QPainter *painter)
{
    const bool on = option.state.testFlag(QStyle::State_On);
    const bool partly = option.state.testFlag(QStyle::State_NoChange);
    const QRectF area = square(option.rect);
    drawGround(option, painter, area, checkRadius, on || partly);
    const auto at = [&area](double x, double y) { return area.topLeft() + QPointF(x, y) * area.width(); };
    if (on)
        painter->drawPolyline(QPolygonF({at(0.24, 0.52), at(0.43, 0.71), at(0.77, 0.30)}));
    else if (partly)
        painter->drawLine(at(0.27, 0.5), at(0.73, 0.5));
}

void drawRadioButton(const QStyleOption &option, QPainter *painter)
{
    const bool on = option.state.testFlag(QStyle::State_On);
    const QRectF area = square(option.rect);
    drawGround(option, painter, area, area.width() / 2, on);
    if (!on)
        return;
    painter->setPen(Qt::NoPen);
    painter->setBrush(option.palette.color(QPalette::HighlightedText));
    painter->drawEllipse(area.center(), area.width() * 0.2, area.width() * 0.2);
}

/// Frames the whole tab: the style's own frame would cut its text.
void drawTabFocus(const QTabBar &tabs, QPainter *painter)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(focusColor(tabs.palette()));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(tabs.tabRect(tabs.currentIndex())).adjusted(0.5, 2.5, -2.5, -4.5),
                             spacing::cornerRadius, spacing::cornerRadius);
    painter->restore();
}

}  // namespace

ApplicationStyle::ApplicationStyle() : QProxyStyle(u"Fusion"_s)
{
    qApp->installEventFilter(this);
}

int ApplicationStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                                QStyleHintReturn *result) const
{
    if (hint == SH_UnderlineShortcut)
        return m_altHeld ? 1 : 0;
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
        return 0;  // Fusion's icons are coloured, unlike our line icons
    return QProxyStyle::styleHint(hint, option, widget, result);
}

int ApplicationStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    if (metric == PM_SmallIconSize || metric == PM_ButtonIconSize || metric == PM_ListViewIconSize)
        return textScaled(spacing::iconSize);
    if (metric == PM_IndicatorWidth || metric == PM_IndicatorHeight || metric == PM_ExclusiveIndicatorWidth
        || metric == PM_ExclusiveIndicatorHeight)
        return textScaled(QProxyStyle::pixelMetric(metric, option, widget));
    if (metric == PM_FocusFrameHMargin && qobject_cast<const QTableView *>(widget))
        return spacing::tiny + 1;  // cells begin below the begin of their titles
    return QProxyStyle::pixelMetric(metric, option, widget);
}

QIcon ApplicationStyle::standardIcon(StandardPixmap which, const QStyleOption *option, const QWidget *widget) const
{
    switch (which) {
    case SP_MessageBoxInformation:
        return symbolIcon(u"about"_s, QPalette::Link);
    case SP_MessageBoxQuestion:
        return symbolIcon(u"help"_s, QPalette::Link);
    case SP_MessageBoxWarning:
    case SP_MessageBoxCritical:
        return symbolIcon(u"warning"_s, QPalette::WindowText);
    default:
        return QProxyStyle::standardIcon(which, option, widget);
    }
}

void ApplicationStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                     const QWidget *widget) const
{
    if (element == PE_FrameFocusRect) {
        const bool isMarked = qobject_cast<const QPushButton *>(widget) || qobject_cast<const QToolButton *>(widget);
        if (isMarked || !option->state.testFlag(State_KeyboardFocusChange))
            return;  // the button's border shows it
        if (const auto *tabs = qobject_cast<const QTabBar *>(widget)) {
            drawTabFocus(*tabs, painter);
            return;
        }
        if (qobject_cast<const QAbstractItemView *>(widget)) {
            QStyleOption item(*option);
            item.state |= State_HasFocus;
            paintItemFocus(painter, item);
            return;
        }
    }
    const bool isRadio = element == PE_IndicatorRadioButton;
    if (!isRadio && element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    (isRadio ? drawRadioButton : drawCheckBox)(*option, painter);
    painter->restore();
}

QRect ApplicationStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    // The whole cell: a frame around the text leaves out the icon, and an empty cell has no text.
    if (element == SE_ItemViewItemFocusRect && qobject_cast<const QAbstractItemView *>(widget))
        return option->rect;
    return QProxyStyle::subElementRect(element, option, widget);
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
    case QEvent::Hide:
        if (qobject_cast<QMenu *>(watched))
            QTimer::singleShot(0, this, &ApplicationStyle::calmButtons);
        break;
    default:
        break;
    }
    return QProxyStyle::eventFilter(watched, event);
}

/// While a menu has the mouse grab, X11 sends no leave event: the button would stay highlighted.
void ApplicationStyle::calmButtons()
{
    for (QWidget *widget : QApplication::allWidgets()) {
        const bool isLeft = qobject_cast<QAbstractButton *>(widget) && widget->underMouse()
                            && !widget->rect().contains(widget->mapFromGlobal(QCursor::pos()));
        if (!isLeft)
            continue;
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(widget, &leave);
        widget->update();
    }
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
