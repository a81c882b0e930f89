#include "ui/devices/corestrip.h"

#include "ui/models/devicewords.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr int leastWidth = 14;
constexpr int cellHeight = 36;
constexpr int gap = 4;

}  // namespace

CoreStrip::CoreStrip(QWidget *parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void CoreStrip::setCores(const std::vector<CoreLoad> &cores)
{
    const bool otherSize = cores.size() != m_cores.size();
    m_cores = cores;
    if (otherSize)
        updateGeometry();
    QStringList texts;
    for (const CoreLoad &core : m_cores)
        texts << tr("core %1: %2").arg(core.index).arg(core.percent ? percentText(core.percent) : tr("unknown"));
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
    update();
}

int CoreStrip::columns(int width) const
{
    return std::max(1, (width + gap) / (cellWidth() + gap));
}

int CoreStrip::cellWidth() const
{
    int most = 0;
    for (const CoreLoad &core : m_cores)
        most = std::max(most, core.index);
    return std::max(leastWidth, QFontMetrics(smallFont(font())).horizontalAdvance(QString::number(most)));
}

int CoreStrip::rowHeight() const
{
    return cellHeight + QFontMetrics(smallFont(font())).height();
}

QSize CoreStrip::sizeHint() const
{
    constexpr int usualWidth = 260;
    return {usualWidth, heightForWidth(usualWidth)};
}

int CoreStrip::heightForWidth(int width) const
{
    const int rows = (static_cast<int>(m_cores.size()) + columns(width) - 1) / columns(width);
    return std::max(1, rows) * (rowHeight() + gap) - gap;
}

QRect CoreStrip::cell(std::size_t core) const
{
    const int number = static_cast<int>(core);
    const int across = columns(width());
    return {number % across * (cellWidth() + gap), number / across * (rowHeight() + gap), cellWidth(), cellHeight};
}

void CoreStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smallFont(font()));
    const int lineHeight = rowHeight() - cellHeight;
    const QColor accent = palette().color(QPalette::Highlight);
    for (std::size_t i = 0; i < m_cores.size(); ++i) {
        const QRectF frame = QRectF(cell(i)).adjusted(0.5, 0.5, -0.5, -0.5);
        const CoreLoad &core = m_cores[i];
        const QRect below = cell(i).translated(0, cellHeight);
        painter.setPen(subtleTextColor(palette()));
        painter.drawText(QRect(below.left() - gap / 2, below.top(), below.width() + gap, lineHeight), Qt::AlignCenter,
                         QString::number(core.index));
        painter.setPen(core.holders.isEmpty() ? borderColor(palette()) : accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(frame, 2, 2);
        if (!core.percent)
            continue;
        QRectF bar = frame.adjusted(1.5, 1.5, -1.5, -1.5);
        bar.setTop(bar.bottom() - bar.height() * std::clamp(*core.percent / 100, 0.0, 1.0));
        painter.fillRect(bar, core.holders.isEmpty() ? subtleTextColor(palette()) : accent);
    }
}

QString CoreStrip::textAt(const QPoint &position) const
{
    for (std::size_t i = 0; i < m_cores.size(); ++i) {
        if (!cell(i).contains(position))
            continue;
        const CoreLoad &core = m_cores[i];
        const QString load = core.percent ? percentText(core.percent) : tr("load unknown");
        return tr("core %1: %2").arg(core.index).arg(load)
               + (core.holders.isEmpty() ? QString() : QLatin1Char('\n') + core.holders.join(QLatin1Char('\n')));
    }
    return {};
}

bool CoreStrip::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), textAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace sweepscope::ui
