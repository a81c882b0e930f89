#include "ui/devices/sparkaxis.h"

#include "ui/models/devicereadings.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QDateTime>
#include <QLocale>
#include <QPainter>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int minutes = static_cast<int>(recentSpan / (60LL * 1'000'000'000));
constexpr int tickLength = 3;

}  // namespace

SparkAxis::SparkAxis(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SparkAxis::setEnd(WallNs end, bool isLive)
{
    const bool isOther = std::exchange(m_isLive, isLive) != isLive;
    if (std::exchange(m_end, end) != end && !isLive)
        update();
    if (isOther)
        update();
}

QString SparkAxis::labelAt(int minutesAgo) const
{
    if (minutesAgo > 0)
        return tr("−%1 min").arg(minutesAgo);
    return m_isLive ? tr("now") : QLocale().toString(QDateTime::fromMSecsSinceEpoch(m_end / 1'000'000), u"HH:mm:ss"_s);
}

int SparkAxis::step(int width) const
{
    const int label = QFontMetrics(smallFont(font())).horizontalAdvance(labelAt(minutes));
    const int between = label + label / 2 + spacing::small;  // the first label begins at its tick
    return width >= minutes * between ? 1 : minutes;
}

QStringList SparkAxis::labels(int width) const
{
    QStringList texts;
    for (int ago = minutes; ago >= 0; ago -= step(width))
        texts << labelAt(ago);
    return texts;
}

QSize SparkAxis::sizeHint() const
{
    const QFontMetrics metrics(smallFont(font()));
    return {2 * metrics.horizontalAdvance(labelAt(minutes)), tickLength + metrics.height()};
}

void SparkAxis::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(smallFont(font()));
    const QFontMetrics metrics = painter.fontMetrics();
    for (int ago = minutes; ago >= 0; --ago) {
        const int x = (width() - 1) * (minutes - ago) / minutes;
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(x, 0, x, tickLength - 1);
        if ((minutes - ago) % step(width()) != 0)
            continue;
        const QString text = labelAt(ago);
        const int room = metrics.horizontalAdvance(text);
        const int left = qBound(0, x - room / 2, width() - room);
        painter.setPen(subtleTextColor(palette()));
        painter.drawText(left, tickLength + metrics.ascent(), text);
    }
}

}  // namespace sweepscope::ui
