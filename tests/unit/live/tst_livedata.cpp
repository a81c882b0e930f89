#include "testprogram.h"

#include "unit/live/attemptfixture.h"

#include "feed/feedwriter.h"
#include "feed/ring.h"
#include "ui/plot/livedata.h"

#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

const PlotFrame &shownBy(const QList<QVariant> &frameReady)
{
    return **static_cast<const std::shared_ptr<const PlotFrame> *>(frameReady.first().constData());
}

}  // namespace

/// The reading thread of a window: when it reads, when it sleeps, and whose frames it delivers.
class LiveDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRankIsReadFromItsRingBeforeItIsDrained()
    {
        AttemptFixture attempt(1);
        const TrialSource source = attempt.source();
        const auto ring = source.folder / "ring";
        auto drain = feed::RingDrain::create(ring, source.files().rankFeed(0), {0, 1, t0, "a"});
        QVERIFY2(drain, drain ? "" : drain.error().message.c_str());
        std::filesystem::create_symlink(ring, source.files().rankRing(0));
        auto writer = feed::FeedWriter::open(ring);
        QVERIFY(writer);

        LiveData data;
        QSignalSpy frames(&data, &LiveData::frameReady);
        data.setSource(source);
        data.setActive(true);
        QTRY_COMPARE(frames.size(), 1);

        const std::uint16_t loss = writer->declare("loss");
        writer->write(loss, 1, 0.5);
        QTRY_VERIFY(frames.size() > 1);
        const PlotFrame &frame = shownBy(frames.last());
        QCOMPARE(frame.main.id, QStringLiteral("loss"));
        QCOMPARE(frame.main.curves.at(0).newest.value(), 0.5);

        // Without new data there is no frame, however often the timer fires. A new value causes one.
        QSignalSpy silence(&data, &LiveData::nothingNew);
        QTRY_VERIFY(silence.size() >= 1);
        const qsizetype before = frames.size();
        QTRY_VERIFY(silence.size() >= 4);
        QCOMPARE(frames.size(), before);
        writer->write(loss, 2, 0.25);
        QVERIFY(drain->drain());
        QTRY_VERIFY(frames.size() > before);
        QCOMPARE(shownBy(frames.last()).main.curves.at(0).newest.value(), 0.25);
    }

    void anotherTrialsFramesAreDropped()
    {
        AttemptFixture first(1);
        first.rank(0, "loss", 0, t0, 1);
        first.flush();
        AttemptFixture next(1);
        next.rank(0, "reward", 0, t0, 2);
        next.flush();
        TrialSource nextSource = next.source();
        nextSource.trial = 2;

        LiveData data;
        QSignalSpy frames(&data, &LiveData::frameReady);
        data.setActive(true);
        data.setSource(first.source());
        data.setSource(nextSource);
        QTRY_VERIFY(!frames.isEmpty());
        for (const QList<QVariant> &frame : frames)
            QVERIFY(shownBy(frame).main.id != QLatin1String("loss"));
    }

    void idleFeedsAreNotPolled()
    {
        AttemptFixture attempt(2);
        attempt.rank(0, "loss", 0, t0, 1);
        attempt.flush();
        LiveData data;
        QSignalSpy frames(&data, &LiveData::frameReady);
        data.setSource(attempt.source());
        data.setActive(true);
        QTRY_VERIFY_WITH_TIMEOUT(data.isAsleep(), 60'000);
        for (int round = 1; round <= 2; ++round) {
            frames.clear();
            attempt.rank(0, "loss", round, t0 + round * second, 1 + round);
            attempt.flush();
            QTRY_VERIFY_WITH_TIMEOUT(!frames.isEmpty() && shownBy(frames.last()).main.curves[0].newest == 1 + round,
                                     60'000);
            QTRY_VERIFY_WITH_TIMEOUT(data.isAsleep(), 60'000);
        }
        // A changed request is answered immediately.
        frames.clear();
        PlotRequest request = data.request();
        request.view = 7;
        data.setRequest(request);
        QTRY_VERIFY_WITH_TIMEOUT(!frames.isEmpty() && shownBy(frames.last()).view == 7, 60'000);
        data.setActive(false);
        QVERIFY(!data.isAsleep());
    }
};

SWEEPSCOPE_TEST(LiveDataTest)
#include "tst_livedata.moc"
