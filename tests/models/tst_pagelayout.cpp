#include "testprogram.h"

#include "ui/exporting/pagelayout.h"
#include "ui/exporting/reportchart.h"

#include <QPageSize>
#include <QPainter>
#include <QTest>

#include <limits>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::PageLayout;

class PageLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsCutOrOverlaps_data();
    void nothingIsCutOrOverlaps();
    void titlesOfATableAreRepeated();
    void headingStaysWithItsText();
    void columnsWithoutRoomAreLeftOut();
    void longCellsEndWithDots();
    void chartsOfDivergingCurvesAreLogarithmic();

private:
    static QSizeF a4() { return QPageSize(QPageSize::A4).size(QPageSize::Point); }
    static QStringList textsOf(const std::vector<ui::PageItem> &page)
    {
        QStringList texts;
        for (const ui::PageItem &item : page)
            if (!item.picture)
                texts << item.text;
        return texts;
    }
    static ui::PageTable tableOf(int rows, const QString &cell)
    {
        ui::PageTable table{{{u"Trial"_s, true}, {u"Cause"_s, false, 1}}};
        for (int row = 0; row < rows; ++row)
            table.rows << QStringList{QString::number(row), cell};
        return table;
    }
};

void PageLayoutTest::nothingIsCutOrOverlaps_data()
{
    QTest::addColumn<QSizeF>("points");
    QTest::newRow("A4") << a4();
    QTest::newRow("Letter") << QPageSize(QPageSize::Letter).size(QPageSize::Point);
}

void PageLayoutTest::nothingIsCutOrOverlaps()
{
    QFETCH(QSizeF, points);
    const QString sentence = u"Rank 0 exited with code 1: RuntimeError: /data/"_s + QString(150, u'x') + u" is full "_s;
    PageLayout layout(points);
    layout.addTitle(sentence.repeated(3));
    layout.addFacts({{u"Objective"_s, u"loss"_s}, {sentence.repeated(2), sentence.repeated(9)}});
    layout.addHeading(u"Failures"_s);
    layout.addTable(tableOf(120, sentence.repeated(3)));
    layout.addSubheading(sentence, sentence);
    layout.addText(sentence.repeated(100));
    layout.addPicture(200 * ui::pagePoint, [](QPainter &, const QRectF &) {});
    layout.addText(u"[sweep]\n\tname = 'a'\n"_s + sentence.repeated(4), PageLayout::Style::Code);
    QVERIFY(layout.pages().size() > 5);
    for (const auto &page : layout.pages()) {
        for (std::size_t i = 0; i < page.size(); ++i) {
            const QRectF area = page[i].area;
            QVERIFY2(layout.body().adjusted(-1, -1, 1, 1).contains(area), qPrintable(page[i].text));
            for (std::size_t other = i + 1; other < page.size(); ++other)
                QVERIFY2(!page[other].area.adjusted(1, 1, -1, -1).intersects(area.adjusted(1, 1, -1, -1)),
                         qPrintable(page[i].text + u" / "_s + page[other].text));
        }
    }
}

void PageLayoutTest::titlesOfATableAreRepeated()
{
    PageLayout layout(a4());
    layout.addTable(tableOf(150, u"out of memory"_s));
    QVERIFY(layout.pages().size() > 1);
    for (const auto &page : layout.pages())
        QCOMPARE(textsOf(page).mid(0, 2), QStringList({u"Trial"_s, u"Cause"_s}));
}

void PageLayoutTest::headingStaysWithItsText()
{
    for (int lines = 40; lines < 70; ++lines) {
        PageLayout layout(a4());
        layout.addText(u"line\n"_s.repeated(lines).trimmed());
        layout.addHeading(u"Findings"_s);
        layout.addSubheading(u"Straggler"_s, u"warning"_s);
        layout.addText(u"Rank 3 is slow."_s);
        const QStringList last = textsOf(layout.pages().back());
        QVERIFY(last.contains(u"Findings"_s) && last.contains(u"Straggler"_s) && last.contains(u"Rank 3 is slow."_s));
    }
}

void PageLayoutTest::columnsWithoutRoomAreLeftOut()
{
    PageLayout layout(a4());
    ui::PageTable table{{{u"Trial"_s}}};
    QStringList row{u"1"_s};
    for (int i = 0; i < 20; ++i) {
        table.columns.append({u"parameter %1"_s.arg(i), true, 0, true});
        row << u"0.00123"_s;
    }
    table.columns.append({u"Duration"_s});
    table.rows << (row << u"3 min 07 s"_s);
    const QStringList leftOut = layout.addTable(table);
    QCOMPARE(leftOut.value(0), u"parameter 19"_s);
    const QStringList texts = textsOf(layout.pages().front());
    QVERIFY(texts.contains(u"parameter 0"_s) && texts.contains(u"Duration"_s) && texts.contains(u"3 min 07 s"_s));
    QVERIFY(!texts.contains(leftOut.constLast()));
}

void PageLayoutTest::longCellsEndWithDots()
{
    PageLayout layout(a4());
    layout.addTable(tableOf(1, u"word "_s.repeated(5000)));
    QCOMPARE(layout.pages().size(), std::size_t{1});
    QVERIFY(textsOf(layout.pages().front()).constLast().endsWith(u'…'));
}

void PageLayoutTest::chartsOfDivergingCurvesAreLogarithmic()
{
    QVERIFY(!ui::isLogarithmic({}));
    QVERIFY(!ui::isLogarithmic({0.1, 0.2, 0.3}));
    QVERIFY(!ui::isLogarithmic({-1, 0.2, 0.3, 1e6}));
    QVERIFY(ui::isLogarithmic({0.1, 0.2, 0.3, 0.4, 1e6}));
    QVERIFY(
        !ui::hasFinitePoint({{ui::ReportCurve::Kind::Other, {{0, 1, 0, std::numeric_limits<double>::quiet_NaN()}}}}));
}

SWEEPSCOPE_TEST(PageLayoutTest)
#include "tst_pagelayout.moc"
