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
        QVERIFY(!budget.spent(launched + 7199 * second, 1'000'000 * second));
        QVERIFY(budget.spent(launched + 7200 * second, 0)
                == facts::Fact(facts::Code::TimeBudgetSpent).with(facts::Field::Seconds, 7200.0));
    }

    void timeOfDevicesIsThatOfEndedAndOfRunningAttempts()
    {
        Budget budget({std::nullopt, 1h}, launched, 1800 * second);
        QVERIFY(!budget.spent(launched + 999'999 * second, 1799 * second));
        QVERIFY(budget.spent(launched, 1800 * second)
                == facts::Fact(facts::Code::DeviceBudgetSpent).with(facts::Field::Seconds, 3600.0));
        budget.attemptEnded(1799 * second);
        QVERIFY(!budget.spent(launched, 0));
        budget.attemptEnded(second);
        QVERIFY(budget.spent(launched, 0));
    }

    void theLongestTimesHoldToo()
    {
        const Budget budget({sweep::longestDuration, std::chrono::seconds::max()}, launched, 0);
        QVERIFY(!budget.spent(launched + 999'999 * second, 999'999 * second));
    }

    void theFirstOfBothEndsIt()
    {
        const Budget budget({1h, 1h}, launched, 0);
        QVERIFY(budget.spent(launched, 3600 * second));
        QVERIFY(budget.spent(launched + 3600 * second, 0));
        QVERIFY(!budget.spent(launched + 3599 * second, 3599 * second));
    }
};

QTEST_APPLESS_MAIN(TestBudget)
#include "tst_budget.moc"
