#include "engine/budget.h"
#include "sweep/duration.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace std::chrono_literals;

namespace {

constexpr WallNs second = 1'000'000'000;
constexpr WallNs launched = 1000 * second;

}  // namespace

class TestBudget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeIsCountedFromTheLaunchWhateverRan()
    {
        const Budget budget({2h, std::nullopt}, launched, 0);
        QVERIFY(!budget.usedUp(launched + 7199 * second, 1'000'000 * second));
        QCOMPARE(budget.usedUp(launched + 7200 * second, 0).value_or(""),
                 std::string("the budget is used up: 2h since the launch"));
    }

    void timeOfDevicesIsThatOfEndedAndOfRunningAttempts()
    {
        Budget budget({std::nullopt, 1h}, launched, 1800 * second);
        QVERIFY(!budget.usedUp(launched + 999'999 * second, 1799 * second));
        QCOMPARE(budget.usedUp(launched, 1800 * second).value_or(""),
                 std::string("the budget is used up: 1h of devices"));
        budget.attemptEnded(1799 * second);
        QVERIFY(!budget.usedUp(launched, 0));
        budget.attemptEnded(second);
        QVERIFY(budget.usedUp(launched, 0));
    }

    void theLongestTimesHoldToo()
    {
        const Budget budget({sweep::longestDuration, std::chrono::seconds::max()}, launched, 0);
        QVERIFY(!budget.usedUp(launched + 999'999 * second, 999'999 * second));
    }

    void theFirstOfBothEndsIt()
    {
        const Budget budget({1h, 1h}, launched, 0);
        QVERIFY(budget.usedUp(launched, 3600 * second));
        QVERIFY(budget.usedUp(launched + 3600 * second, 0));
        QVERIFY(!budget.usedUp(launched + 3599 * second, 3599 * second));
    }
};

QTEST_APPLESS_MAIN(TestBudget)
#include "tst_budget.moc"
