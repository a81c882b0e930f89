#pragma once

#include <QColor>
#include <QFont>
#include <QList>
#include <QPair>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

QT_BEGIN_NAMESPACE
class QPainter;
class QPdfWriter;
QT_END_NAMESPACE

namespace sweepscope::ui {

/// A point in the unit of all lengths on a page, which is small so that glyphs are placed precisely.
inline constexpr double pagePoint = 10;

/// A line of text, or a picture, at its place on a page.
struct PageItem {
    QRectF area;
    QString text{};
    QFont font{};
    QColor color{};
    std::function<void(QPainter &, const QRectF &)> picture{};  ///< instead of text
};

struct PageTable {
    struct Column {
        QString title;
        bool isNumber = false;
        int share = 0;  ///< of the width that the other columns leave; 0: as wide as its cells
        bool mayBeLeftOut = false;
    };
    QList<Column> columns;
    QList<QStringList> rows{};
    qsizetype strongRow = -1;
};

/// Arranges headings, texts, tables and pictures on pages. No line, row or picture is divided by the end of a page, a
/// heading stays with what follows it, and the title row of a table is repeated. Lengths are in tenths of a point.
class PageLayout {
public:
    enum class Style { Normal, Soft, Strong, Code };

    explicit PageLayout(QSizeF points);

    void addTitle(const QString &text);
    void addHeading(const QString &text);
    void addSubheading(const QString &text, const QString &soft);  ///< `soft` follows in grey
    void addText(const QString &text, Style style = Style::Normal);
    void addFacts(const QList<QPair<QString, QString>> &facts);
    void addPicture(double height, std::function<void(QPainter &, const QRectF &)> paint);
    /// Returns the titles of columns that were left out for lack of room, the last ones first.
    QStringList addTable(PageTable table);

    const std::vector<std::vector<PageItem>> &pages() const { return m_pages; }
    const QRectF &body() const { return m_body; }  ///< of each page
    /// The writer has the size of the page and no margins.
    void write(QPdfWriter &writer, const QString &footer) const;

private:
    struct Heading {
        QString text{};
        QString soft{};
        double size = 0;  ///< of its font
        double before = 0;
        double after = 0;
    };

    void putHeading(const Heading &heading);
    void ensure(double height);
    void startPage();
    void skip(double height);
    void put(const QString &text, const QFont &font, const QColor &color, double x, double y);
    std::vector<double> widthsOf(PageTable &table, QStringList &leftOut) const;
    double heightOf(const QList<QStringList> &cells) const;
    void putRow(const PageTable &table, const std::vector<double> &widths, const QList<QStringList> &cells,
                const QFont &font, const QColor &rule);

    QRectF m_body;
    std::vector<std::vector<PageItem>> m_pages;
    double m_y = 0;
    std::vector<Heading> m_headings;  ///< to be placed with what follows
};

}  // namespace sweepscope::ui
