#include "testprogram.h"

#include "ui/models/rowchanges.h"

#include <QTest>

using namespace sweepscope::ui;

class RowChangesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emptyListsDoNotDiffer();
    void rowsAppearInAnEmptyList();
    void neighboursAreOneRange();
    void remainingRowsAreReordered();
    void negativeIdsAreValid();
};

void RowChangesTest::emptyListsDoNotDiffer()
{
    const RowChanges changes = rowChanges({}, {});
    QVERIFY(changes.removed.empty() && changes.kept.empty() && changes.inserted.empty());
}

void RowChangesTest::rowsAppearInAnEmptyList()
{
    const RowChanges changes = rowChanges({}, {4, 2, 7});
    QVERIFY(changes.removed.empty() && changes.kept.empty());
    QCOMPARE(changes.inserted, (std::vector<RowRange>{{0, 2}}));
}

void RowChangesTest::neighboursAreOneRange()
{
    const RowChanges changes = rowChanges({0, 1, 2, 3, 4, 5}, {2, 5, 6, 7});
    QCOMPARE(changes.removed, (std::vector<RowRange>{{0, 1}, {3, 4}}));
    QCOMPARE(changes.kept, (std::vector<int>{2, 5}));
    QCOMPARE(changes.inserted, (std::vector<RowRange>{{2, 3}}));
}

void RowChangesTest::remainingRowsAreReordered()
{
    const RowChanges changes = rowChanges({0, 1, 2}, {2, 3, 0});
    QCOMPARE(changes.removed, (std::vector<RowRange>{{1, 1}}));
    QCOMPARE(changes.kept, (std::vector<int>{2, 0}));
    QCOMPARE(changes.inserted, (std::vector<RowRange>{{1, 1}}));
}

void RowChangesTest::negativeIdsAreValid()
{
    const RowChanges changes = rowChanges({-1, 0, -2, 1}, {-2, 1});
    QCOMPARE(changes.removed, (std::vector<RowRange>{{0, 1}}));
    QCOMPARE(changes.kept, (std::vector<int>{-2, 1}));
    QVERIFY(changes.inserted.empty());
}

SWEEPSCOPE_TEST(RowChangesTest)
#include "tst_rowchanges.moc"
