#include "testprogram.h"

#include "ui/plot/livedata.h"
#include "ui/plot/overviewfeeds.h"
#include "ui/plot/trialsource.h"
#include "unit/live/attemptfixture.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

TrialSource sourceOf(const AttemptFixture &fixture, int number)
{
    TrialSource source = fixture.source();
    source.trial = number;
    return source;
}

PlotFrame readAll(OverviewFeeds &feeds)
{
    while (feeds.poll()) {
    }
    PlotRequest request;
    request.columns = 96;
    return feeds.frame(request);
}

}  // namespace

/// The content of the tiles of running trials, read from their feeds.
class OverviewFeedsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paceBeforeAPauseDoesNotCount()
    {
        AttemptFixture attempt(1);
        for (int step = 0; step < 400; ++step)
            attempt.rank(0, "loss", step, t0 + step * second / 50, 1);  // covers 8 s
        for (int step = 0; step < 30; ++step)
            attempt.rank(0, "loss", 400 + step, t0 + (28 + step / 10) * second + step % 10 * second / 10, 1);
        AttemptFixture slow(1);
        for (int step = 0; step < 4; ++step)
            slow.rank(0, "loss", step, t0 + step * 40 * second, 1);
        attempt.flush();
        slow.flush();
        OverviewFeeds feeds({sourceOf(attempt, 1), sourceOf(slow, 2)});
        const PlotFrame frame = readAll(feeds);
        QVERIFY(std::abs(*frame.main.curves[0].pace->stepsPerSecond - 10) < 0.5);
        QVERIFY(std::abs(*frame.main.curves[1].pace->stepsPerSecond - 1.0 / 40) < 0.001);
    }

    void eachTrialHasACurveOverItsOwnTimeAndASpeed()
    {
        AttemptFixture slow(2);
        AttemptFixture fast(1, t0 + 3600 * second);
        for (int step = 0; step < 200; ++step) {
            for (int rank = 0; rank < 2; ++rank)
                slow.rank(rank, "loss", step, t0 + step * second / 2, 2.0 + rank);
            fast.rank(0, "loss", step, t0 + (3600 * second) + step * second / 50, 5);
        }
        slow.flush();
        fast.flush();
        OverviewFeeds feeds({sourceOf(slow, 3), sourceOf(fast, 7)});
        const PlotFrame frame = readAll(feeds);
        QCOMPARE(frame.main.curves.size(), std::size_t{2});
        QCOMPARE(frame.main.curves[0].name, OverviewFeeds::curveName(1, 3));
        QCOMPARE(frame.main.curves[0].color, 2);
        QCOMPARE(frame.main.curves[0].columns.back().mean, 2.5);  // the mean of its ranks
        QCOMPARE(frame.main.curves[0].pace->step, 199);
        QVERIFY(std::abs(*frame.main.curves[0].pace->stepsPerSecond - 2) < 0.2);
        QVERIFY(std::abs(*frame.main.curves[1].pace->stepsPerSecond - 50) < 5);
        // It started an hour later, yet has as many columns as the other.
        QVERIFY(frame.main.curves[1].columns.size() > 50);
    }

    void remainingTrialIsNotReadAgain()
    {
        AttemptFixture first(1);
        AttemptFixture next(1);
        for (int step = 0; step < 20; ++step) {
            first.rank(0, "loss", step, t0 + step * second, 1);
            next.rank(0, "loss", step, t0 + step * second, 2);
        }
        first.flush();
        next.flush();
        OverviewFeeds feeds({sourceOf(first, 1)});
        (void)readAll(feeds);
        feeds.updateSources({sourceOf(first, 1), sourceOf(next, 2)});
        // Without reading the files again: the data of the first trial is kept.
        PlotFrame frame = feeds.frame({});
        QCOMPARE(frame.main.curves.size(), std::size_t{1});
        QCOMPARE(frame.main.curves.front().name, OverviewFeeds::curveName(1, 1));
        frame = readAll(feeds);
        QCOMPARE(frame.main.curves.size(), std::size_t{2});
        feeds.updateSources({sourceOf(next, 2)});
        frame = feeds.frame({});
        QCOMPARE(frame.main.curves.size(), std::size_t{1});
        QCOMPARE(frame.main.curves.front().name, OverviewFeeds::curveName(1, 2));
    }

    void overviewContinuesWhenItsTrialsChange()
    {
        AttemptFixture first(1);
        AttemptFixture next(1);
        first.rank(0, "loss", 1, t0, 1);
        next.rank(0, "loss", 1, t0, 2);
        first.flush();
        next.flush();
        LiveData data;
        data.setOverview();
        data.setActive(true);
        QSignalSpy frames(&data, &LiveData::frameReady);
        const auto newest = [&frames] {
            return frames.isEmpty()
                       ? std::shared_ptr<const PlotFrame>()
                       : *static_cast<const std::shared_ptr<const PlotFrame> *>(frames.last().first().constData());
        };
        data.setSources({sourceOf(first, 1)});
        QTRY_VERIFY(newest() && newest()->main.curves.size() == 1);
        data.setSources({sourceOf(first, 1), sourceOf(next, 2)});
        QTRY_COMPARE(newest()->main.curves.size(), std::size_t{2});
        data.clearSource();
        data.setSources({sourceOf(next, 2)});
        QTRY_COMPARE(newest()->main.curves.front().name, OverviewFeeds::curveName(1, 2));
    }
};

SWEEPSCOPE_TEST(OverviewFeedsTest)
#include "tst_overviewfeeds.moc"
