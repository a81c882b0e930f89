#include "ui/exporting/pagelayout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPdfWriter>
#include <QTextLayout>
#include <QTextOption>

#include <algorithm>
#include <numeric>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double margin = 48 * pagePoint;
constexpr double footerRoom = 26 * pagePoint;
constexpr double textSize = 9;
constexpr double tableTextSize = 8.5;
constexpr double codeSize = 7.5;
constexpr double footerSize = 7.5;
constexpr double leading = 1.3;  ///< height of a line per size of its font
constexpr double columnGap = 14 * pagePoint;
constexpr double rowPadding = 2.2 * pagePoint;
constexpr double factGap = 0.8 * pagePoint;
constexpr double mostExtra = 10 * pagePoint;  ///< that widens a column in a table narrower than the page
constexpr qsizetype mostCellLines = 12;
const QColor ink(0x1d, 0x23, 0x29);
const QColor softInk(0x5c, 0x66, 0x70);
const QColor lineInk(0xd5, 0xda, 0xde);
const QColor headInk(0x8a, 0x94, 0x9c);

QFont pageFont(double points, bool bold = false)
{
    QFont font;
    font.setPixelSize(qRound(points * pagePoint));
    font.setBold(bold);
    return font;
}

QFont codeFont()
{
    QFont font(u"monospace"_s);
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(qRound(codeSize * pagePoint));
    return font;
}

double widthOf(const QString &text, const QFont &font)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

double lineHeight(const QFont &font)
{
    return font.pixelSize() * leading;
}

QStringList wrapped(const QString &text, const QFont &font, double width)
{
    QStringList lines;
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    for (QString paragraph : text.split(u'\n')) {
        paragraph.replace(u'\t', u"    "_s);
        QTextLayout layout(paragraph, font);
        layout.setTextOption(option);
        layout.beginLayout();
        qsizetype count = 0;
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine(), ++count) {
            line.setLineWidth(width);
            QString part = paragraph.mid(line.textStart(), line.textLength());
            while (part.endsWith(u' '))
                part.chop(1);
            lines << part;
        }
        layout.endLayout();
        if (count == 0)
            lines << QString();
    }
    return lines;
}

/// The lines of a cell.
QStringList cellLines(const QString &text, const QFont &font, double width)
{
    QStringList lines = wrapped(text, font, width);
    if (lines.size() > mostCellLines) {
        lines.resize(mostCellLines);
        lines.last() = QFontMetricsF(font).elidedText(lines.last() + u"……"_s, Qt::ElideRight, width);
    }
    return lines;
}

PageItem ruleAt(const QRectF &area, const QColor &color)
{
    return {area, {}, {}, color, [color](QPainter &painter, const QRectF &place) { painter.fillRect(place, color); }};
}

}  // namespace

PageLayout::PageLayout(QSizeF points)
    : m_body(margin, margin, points.width() * pagePoint - 2 * margin,
             points.height() * pagePoint - 2 * margin - footerRoom)
{
    startPage();
}

void PageLayout::startPage()
{
    m_pages.emplace_back();
    m_y = m_body.top();
}

void PageLayout::put(const QString &text, const QFont &font, const QColor &color, double x, double y)
{
    if (!text.isEmpty())
        m_pages.back().push_back({QRectF(x, y, widthOf(text, font), lineHeight(font)), text, font, color});
}

/// Starts a page unless there is room for the headings that wait, and as much below them. Places them.
void PageLayout::ensure(double height)
{
    const std::vector<Heading> headings = std::exchange(m_headings, {});
    double own = 0;
    for (const Heading &heading : headings) {
        const QFont font = pageFont(heading.size, true);
        own += heading.before
               + static_cast<double>(wrapped(heading.text, font, m_body.width()).size()) * lineHeight(font)
               + heading.after;
    }
    if (m_y > m_body.top() && m_y + own + height > m_body.bottom())
        startPage();
    for (const Heading &heading : headings)
        putHeading(heading);
}

