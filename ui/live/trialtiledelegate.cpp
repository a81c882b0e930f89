#include "ui/live/trialtiledelegate.h"

#include "ui/live/runningtrialsmodel.h"
#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/trialcolors.h"

#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

constexpr int padding = 9;  // inside a tile
constexpr int margin = 3;   // around a tile: half the gap between two
constexpr int swatch = 8;
constexpr int barHeight = 3;  // of the progress
constexpr double curveWidth = 1.4;
constexpr int leastOfName = 4;  // letters that identify the sweep

void drawCurve(QPainter *painter, const QRectF &area, const std::vector<series::Column> &columns, const QColor &color)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const series::Column &column : columns) {
        if (std::isfinite(column.mean)) {
            low = std::min(low, column.mean);
            high = std::max(high, column.mean);
        }
    }
    if (low > high)
        return;
    const double from = columns.front().x;
    const double width = std::max(columns.back().x - from, 1e-9);
    const double height = high > low ? high - low : 1;
    QPainterPath path;
    bool isDown = false;
    for (const series::Column &column : columns) {
        if (!std::isfinite(column.mean)) {
            isDown = false;
            continue;
        }
        const QPointF point(area.left() + (column.x - from) / width * area.width(),
                            high > low ? area.bottom() - (column.mean - low) / height * area.height()
                                       : area.center().y());
        if (isDown && !column.startsSegment)
            path.lineTo(point);
        else
            path.moveTo(point);
        isDown = true;
    }
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(color, curveWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPath(path);
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    if (columns.size() == 1)
        painter->drawEllipse(path.currentPosition(), 2, 2);
}

/// Draws elided text at the left of `area`; returns the rest of the area.
QRect drawText(QPainter *painter, const QRect &area, const QString &text)
{
    const QFontMetrics metrics = painter->fontMetrics();
    const QString shown = metrics.elidedText(text, Qt::ElideRight, area.width());
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, shown);
    return area.adjusted(metrics.horizontalAdvance(shown) + spacing::small, 0, 0, 0);
}

/// Draws colour, name, state icon and state; returns the rest of the line.
QRect drawTitle(QPainter *painter, const QRect &line, const QStyleOptionViewItem &option, const RunningTrial &trial,
                const QString &name)
{
    painter->setPen(Qt::NoPen);
    painter->setBrush(trialColor(trial.trial.trial));
    painter->drawRoundedRect(QRectF(line.left(), line.center().y() - swatch / 2 + 0.5, swatch, swatch), 2, 2);
    painter->setFont(emphasisFont(option.font));
    painter->setPen(option.palette.color(QPalette::Text));
    QRect rest = drawText(painter, line.adjusted(swatch + 6, 0, 0, 0), name);
    if (rest.width() < spacing::iconSize)
        return rest;
    stateIcon(trial.state).paint(painter, QRect(rest.left(), line.center().y() - 7, 14, 14));
    painter->setFont(smallFont(option.font));
    painter->setPen(subtleTextColor(option.palette));
    return drawText(painter, rest.adjusted(14 + spacing::tiny, 0, 0, 0), stateText(trial.state));
}

/// Width of a title with the longest state of a running trial.
int titleWidth(const QFontMetrics &metrics, const QString &name)
{
    int word = 0;
    for (const sweep::TrialState state :
         {sweep::TrialState::Starting, sweep::TrialState::Running, sweep::TrialState::Paused})
        word = std::max(word, metrics.horizontalAdvance(stateText(state)));
    const int bold = metrics.horizontalAdvance(name) * 11 / 10;
    return swatch + 6 + bold + spacing::small + 14 + spacing::tiny + word;
}

bool isDisturbed(const RunningTrial &trial)
{
    return trial.isSilent || trial.isUnreachable;
}

QString rateText(const RunningTrial &trial)
{
    if (trial.isUnreachable)
        return TrialTileDelegate::tr("no connection");
    if (trial.state == sweep::TrialState::Paused)
        return {};
    if (trial.isSilent)
        return TrialTileDelegate::tr("no progress");
    return trial.pace && trial.pace->stepsPerSecond ? shortPaceText(*trial.pace->stepsPerSecond) : QString();
}

/// Shorter than elsewhere; the tooltip has the full text.
QString shortTimeLeft(double seconds)
{
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    if (seconds < 50)
        return TrialTileDelegate::tr("< 1 min left");
    if (seconds < 2 * hour)
        return TrialTileDelegate::tr("%1 min left").arg(std::lround(seconds / minute));
    if (seconds < 48 * hour)
        return TrialTileDelegate::tr("%1 h left").arg(std::lround(seconds / hour));
    return TrialTileDelegate::tr("%1 d left").arg(std::lround(seconds / (24 * hour)));
}

QString percentText(const RunningTrial &trial)
{
    return trial.progress > 0 ? QStringLiteral("%1%").arg(static_cast<int>(std::floor(trial.progress * 100)))
                              : QString();
}

