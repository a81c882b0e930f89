#include "ui/logs/loggutter.h"

#include "ui/logs/linetime.h"
#include "ui/logs/logview.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

namespace sweepscope::ui {

namespace {

/// Different widths, so that colour is not the only sign.
constexpr int errorWidth = 4;
constexpr int warningWidth = 2;

}  // namespace

LogGutter::LogGutter(LogView *view) : QWidget(view), m_view(view)
{
    setObjectName(QStringLiteral("logGutter"));
}

int LogGutter::neededWidth() const
{
    const int marks = errorWidth + 1;
    if (!m_isTimesShown)
        return marks;
    return marks + spacing::small + spacing::tiny
           + m_view->fontMetrics().horizontalAdvance(QStringLiteral("29 Nov 00:00:00"));
}

void LogGutter::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(m_view->font());
    const int lineHeight = m_view->fontMetrics().height();
    const QRect times(spacing::tiny, 0, width() - errorWidth - 1 - 2 * spacing::tiny, lineHeight);
    const QColor color = subtleTextColor(palette());
    const QColor warning = warningColor(palette());
    const QColor error = problemColor(palette());
    WallNs day = wallNow();  // of the line above
    m_view->eachVisibleLine([&](const QRectF &place, const LogView::Line *line) {
        if (!line)
            return;
        const bool isError = line->level.level == LogLevel::Error;
        const int mark = isError ? errorWidth : line->level.level == LogLevel::Warning ? warningWidth : 0;
        if (mark > 0)
            painter.fillRect(QRectF(width() - 1 - mark, place.top(), mark, place.height()), isError ? error : warning);
        if (!m_isTimesShown || line->offset < 0)
            return;
        const QRect row = times.translated(0, qRound(place.top()));
        painter.setPen(color);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, clockText(line->time));
        if (!isSameDay(line->time, day))
            painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, dayText(line->time));
        if (line->time > 0)
            day = line->time;
    });
}

void LogGutter::wheelEvent(QWheelEvent *event)
{
    QCoreApplication::sendEvent(m_view->viewport(), event);
}

bool LogGutter::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !m_isTimesShown)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QString text;
    m_view->eachVisibleLine([&](const QRectF &place, const LogView::Line *line) {
        if (line && line->offset >= 0 && place.top() <= help->pos().y() && help->pos().y() < place.bottom())
            text = line->time > 0 ? tr("Written at %1").arg(fullTimeText(line->time))
                                  : tr("The time of this line was not recorded");
    });
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace sweepscope::ui
