#include "testprogram.h"

#include "ui/home/wholerowlist.h"

#include <QScrollBar>
#include <QStringListModel>
#include <QTest>

using namespace sweepscope;

class WholeRowListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lastRowIsNotCut();
    void rowThatDoesNotFitIsShown();
    void listsShareTheRoom();
};

void WholeRowListTest::lastRowIsNotCut()
{
    QStringListModel model(QStringList(40, QStringLiteral("digits-mlp")));
    ui::WholeRowList list;
    list.setFrameShape(QFrame::NoFrame);
    list.setUniformItemSizes(true);
    list.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list.setModel(&model);
    list.resize(200, 300);
    list.show();
    const int row = list.sizeHintForRow(0);
    QVERIFY(row > 0);
    for (const int height : {5 * row, 5 * row + 1, 6 * row - 1}) {
        list.resize(200, height);
        QTRY_COMPARE(list.viewport()->height(), 5 * row);
    }
    list.verticalScrollBar()->setValue(list.verticalScrollBar()->maximum());
    QCOMPARE(list.visualRect(model.index(39)).bottom() + 1, 5 * row);
    QCOMPARE(list.visualRect(model.index(35)).top(), 0);
}

void WholeRowListTest::rowThatDoesNotFitIsShown()
{
    QStringListModel model(QStringList(2, QStringLiteral("digits-mlp")));
    ui::WholeRowList list;
    list.setFrameShape(QFrame::NoFrame);
    list.setModel(&model);
    list.resize(200, 300);
    list.show();
    list.resize(200, list.sizeHintForRow(0) - 2);
    QTRY_COMPARE(list.viewport()->height(), list.sizeHintForRow(0) - 2);
}

void WholeRowListTest::listsShareTheRoom()
{
    QCOMPARE(ui::rowsOfLowerList(10, 4, 2), 2);
    QCOMPARE(ui::rowsOfLowerList(10, 30, 1), 1);
    QCOMPARE(ui::rowsOfLowerList(10, 30, 30), 5);
    QCOMPARE(ui::rowsOfLowerList(10, 2, 30), 8);
    QCOMPARE(ui::rowsOfLowerList(9, 6, 4), 3);
    QCOMPARE(ui::rowsOfLowerList(2, 6, 4), 1);
    QCOMPARE(ui::rowsOfLowerList(0, 6, 4), 1);
}

SWEEPSCOPE_TEST(WholeRowListTest)
#include "tst_wholerowlist.moc"
