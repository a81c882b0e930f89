#include "ui/findings/findingdelegate.h"

#include "ui/devices/devicewords.h"
#include "ui/findings/findingsmodel.h"
#include "ui/findings/findingwords.h"
#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QGuiApplication>
#include <QPainter>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int plotWidth = 240;
constexpr int lines = 4;
constexpr int narrowestWithPlot = 620;  // below it the text needs the plot's room

struct Fonts {
    QFont usual;
    QFont strong;
    QFont small;
};

Fonts fontsOf(const QStyleOptionViewItem &option)
{
    return {option.font, emphasisFont(option.font), smallFont(option.font)};
}

int lineHeight(const QStyleOptionViewItem &option)
{
    return QFontMetrics(option.font).height() + 3;
}

/// One line after the other, each elided where it has no room.
class Lines {
public:
    Lines(QPainter *painter, const QRect &area, int height) : m_painter(painter), m_area(area), m_height(height) {}

    void add(const QString &text, const QFont &font, const QColor &color)
    {
        part(text, font, color);
        next();
    }
    /// Stays on the line.
    void part(const QString &text, const QFont &font, const QColor &color)
    {
        m_painter->setFont(font);
        m_painter->setPen(color);
        const QFontMetrics metrics(font);
        const QRect room(m_area.left() + m_used, m_area.top() + m_line * m_height, m_area.width() - m_used, m_height);
        m_painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                            metrics.elidedText(text, Qt::ElideRight, room.width()));
        m_used += metrics.horizontalAdvance(text) + spacing::small;
    }
    void next()
    {
        ++m_line;
        m_used = 0;
    }

private:
    QPainter *m_painter;
    QRect m_area;
    int m_height;
    int m_line = 0;
    int m_used = 0;
};

/// A UUID's beginning tells GPUs apart; the tool tip has all of it.
QString shortPlace(const diagnosis::Finding &finding)
{
    constexpr std::size_t enough = 12;
    diagnosis::Finding shorter = finding;
    if (shorter.device.size() > enough && shorter.device.starts_with("GPU-"))
        shorter.device = shorter.device.substr(0, enough) + "…";
    return placeText(shorter);
}

/// "SM clock 900 to 1980 MHz"
QString captionOf(const FindingPlot &plot)
{
    const auto range = valueRange(plot);
    if (!range)
        return plot.series;
    const bool inBytes = plot.unit == "B"_L1;
    const auto text = [inBytes](double value) { return inBytes ? bytesText(value) : QString::number(value, 'g', 4); };
    const QString unit = inBytes || plot.unit.isEmpty() ? QString() : u' ' + plot.unit;
    if (range->first == range->second)
        return u"%1 %2%3"_s.arg(plot.series, text(range->first), unit);
    return FindingDelegate::tr("%1 %2 to %3%4").arg(plot.series, text(range->first), text(range->second), unit);
}

void paintPicture(QPainter *painter, const QRect &area, const FindingPlot &plot, const Fonts &fonts,
                  const QPalette &palette)
{
    painter->setFont(fonts.small);
    painter->setPen(subtleTextColor(palette));
    const int caption = QFontMetrics(fonts.small).height();
    if (plot.isEmpty()) {
        painter->drawText(area, Qt::AlignCenter, FindingDelegate::tr("no curve shows it"));
        return;
    }
    painter->drawText(QRect(area.left(), area.top(), area.width(), caption), Qt::AlignLeft | Qt::AlignVCenter,
                      captionOf(plot));
    painter->drawText(QRect(area.left(), area.top(), area.width(), caption), Qt::AlignRight | Qt::AlignVCenter,
                      durationText(toSeconds(plot.to - plot.from)));
    paintPlot(painter, area.adjusted(0, caption + 2, 0, 0), plot, palette);
}

}  // namespace

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {narrowestWithPlot, lines * lineHeight(option) + 2 * spacing::small};
}

void FindingDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *model = qobject_cast<const FindingsModel *>(index.model());
    if (!model)
        return;
    const ShownFinding &shown = model->finding(index.row());
    const diagnosis::Finding &finding = shown.finding;
    const Fonts fonts = fontsOf(option);
    const QColor text = option.palette.color(QPalette::Text);
    const QColor subtle = subtleTextColor(option.palette);
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, selectionColor(QGuiApplication::palette()));
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, hoverColor(option.palette));
    painter->setPen(option.palette.color(QPalette::Midlight));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    const QRect inside = option.rect.adjusted(spacing::medium, spacing::small, -spacing::medium, -spacing::small);
    severityIcon(finding.severity)
        .paint(painter, inside.left(), inside.top() + 2, spacing::iconSize, spacing::iconSize);
    const bool hasRoom = inside.width() >= textScaled(narrowestWithPlot);
    const int left = inside.left() + spacing::iconSize + spacing::small;
    const int right = hasRoom ? inside.right() - textScaled(plotWidth) - spacing::large : inside.right();
    Lines written(painter, QRect(left, inside.top(), right - left, inside.height()), lineHeight(option));
    written.part(severityText(finding.severity), fonts.strong, text);
    written.part(QString::fromStdString(finding.rule), fonts.usual, text);
    written.part(shortPlace(finding), fonts.usual, subtle);
    if (finding.simulated)
        written.part(tr("· simulated"), fonts.usual, subtle);
    if (shown.live)
        written.part(tr("· live"), fonts.usual, goodColor(option.palette));
    written.next();
    written.add(QString::fromStdString(finding.sentence), fonts.usual, text);
    written.add(windowText(finding) + u" · "_s + thresholdText(finding), fonts.small, subtle);
    written.add(tr("What helps: %1").arg(QString::fromStdString(finding.hint)), fonts.small, subtle);
    if (hasRoom)
        paintPicture(
            painter,
            QRect(inside.right() - textScaled(plotWidth), inside.top(), textScaled(plotWidth), inside.height()),
            shown.plot, fonts, option.palette);
    paintItemFocus(painter, option);
    painter->restore();
}

}  // namespace sweepscope::ui
