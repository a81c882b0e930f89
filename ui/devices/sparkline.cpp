#include "ui/devices/sparkline.h"

#include "ui/theme/palettes.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QSize preferred(140, 20);
constexpr WallNs longestBreak = 12LL * 1'000'000'000;
constexpr int fillAlpha = 40;
constexpr WallNs nanosecondsPerMillisecond = 1'000'000;

}  // namespace

Sparkline::Sparkline(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Sparkline::setTrace(const DeviceReadings::Trace &points, WallNs end, std::optional<double> top)
{
    if (points == m_points && end == m_end && top == m_top)
        return;
    m_points = points;
    m_end = end;
    m_top = top;
    update();
}

void Sparkline::setQuiet(bool quiet)
{
    if (quiet == m_quiet)
        return;
    m_quiet = quiet;
    update();
}

void Sparkline::setWords(const QString &quantity, std::function<QString(double)> valueText)
{
    m_quantity = quantity;
    m_valueText = std::move(valueText);
}

QString Sparkline::textAt(int x) const
{
    if (!m_valueText || m_points.empty())
        return {};
    const double age = (1 - x / std::max(1.0, width() - 1.0)) * static_cast<double>(recentSpan);
    const WallNs time = m_end - static_cast<WallNs>(age);
    const auto nearest =
        std::ranges::min_element(m_points, {}, [time](const TimedValue &point) { return std::abs(point.time - time); });
    if (std::abs(nearest->time - time) > longestBreak)
        return {};
    const QDateTime clock = QDateTime::fromMSecsSinceEpoch(nearest->time / nanosecondsPerMillisecond);
    return tr("%1 at %2: %3").arg(m_quantity, QLocale().toString(clock, u"HH:mm:ss"_s), m_valueText(nearest->value));
}

bool Sparkline::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), textAt(help->pos().x()), this);
        return true;
    }
    return QWidget::event(event);
}

QSize Sparkline::sizeHint() const
{
    return preferred;
}

QPointF Sparkline::at(const TimedValue &point, double top) const
{
    const double age = static_cast<double>(m_end - point.time) / static_cast<double>(recentSpan);
    const double level = std::clamp(point.value / top, 0.0, 1.0);
    return {(width() - 1) * (1 - age), 1 + (height() - 3) * (1 - level)};
}

void Sparkline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Midlight), 1));
    painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
    if (m_points.empty())
        return;
    double top = m_top.value_or(0);
    if (top <= 0) {
        for (const TimedValue &point : m_points)
            top = std::max(top, 1.1 * point.value);
    }
    if (top <= 0)
        top = 1;
    const QColor color = m_quiet ? palette().color(QPalette::Mid) : palette().color(QPalette::Highlight);
    QColor fill = color;
    fill.setAlpha(fillAlpha);
    for (std::size_t begin = 0; begin < m_points.size();) {
        QPainterPath line(at(m_points[begin], top));
        std::size_t end = begin + 1;
        for (; end < m_points.size() && m_points[end].time - m_points[end - 1].time <= longestBreak; ++end)
            line.lineTo(at(m_points[end], top));
        QPainterPath area = line;
        area.lineTo(line.currentPosition().x(), height() - 1);
        area.lineTo(at(m_points[begin], top).x(), height() - 1);
        painter.fillPath(area, fill);
        painter.setPen(QPen(color, 1.4));
        if (end == begin + 1)
            painter.drawPoint(line.currentPosition());
        painter.drawPath(line);
        begin = end;
    }
}

}  // namespace sweepscope::ui
