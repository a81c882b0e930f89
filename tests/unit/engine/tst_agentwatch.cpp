#include "testprogram.h"
#include "unit/engine/samplevalues.h"

#include "engine/agentwatch.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::engine;

class TestAgentWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void silenceIsTheTimeWithoutChanges()
    {
        AgentWatch watch(0);
        for (int i = 0; i <= 10; ++i)
            watch.update(7, false, i * second);
        QCOMPARE(watch.silence(), 10 * second);
        watch.update(8, false, 11 * second);
        QCOMPARE(watch.silence(), WallNs{0});
        QCOMPARE(watch.ranFor(), 11 * second);
    }

    void unknownActivityIsNotSilence()
    {
        AgentWatch watch(0);
        for (int i = 0; i <= 10; ++i)
            watch.update(std::nullopt, false, i * second);
        QCOMPARE(watch.silence(), WallNs{0});
    }

    void pauseCountsNeitherAsSilenceNorAsRunningTime()
    {
        AgentWatch watch(5 * second);
        watch.update(7, false, second);
        for (int i = 2; i <= 100; ++i)
            watch.update(7, true, i * second);
        QCOMPARE(watch.silence(), WallNs{0});
        QCOMPARE(watch.ranFor(), 5 * second);
    }

    void suspendAndClockChangesAreNotSilence()
    {
        AgentWatch watch(0);
        watch.update(7, false, second);
        watch.update(7, false, 10'000 * second);
        QVERIFY(watch.silence() <= 2 * second);
        watch.update(7, false, second);
        QVERIFY(watch.silence() <= 2 * second);
        QVERIFY(watch.isDue(2 * second));
    }

    void checksOnceASecond()
    {
        AgentWatch watch(0);
        QVERIFY(watch.isDue(second));
        watch.update(7, false, second);
        QVERIFY(!watch.isDue(second + second / 10));
        QVERIFY2(watch.isDue(second / 2), "the clock was set back");
    }
};

SWEEPSCOPE_TEST(TestAgentWatch)
#include "tst_agentwatch.moc"
