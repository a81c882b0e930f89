#include "ui/findings/findingdelegate.h"

#include "ui/examination/findingsmodel.h"
#include "ui/examination/findingwords.h"
#include "ui/models/devicewords.h"
#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QGuiApplication>
#include <QPainter>
#include <QTreeView>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int leastPlotWidth = 240;
constexpr int mostPlotWidth = 640;
constexpr int mostTextWidth = 900;  // longer lines are hard to read
constexpr int lines = 4;
constexpr int groupLines = 3;
constexpr int mostSentenceLines = 3;
constexpr int narrowestWithPlot = 620;  // a narrower row has room for the text only

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

/// Draws lines below each other, each elided to the available width.
class Lines {
public:
    Lines(QPainter *painter, const QRect &area, int height) : m_painter(painter), m_area(area), m_height(height) {}

    void add(const QString &text, const QFont &font, const QColor &color)
    {
        part(text, font, color);
        next();
    }
    /// Draws the next part of the current line.
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
    /// Draws text over `count` lines.
    void wrap(const QString &text, const QFont &font, const QColor &color, int count)
    {
        m_painter->setFont(font);
        m_painter->setPen(color);
        m_painter->drawText(QRect(m_area.left(), m_area.top() + m_line * m_height, m_area.width(), count * m_height),
                            Qt::AlignLeft | Qt::TextWordWrap, text);
        m_line += count;
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
        painter->drawText(area, Qt::AlignCenter, FindingDelegate::tr("no curve"));
        return;
    }
    const QRect line(area.left(), area.top(), area.width(), caption);
    const QString span = durationText(toSeconds(plot.to - plot.from));
    const QFontMetrics metrics(fonts.small);
    const int room = line.width() - metrics.horizontalAdvance(span) - spacing::medium;
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(captionOf(plot), Qt::ElideRight, room));
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, span);
    paintPlot(painter, area.adjusted(0, caption + 2, 0, 0), plot, palette);
}

QRect insideOf(const QRect &row)
{
    return row.adjusted(spacing::medium, spacing::small, -spacing::medium, -spacing::small);
}

/// The parts of a finding's row: its text, and next to it the plot; null if there is no room.
struct Parts {
    QRect text;
    QRect plot;
};

Parts partsOf(const QRect &row)
{
    const QRect inside = insideOf(row);
    QRect text = inside.adjusted(textScaled(spacing::iconSize) + spacing::small, 0, 0, 0);
    if (inside.width() < textScaled(narrowestWithPlot))
        return {text, {}};
    const int plot = std::clamp(inside.width() / 4, textScaled(leastPlotWidth), textScaled(mostPlotWidth));
    text.setWidth(std::min(text.width() - plot - spacing::large, textScaled(mostTextWidth)));
    return {text, {text.right() + spacing::large, inside.top(), plot, inside.height()}};
}

int sentenceLines(const diagnosis::Finding &finding, const QStyleOptionViewItem &option, int width)
{
    const QFontMetrics metrics(option.font);
    const QRect needed = metrics.boundingRect(QRect(0, 0, width, 10'000), Qt::AlignLeft | Qt::TextWordWrap,
                                              QString::fromStdString(finding.sentence));
    const int count = (needed.height() + metrics.lineSpacing() - 1) / metrics.lineSpacing();
    return std::clamp(count, 1, mostSentenceLines);
}

}  // namespace

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (!index.data(FindingsModel::ExtentRole).isNull())
        return {narrowestWithPlot, groupLines * lineHeight(option) + 2 * spacing::small};
    const auto *shown = index.data(FindingsModel::FindingRole).value<const ShownFinding *>();
    const auto *view = qobject_cast<const QTreeView *>(option.widget);
    int sentence = 1;
    if (shown && view) {
        const int indented = view->indentation() * (index.parent().isValid() ? 2 : 1);
        sentence = sentenceLines(shown->finding, option,
                                 partsOf(view->viewport()->rect().adjusted(indented, 0, 0, 0)).text.width());
    }
    return {narrowestWithPlot, (lines - 1 + sentence) * lineHeight(option) + 2 * spacing::small};
}

void FindingDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *found = index.data(FindingsModel::FindingRole).value<const ShownFinding *>();
    if (!found)
        return;
    const ShownFinding &shown = *found;
    const diagnosis::Finding &finding = shown.finding;
    const QString place = index.data(FindingsModel::PlaceRole).toString();
    const QString extent = index.data(FindingsModel::ExtentRole).toString();
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

    const QRect inside = insideOf(option.rect);
    const int icon = textScaled(spacing::iconSize);
    severityIcon(finding.severity).paint(painter, inside.left(), inside.top() + 2, icon, icon);
    auto [lettering, picture] = partsOf(option.rect);
    if (!extent.isEmpty())
        lettering.setRight(inside.right());
    Lines written(painter, lettering, lineHeight(option));
    written.part(severityText(finding.severity), fonts.strong, text);
    written.part(ruleTitle(finding.rule), fonts.usual, text);
    if (!extent.isEmpty()) {
        written.part(extent, fonts.usual, text);
        written.next();
        written.add(tr("Latest: trial %1: %2").arg(finding.trial).arg(QString::fromStdString(finding.sentence)),
                    fonts.small, subtle);
        written.add(tr("Hint: %1").arg(QString::fromStdString(finding.hint)), fonts.small, subtle);
        paintItemFocus(painter, option);
        painter->restore();
        return;
    }
    written.part(place, fonts.usual, subtle);
    if (finding.simulated)
        written.part(tr("· simulated"), fonts.usual, subtle);
    if (shown.live)
        written.part(tr("· live"), fonts.usual, goodColor(option.palette));
    written.next();
    written.wrap(QString::fromStdString(finding.sentence), fonts.usual, text,
                 sentenceLines(finding, option, lettering.width()));
    written.add(windowText(finding) + u" · "_s + thresholdText(finding), fonts.small, subtle);
    written.add(tr("Hint: %1").arg(QString::fromStdString(finding.hint)), fonts.small, subtle);
    if (!picture.isNull())
        paintPicture(painter, picture, shown.plot, fonts, option.palette);
    paintItemFocus(painter, option);
    painter->restore();
}

}  // namespace sweepscope::ui