void PageLayout::putHeading(const Heading &heading)
{
    const QFont font = pageFont(heading.size, true);
    const QStringList lines = wrapped(heading.text, font, m_body.width());
    if (m_y > m_body.top())
        m_y += heading.before;
    for (const QString &line : lines) {
        put(line, font, ink, m_body.left(), m_y);
        m_y += lineHeight(font);
    }
    const QFont soft = pageFont(textSize);
    const double x = m_body.left() + widthOf(lines.last(), font) + 6 * pagePoint;
    if (!heading.soft.isEmpty())
        put(QFontMetricsF(soft).elidedText(heading.soft, Qt::ElideRight, m_body.right() - x), soft, softInk, x,
            m_y - lineHeight(font) + QFontMetricsF(font).ascent() - QFontMetricsF(soft).ascent());
    m_y += heading.after;
}

void PageLayout::skip(double height)
{
    m_y = std::min(m_y + height, m_body.bottom());
}

void PageLayout::addTitle(const QString &text)
{
    m_headings.push_back({text, {}, 19, 0, 6 * pagePoint});
}

void PageLayout::addHeading(const QString &text)
{
    m_headings.push_back({text, {}, 12.5, 14 * pagePoint, 4 * pagePoint});
}

void PageLayout::addSubheading(const QString &text, const QString &soft)
{
    m_headings.push_back({text, soft, textSize, 5 * pagePoint, 1 * pagePoint});
}

void PageLayout::addText(const QString &text, Style style)
{
    const QFont font = style == Style::Code     ? codeFont()
                       : style == Style::Strong ? pageFont(textSize + 1.5, true)
                                                : pageFont(textSize);
    for (const QString &line : wrapped(text, font, m_body.width())) {
        ensure(lineHeight(font));
        put(line, font, style == Style::Soft ? softInk : ink, m_body.left(), m_y);
        m_y += lineHeight(font);
    }
    skip(3 * pagePoint);
}

void PageLayout::addFacts(const QList<QPair<QString, QString>> &facts)
{
    const QFont font = pageFont(textSize);
    double names = 0;
    for (const auto &fact : facts)
        names = std::max(names, widthOf(fact.first, font));
    names = std::min(names, m_body.width() / 3);
    const double x = m_body.left() + names + 12 * pagePoint;
    QList<QPair<QStringList, QStringList>> lines;
    double height = 0;
    for (const auto &fact : facts) {
        lines.append({wrapped(fact.first, font, names + 1), wrapped(fact.second, font, m_body.right() - x)});
        height +=
            static_cast<double>(std::max(lines.last().first.size(), lines.last().second.size())) * lineHeight(font)
            + factGap;
    }
    if (height < m_body.height() / 4)  // a short list stays whole
        ensure(height);
    for (const auto &[name, value] : lines) {
        for (qsizetype i = 0; i < std::max(name.size(), value.size()); ++i) {
            ensure(lineHeight(font));
            put(name.value(i), font, softInk, m_body.left(), m_y);
            put(value.value(i), font, ink, x, m_y);
            m_y += lineHeight(font);
        }
        skip(factGap);
    }
    skip(2 * pagePoint);
}

void PageLayout::addPicture(double height, std::function<void(QPainter &, const QRectF &)> paint)
{
    ensure(height);
    m_pages.back().push_back({QRectF(m_body.left(), m_y, m_body.width(), height), {}, {}, {}, std::move(paint)});
    m_y += height;
    skip(4 * pagePoint);
}

/// Removes columns from the table that do not fit, and returns the widths of the others.
std::vector<double> PageLayout::widthsOf(PageTable &table, QStringList &leftOut) const
{
    const double most = m_body.width() / 5;
    const QFont font = pageFont(tableTextSize);
    const QFont bold = pageFont(tableTextSize, true);
    std::vector<double> widths;
    for (qsizetype column = 0; column < table.columns.size(); ++column) {
        double width = widthOf(table.columns[column].title, bold);
        for (qsizetype row = 0; row < table.rows.size(); ++row)
            width = std::max(width, widthOf(table.rows[row].value(column), row == table.strongRow ? bold : font));
        widths.push_back(std::min(most, width + 1));
    }
    const auto total = [&widths] {
        return std::accumulate(widths.begin(), widths.end(), 0.0)
               + columnGap * (static_cast<double>(widths.size()) - 1);
    };
    for (qsizetype column = table.columns.size() - 1; column >= 0 && total() > m_body.width(); --column) {
        if (!table.columns[column].mayBeLeftOut)
            continue;
        leftOut << table.columns[column].title;
        table.columns.removeAt(column);
        for (QStringList &row : table.rows)
            row.removeAt(column);
        widths.erase(widths.begin() + column);
    }
    const double rest = std::max(0.0, m_body.width() - total());
    int shares = 0;
    for (const PageTable::Column &column : table.columns)
        shares += column.share;
    for (std::size_t i = 0; i < widths.size(); ++i)
        widths[i] += shares > 0 ? rest * table.columns[static_cast<qsizetype>(i)].share / shares
                                : std::min(mostExtra, rest / static_cast<double>(widths.size()));
    return widths;
}