QString joined(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

QString placeText(const RunningTrial &trial, const QFontMetrics &metrics, int width)
{
    const auto fits = [&](const QString &text) { return metrics.horizontalAdvance(text) <= width; };
    const QString ranks = ranksText(trial.ranks);
    if (const QString all = joined({trial.sweepName, ranks, trial.devices}); fits(all))
        return all;
    const QString withRanks = joined({ranks, trial.shortDevices});
    if (!trial.sweepName.isEmpty()) {
        const QString rest = joined({QStringLiteral(" "), withRanks});
        const int room = width - metrics.horizontalAdvance(rest);
        if (room >= metrics.horizontalAdvance(trial.sweepName.left(leastOfName) + QChar(0x2026)))
            return joined({metrics.elidedText(trial.sweepName, Qt::ElideRight, room), withRanks});
    }
    return fits(withRanks) || trial.shortDevices.isEmpty() ? withRanks : trial.shortDevices;
}

QSize TrialTileDelegate::smallest(Size size, const QFontMetrics &metrics)
{
    const int digit = metrics.horizontalAdvance(QLatin1Char('0'));
    const int frame = 2 * (padding + margin);
    if (size == Size::Small)
        return {std::max(digit * 15, titleWidth(metrics, QStringLiteral("0000"))) + frame,
                2 * metrics.height() + spacing::tiny + frame - 4};
    const int title = titleWidth(metrics, RunningTrialsModel::tr("Trial %1").arg(QStringLiteral("0000")));
    return {std::max(digit * 28, title * 3 / 2) + frame, 3 * metrics.height() + 2 + frame};  // see paintLarge()
}

void TrialTileDelegate::setTile(Size size, const QSize &extent)
{
    m_size = size;
    if (extent == m_extent)
        return;
    m_extent = extent;
    Q_EMIT sizeHintChanged({});
}

void TrialTileDelegate::paint(QPainter *painter, const QStyleOptionViewItem &item, const QModelIndex &index) const
{
    const auto *model = qobject_cast<const RunningTrialsModel *>(index.model());
    if (!model)
        return;
    QStyleOptionViewItem option = item;
    if (option.widget)
        option.palette = option.widget->window()->palette();  // the view's own palette has no background
    const RunningTrial &trial = model->trial(index.row());
    const bool isShown = index.row() == m_shown;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(option.rect).adjusted(margin, margin, -margin, -margin);
    QColor fill = option.palette.color(QPalette::Base);
    if (isShown)
        fill = selectionColor(option.palette);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        fill = hoverColor(option.palette);
    const bool hasFocus = option.state.testFlag(QStyle::State_HasFocus);
    const QColor line = isShown || hasFocus ? focusColor(option.palette) : borderColor(option.palette);
    const double pen = hasFocus ? 2 : 1;
    painter->setPen(QPen(line, pen));
    painter->setBrush(fill);
    painter->drawRoundedRect(card.adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), spacing::cornerRadius,
                             spacing::cornerRadius);
    const QRect area = card.toRect().adjusted(padding, padding - 2, -padding, -padding);
    if (trial.progress > 0) {
        const QRectF bar(area.left(), card.bottom() - barHeight - 3, area.width(), barHeight);
        painter->setPen(Qt::NoPen);
        painter->setBrush(borderColor(option.palette));
        painter->drawRoundedRect(bar, 1.5, 1.5);
        painter->setBrush(trialColor(trial.trial.trial));
        painter->drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * std::min(1.0, trial.progress), barHeight)),
                                 1.5, 1.5);
    }
    if (m_size == Size::Large)
        paintLarge(painter, area, option, trial);
    else
        paintSmall(painter, area, option, trial);
    painter->restore();
}

void TrialTileDelegate::paintLarge(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                                   const RunningTrial &trial) const
{
    const int line = option.fontMetrics.height();
    const int words = area.width() * 2 / 3;
    drawTitle(painter, QRect(area.left(), area.top(), words, line), option, trial,
              RunningTrialsModel::tr("Trial %1").arg(trial.trial.trial));
    painter->setFont(smallFont(option.font));
    const QRect second(area.left(), area.top() + line + 1, words, line);
    QStringList steps;
    if (trial.step() > 0)
        steps << tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(trial.step())));
    if (const QString rate = rateText(trial); !rate.isEmpty())
        steps << rate;
    painter->setPen(isDisturbed(trial) ? problemColor(option.palette) : option.palette.color(QPalette::Text));
    drawText(painter, second, steps.join(QStringLiteral(" · ")));
    const QRect third(area.left(), second.bottom() + 1, area.width(), line);
    const auto left = trial.secondsLeft();
    const QString leftText = left ? shortTimeLeft(*left) : QString();
    const int leftWidth = left ? painter->fontMetrics().horizontalAdvance(leftText) + spacing::small : 0;
    painter->setPen(subtleTextColor(option.palette));
    painter->drawText(third, Qt::AlignRight | Qt::AlignVCenter, leftText);
    const QRect place = third.adjusted(0, 0, -leftWidth, 0);
    drawText(painter, place, placeText(trial, painter->fontMetrics(), place.width()));
    const QRectF curve(area.left() + words + spacing::small, area.top() + 3, area.width() - words - spacing::small,
                       second.bottom() - area.top() - 6);
    if (!trial.columns.empty())
        drawCurve(painter, curve, trial.columns, trialColor(trial.trial.trial));
}

void TrialTileDelegate::paintSmall(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                                   const RunningTrial &trial) const
{
    const int line = option.fontMetrics.height();
    drawTitle(painter, QRect(area.left(), area.top(), area.width(), line), option, trial,
              QString::number(trial.trial.trial));
    painter->setFont(smallFont(option.font));
    const QRect second(area.left(), area.top() + line + 2, area.width(), line);
    const QString text = isDisturbed(trial) ? rateText(trial) : percentText(trial);
    const int words = text.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(text) + spacing::small;
    painter->setPen(isDisturbed(trial) ? problemColor(option.palette) : subtleTextColor(option.palette));
    painter->drawText(second, Qt::AlignRight | Qt::AlignVCenter, text);
    if (!trial.columns.empty() && words < area.width() / 2 + 20)
        drawCurve(painter, QRectF(second).adjusted(0, 2, -words, -3), trial.columns, trialColor(trial.trial.trial));
}

}  // namespace sweepscope::ui
