#include "feedframes.h"
#include "testprogram.h"
#include "unit/live/attemptfixture.h"

#include "ui/plot/comparedfeeds.h"
#include "ui/plot/legendmodel.h"
#include "ui/theme/trialcolors.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

namespace {

constexpr WallNs hour = 3600 * second;

TrialSource sourceOf(AttemptFixture &attempt, int trial, WallNs started)
{
    attempt.flush();
    TrialSource source = attempt.source();
    source.trial = trial;
    source.started = started;
    source.ended = started + hour;
    source.objective = "val_loss";
    return source;
}

/// Of a request that may differ from the last one, which poll() knows.
PlotFrame answerOf(ComparedFeeds &feeds, const PlotRequest &request)
{
    feeds.frame(request);
    return frameOf(feeds, request);
}

}  // namespace

class ComparedFeedsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachTrialIsTheMeanOfItsRanksInItsColour()
    {
        AttemptFixture first(2);
        AttemptFixture second_(2);
        for (int step = 0; step < 10; ++step) {
            first.rank(0, "loss", step, t0 + step * second, 1);
            first.rank(1, "loss", step, t0 + step * second, 3);
            second_.rank(0, "loss", step, t0 + hour + step * second, 10);
            second_.rank(1, "loss", step, t0 + hour + step * second, 30);
        }
        std::vector<TrialSource> sources{sourceOf(first, 3, t0), sourceOf(second_, 7, t0 + hour)};
        sources[0].state = sweep::TrialState::Completed;
        sources[1].state = sweep::TrialState::Failed;
        ComparedFeeds feeds(sources);
        PlotRequest request;
        request.axis = series::XAxis::Step;
        const PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(frame.main.id, QStringLiteral("loss"));
        QVERIFY(frame.main.isOfTrials);
        QVERIFY(frame.strips.empty());
        QCOMPARE(frame.main.curves.size(), std::size_t(2));
        QCOMPARE(frame.main.curves[0].name, QStringLiteral("trial 3"));
        QCOMPARE(frame.main.curves[0].color, 2);
        QCOMPARE(frame.main.curves[1].color, 6);
        QCOMPARE(frame.main.curves[0].newest.value(), 2.0);
        QCOMPARE(frame.main.curves[1].newest.value(), 20.0);
        QCOMPARE(frame.from, 0.0);
        QVERIFY(frame.to >= 9);
        LegendModel legend;
        legend.setFrame(frame, {}, {});
        for (int row = 0; row < legend.rowCount(); ++row)
            QVERIFY(!legend.index(row).data(LegendModel::WorstRole).toBool());
        // One that failed is marked as such.
        QVERIFY(!legend.index(1).data(LegendModel::StateRole).isValid());
        QVERIFY(legend.index(2).data(LegendModel::StateRole).value<sweep::TrialState>() == sweep::TrialState::Failed);
        QCOMPARE(legend.index(2).data(Qt::AccessibleTextRole).toString(), QStringLiteral("trial 7 20, failed"));
    }

    void groupsAreDrawnAsTheirMedians()
    {
        AttemptFixture long_(1);
        AttemptFixture brief(1);
        AttemptFixture other(1);
        for (int step = 0; step < 10; ++step) {
            long_.rank(0, "loss", step, t0 + step * second, 1);
            other.rank(0, "loss", step, t0 + step * second, 7);
            if (step < 4)
                brief.rank(0, "loss", step, t0 + step * second, 3);
        }
        std::vector<TrialSource> sources{sourceOf(long_, 1, t0), sourceOf(brief, 2, t0), sourceOf(other, 3, t0)};
        sources[0].groups = sources[1].groups = {{0, QStringLiteral("lr 0.1"), 0xff102030}};
        sources[2].sweepName = QStringLiteral("baseline #2");
        sources[2].sweepId = 2;
        ComparedFeeds feeds(sources);
        PlotRequest request;
        request.axis = series::XAxis::Step;
        const PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(frame.main.curves.size(), std::size_t(2));
        QVERIFY(frame.main.hasGroups);
        const PlotCurve &median = frame.main.curves[0];
        QCOMPARE(median.name, QStringLiteral("lr 0.1"));
        QCOMPARE(median.trial, 0);
        QCOMPARE(median.columns[3].mean, 2.0);
        QCOMPARE(median.columns[3].count, std::uint64_t(2));
        QCOMPARE(median.columns[4].mean, 1.0);
        QCOMPARE(median.band[3].min, 1.5);
        QCOMPARE(median.band[3].max, 2.5);
        QCOMPARE(frame.main.curves[1].name, QStringLiteral("baseline #2 · trial 3"));
        QCOMPARE(frame.main.curves[1].sweep, qint64(2));
        LegendModel legend;
        legend.setFrame(frame, 3.0, {});
        const auto textOf = [&](int row) { return legend.index(row).data(Qt::AccessibleTextRole).toString(); };
        QCOMPARE(textOf(1), QStringLiteral("Median [quartiles] (trials)"));
        QCOMPARE(textOf(2), QStringLiteral("lr 0.1 2 [1.5, 2.5] (2)"));
        legend.setFrame(frame, 5.0, {});
        QCOMPARE(textOf(2), QStringLiteral("lr 0.1 1 (1)"));
    }

    void twoTrialsNeverHaveOneColour()
    {
        AttemptFixture first(2);
        AttemptFixture second_(2);
        for (int rank = 0; rank < 2; ++rank) {
            first.rank(rank, "loss", 1, t0 + second, 1);
            second_.rank(rank, "loss", 1, t0 + hour + second, 1);
        }
        ComparedFeeds feeds({sourceOf(first, 29, t0), sourceOf(second_, 2234, t0 + hour)});
        const PlotFrame frame = frameOf(feeds, {});
        QCOMPARE(frame.main.curves.size(), std::size_t(2));
        QVERIFY(rankColor(frame.main.curves[0].color) == trialColor(29));
        QVERIFY(rankColor(frame.main.curves[1].color) != rankColor(frame.main.curves[0].color));
    }

    void relativeTimeStartsAtZero()
    {
        AttemptFixture early(1);
        AttemptFixture late(1, t0 + hour);
        for (int step = 0; step < 20; ++step)
            early.rank(0, "loss", step, t0 + step * second, step);
        for (int step = 0; step < 40; ++step)
            late.rank(0, "loss", step, t0 + hour + step * second, step);
        ComparedFeeds feeds({sourceOf(early, 1, t0), sourceOf(late, 2, t0 + hour)});
        PlotRequest request;
        request.axis = series::XAxis::WallTime;
        request.smoothing = 0.5;
        const PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(frame.start, 0.0);
        QCOMPARE(frame.from, 0.0);
        QVERIFY(frame.to >= 39 && frame.to < 60);
        for (const PlotCurve &curve : frame.main.curves) {
            QVERIFY(curve.columns.front().x < 1);
            QVERIFY(!curve.raw.empty() && curve.raw.front().x < 1);
            QCOMPARE(curve.extent->to, frame.to);
        }
        QVERIFY(frame.main.curves[0].columns.back().x < 20);
        QVERIFY(frame.main.curves[1].columns.back().x > 38);

        // A part of it, as when zoomed.
        request.follow = false;
        request.from = 30;
        request.to = 35;
        const PlotFrame part = feeds.frame(request);
        QCOMPARE(part.from, 30.0);
        QVERIFY(!part.main.curves[1].columns.empty());
        const auto [low, high] = part.main.curves[1].extent->all;
        QVERIFY(low >= 28.9 && low <= 30 && high == 35);
    }

    void continuedTrialIsOneCurveWithAMarkInItsColour()
    {
        AttemptFixture paused(1);
        AttemptFixture other(1);
        for (int step = 0; step < 10; ++step) {
            paused.rank(0, "loss", step, t0 + step * second, 1);
            other.rank(0, "loss", step, t0 + step * second, 2);
        }
        paused.beginNextAttempt();
        for (int step = 10; step < 20; ++step)
            paused.rank(0, "loss", step, t0 + hour + step * second, 1);
        ComparedFeeds feeds({sourceOf(paused, 3, t0), sourceOf(other, 4, t0)});
        PlotRequest request;
        request.axis = series::XAxis::Step;
        PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(frame.main.curves.size(), std::size_t(2));
        QCOMPARE(frame.main.curves[0].columns.size(), std::size_t(20));
        QCOMPARE(frame.main.attemptEnds, (std::vector<AttemptEnd>{{9, 1, 2}}));
        request.axis = series::XAxis::WallTime;
        frame = feeds.frame(request);
        QCOMPARE(frame.main.attemptEnds, (std::vector<AttemptEnd>{{9, 1, 2}}));  // seconds since the start
    }

    void endedTrialsOfManyAreReadOnceAndClosed()
    {
        constexpr int count = static_cast<int>(ComparedFeeds::mostOpen) + 20;
        std::vector<std::unique_ptr<AttemptFixture>> attempts;
        std::vector<TrialSource> sources;
        for (int trial = 1; trial <= count; ++trial) {
            AttemptFixture &attempt = *attempts.emplace_back(std::make_unique<AttemptFixture>(1));
            for (int step = 0; step < 5; ++step)
                attempt.rank(0, "loss", step, t0 + step * second, trial + step);
            sources.push_back(sourceOf(attempt, trial, t0));
            sources.back().devicesFeeds.clear();
        }
        sources[2].tint = 0xff102030;
        ComparedFeeds feeds(sources);
        PlotRequest request;
        request.axis = series::XAxis::Step;
        PlotFrame frame = answerOf(feeds, request);
        QCOMPARE(frame.missingCurves, 0);
        QCOMPARE(frame.main.curves.size(), std::size_t(count));
        QCOMPARE(frame.main.curves[2].trial, 3);
        QCOMPARE(frame.main.curves[2].tint, std::optional<QRgb>(0xff102030));
        QCOMPARE(frame.main.curves[2].columns.back().last, 7.0);
        QVERIFY(feeds.watchedFiles().isEmpty());
        QVERIFY(!feeds.poll());

        // Without their files they stay as they were, at any zoom, also while they are hidden; another trial comes.
        for (std::size_t i = 0; i < 10; ++i)
            std::filesystem::remove_all(sources[i].folder);
        const TrialSource hidden = sources.front();
        sources.erase(sources.begin());
        AttemptFixture running(1);
        running.rank(0, "loss", 2, t0, 100);
        sources.push_back(sourceOf(running, 999, t0));
        sources.back().ended = 0;
        feeds.updateSources(sources);
        request.follow = false;
        request.from = 2;
        request.to = 4;
        frame = answerOf(feeds, request);
        QCOMPARE(frame.main.curves.size(), std::size_t(count));
        QCOMPARE(frame.main.curves[0].trial, 2);
        QCOMPARE(frame.main.curves[0].columns.size(), std::size_t(5));
        QCOMPARE(frame.main.curves[0].extent->all, std::pair(4.0, 6.0));
        QVERIFY(!feeds.watchedFiles().isEmpty());
        running.rank(0, "loss", 3, t0 + second, 50);
        running.flush();
        QVERIFY(feeds.poll());
        QCOMPARE(answerOf(feeds, request).main.curves.back().columns.back().last, 50.0);
        sources.insert(sources.begin(), hidden);
        feeds.updateSources(sources);
        frame = feeds.frame(request);
        QCOMPARE(frame.main.curves.size(), std::size_t(count + 1));
        QCOMPARE(frame.main.curves[0].columns.back().last, 5.0);
    }

    void selectionOfManyReadsNothingAgain()
    {
        constexpr int count = static_cast<int>(ComparedFeeds::mostOpen) + 20;
        constexpr int steps = 150;
        std::vector<std::unique_ptr<AttemptFixture>> attempts;
        std::vector<TrialSource> sources;
        for (int trial = 1; trial <= count; ++trial) {
            AttemptFixture &attempt = *attempts.emplace_back(std::make_unique<AttemptFixture>(1));
            for (int step = 0; step < steps && trial != 2; ++step)  // one has reported nothing
                attempt.rank(0, "loss", step, t0 + step * second, trial + step);
            sources.push_back(sourceOf(attempt, trial, t0));
            sources.back().devicesFeeds.clear();
        }
        ComparedFeeds feeds(sources);
        PlotRequest request;
        request.axis = series::XAxis::Step;
        request.columns = 100;  // fewer than points
        QCOMPARE(answerOf(feeds, request).missingCurves, 0);
        for (const TrialSource &source : sources)
            std::filesystem::remove_all(source.folder);
        feeds.updateSources({sources[1], sources[4], sources[7]});
        request.columns = 1200;
        PlotFrame frame = feeds.frame(request);
        QCOMPARE(frame.missingCurves, 0);
        QCOMPARE(frame.main.curves.size(), std::size_t(2));
        QCOMPARE(frame.main.curves[0].columns.size(), std::size_t(steps));
        feeds.updateSources(sources);
        frame = feeds.frame(request);
        QCOMPARE(frame.missingCurves, 0);
        QCOMPARE(frame.main.curves.size(), std::size_t(count - 1));
    }

    void longCurvesOfManyBecomeFinerWhenZoomed()
    {
        constexpr int count = static_cast<int>(ComparedFeeds::mostOpen) + 1;
        constexpr int steps = 5000;
        AttemptFixture attempt(1);
        for (int step = 0; step < steps; ++step)
            attempt.rank(0, "loss", step, t0 + step * (second / 1000), step % 7);
        std::vector<TrialSource> sources;
        for (int trial = 1; trial <= count; ++trial)
            sources.push_back(sourceOf(attempt, trial, t0));
        ComparedFeeds feeds(sources);
        PlotRequest request;
        request.axis = series::XAxis::Step;
        request.columns = 100;
        PlotFrame frame = answerOf(feeds, request);
        QCOMPARE(frame.main.curves.size(), std::size_t(count));
        QVERIFY(frame.main.curves[0].columns.size() <= 101);
        request.follow = false;
        request.from = 1000;
        request.to = 1050;
        frame = answerOf(feeds, request);
        for (const PlotCurve &curve : frame.main.curves) {
            const auto inside = std::ranges::count_if(
                curve.columns, [](const series::Column &column) { return column.x >= 1000 && column.x <= 1050; });
            QVERIFY(inside >= 50);
        }
    }

    void outputThatIsReadAfterTheEndIsShown()
    {
        constexpr int count = static_cast<int>(ComparedFeeds::mostOpen) + 1;
        AttemptFixture silent(1);
        AttemptFixture other(1);
        other.rank(0, "loss", 0, t0, 1);
        std::vector<TrialSource> sources{sourceOf(silent, 1, t0)};
        for (int trial = 2; trial <= count; ++trial)
            sources.push_back(sourceOf(other, trial, t0));
        ComparedFeeds feeds(sources);
        PlotRequest request;
        request.axis = series::XAxis::Step;
        QCOMPARE(answerOf(feeds, request).main.curves.size(), std::size_t(count - 1));
        silent.rank(0, "loss", 0, t0, 5);
        silent.flush();
        sources[0].hasReported = true;
        feeds.updateSources(sources);
        const PlotFrame frame = answerOf(feeds, request);
        QCOMPARE(frame.main.curves.size(), std::size_t(count));
        QCOMPARE(frame.main.curves[0].columns.back().last, 5.0);
    }

    void seriesOfOnlySomeTrialsAreListed()
    {
        AttemptFixture one(1);
        AttemptFixture two(1);
        one.rank(0, "loss", 0, t0, 1);
        one.rank(0, "extra", 0, t0, 5);
        two.rank(0, "loss", 0, t0, 2);
        two.rank(0, "val_loss", 0, t0, 3);
        ComparedFeeds feeds({sourceOf(one, 1, t0), sourceOf(two, 2, t0)});
        PlotRequest request;
        request.axis = series::XAxis::Step;
        request.series = QStringLiteral("extra");
        PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(frame.seriesNames,
                 QStringList({QStringLiteral("loss"), QStringLiteral("extra"), QStringLiteral("val_loss")}));
        QCOMPARE(frame.main.curves.size(), std::size_t(1));
        QCOMPARE(frame.main.curves[0].name, QStringLiteral("trial 1"));
        // By default it shows the objective.
        request.series.clear();
        frame = feeds.frame(request);
        QCOMPARE(frame.main.id, QStringLiteral("val_loss"));
        QCOMPARE(frame.main.curves.size(), std::size_t(1));
    }
};

SWEEPSCOPE_TEST(ComparedFeedsTest)
#include "tst_comparedfeeds.moc"