double PageLayout::heightOf(const QList<QStringList> &cells) const
{
    qsizetype lines = 1;
    for (const QStringList &cell : cells)
        lines = std::max(lines, cell.size());
    return static_cast<double>(lines) * lineHeight(pageFont(tableTextSize)) + 2 * rowPadding;
}

void PageLayout::putRow(const PageTable &table, const std::vector<double> &widths, const QList<QStringList> &cells,
                        const QFont &font, const QColor &rule)
{
    double x = m_body.left();
    for (qsizetype column = 0; column < cells.size(); ++column) {
        const double width = widths[static_cast<std::size_t>(column)];
        double y = m_y + rowPadding;
        for (const QString &line : cells[column]) {
            put(line, font, ink, table.columns[column].isNumber ? x + width - widthOf(line, font) : x, y);
            y += lineHeight(font);
        }
        x += width + columnGap;
    }
    m_y += heightOf(cells);
    m_pages.back().push_back(
        ruleAt(QRectF(m_body.left(), m_y - 0.5 * pagePoint, x - columnGap - m_body.left(), 0.5 * pagePoint), rule));
}

QStringList PageLayout::addTable(PageTable table)
{
    QStringList leftOut;
    const std::vector<double> widths = widthsOf(table, leftOut);
    const QFont bold = pageFont(tableTextSize, true);
    const auto cellsOf = [&widths](const QStringList &texts, const QFont &font) {
        QList<QStringList> cells;
        for (qsizetype column = 0; column < texts.size(); ++column)
            cells << cellLines(texts[column], font, widths[static_cast<std::size_t>(column)]);
        return cells;
    };
    QStringList titles;
    for (const PageTable::Column &column : table.columns)
        titles << column.title;
    const QList<QStringList> head = cellsOf(titles, bold);
    std::size_t page = 0;  // none yet
    for (qsizetype row = 0; row < table.rows.size(); ++row) {
        const QFont font = row == table.strongRow ? bold : pageFont(tableTextSize);
        const QList<QStringList> cells = cellsOf(table.rows[row], font);
        ensure(heightOf(cells) + (page == 0 ? heightOf(head) : 0));
        if (std::exchange(page, m_pages.size()) != m_pages.size())
            putRow(table, widths, head, bold, headInk);
        putRow(table, widths, cells, font, lineInk);
    }
    skip(4 * pagePoint);
    return leftOut;
}

void PageLayout::write(QPdfWriter &writer, const QString &footer) const
{
    writer.setResolution(72 * static_cast<int>(pagePoint));
    QPainter painter(&writer);
    const QFont small = pageFont(footerSize);
    const double baseline = m_body.bottom() + footerRoom;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (i > 0)
            writer.newPage();
        for (const PageItem &item : m_pages[i]) {
            if (item.picture) {
                painter.save();
                item.picture(painter, item.area);
                painter.restore();
                continue;
            }
            painter.setFont(item.font);
            painter.setPen(item.color);
            painter.drawText(QPointF(item.area.left(), item.area.top() + QFontMetricsF(item.font).ascent()), item.text);
        }
        const QString number =
            QCoreApplication::translate("sweepscope::ui::PdfReport", "Page %1 of %2").arg(i + 1).arg(m_pages.size());
        painter.setFont(small);
        painter.setPen(softInk);
        painter.drawText(QPointF(m_body.right() - widthOf(number, small), baseline), number);
        painter.drawText(QPointF(m_body.left(), baseline),
                         QFontMetricsF(small).elidedText(footer, Qt::ElideRight, m_body.width() * 0.8));
    }
}

}  // namespace sweepscope::ui
