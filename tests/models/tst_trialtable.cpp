#include "testprogram.h"

#include "models/trialrowsfixture.h"
#include "ui/trials/trialtable.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;

class TrialTableTest : public TrialRowsFixture {
    Q_OBJECT

private Q_SLOTS:
    void currentTrialStaysInPlaceWhileTheTableIsFiltered();
};

void TrialTableTest::currentTrialStaysInPlaceWhileTheTableIsFiltered()
{
    fill();
    m_trials = sampleTrials(1, 600);
    m_model->setSweep(sampleSweep(1, 600), m_trials);
    ui::TrialTable table(m_rows.get());
    table.resize(700, 400);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    table.setCurrentTrial(301);
    table.scrollTo(table.currentIndex(), QAbstractItemView::PositionAtCenter);
    const auto place = [&table] { return table.visualRect(table.currentIndex()).top(); };
    const int before = place();
    QVERIFY(before > 100);
    m_rows->setFilterText(u"lr > 0.05"_s);  // half of the rows
    QCOMPARE(table.currentTrial(), 301);
    QCOMPARE(place(), before);
    m_rows->setFilterText({});
    QCOMPARE(place(), before);
    // Near the end of a short table, it is seen at least.
    m_rows->setFilterText(u"trial in [1, 2, 301]"_s);
    QVERIFY(table.viewport()->rect().intersects(table.visualRect(table.currentIndex())));
}

SWEEPSCOPE_TEST(TrialTableTest)
#include "tst_trialtable.moc"
