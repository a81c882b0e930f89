#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/home/sweepstrip.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;

class SweepStripTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void remainingTimeIsShownOnceProgressIsKnown();
    void reopenedSweepCountsOnlyItsActiveTime();
    void warningsOfTheEngineAreShownWhileTheyLast();
    void unreportedObjectiveIsShown();
    void probeShowsItsSuggestionInsteadOfTheBestTrial();
    void factsWithoutRoomWrap();

private:
    QLabel *label(const QString &name) const { return m_strip->findChild<QLabel *>(name); }
    void show(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
    {
        m_strip->showSweep(sweep, ui::summarize(sweep, trials, 1, 100 * second), 100 * second);
    }

    std::unique_ptr<ui::SweepStrip> m_strip;
};

void SweepStripTest::init()
{
    m_strip = std::make_unique<ui::SweepStrip>();
    m_strip->show();
}

void SweepStripTest::remainingTimeIsShownOnceProgressIsKnown()
{
    auto trials = sampleTrials(1, 2);
    trials[0].state = sweep::TrialState::Running;
    trials[0].attempts = 1;
    trials[0].started = 40 * second;
    sweep::SweepRecord sweep = sampleSweep(1, 2);
    sweep.created = 40 * second;
    show(sweep, trials);
    QCOMPARE(label(u"stripTime"_s)->text(), u"1 min 00 s elapsed, time left unknown"_s);
    trials[0].progress = 0.5;
    show(sweep, trials);
    QCOMPARE(label(u"stripTime"_s)->text(), u"1 min 00 s elapsed, about 3 min left"_s);
    // Without an engine, nothing goes on.
    sweep.warnings = {facts::Code::NoEngine};
    show(sweep, trials);
    QCOMPARE(label(u"stripTime"_s)->text(), QString());
    QCOMPARE(label(u"stripNumber"_s)->text(), u"#1"_s);
}

void SweepStripTest::reopenedSweepCountsOnlyItsActiveTime()
{
    sweep::SweepRecord sweep = sampleSweep(1, 2);
    sweep.created = 10 * second;
    sweep.ended = 30 * second;
    sweep::reopen(sweep, 80 * second);
    show(sweep, sampleTrials(1, 2));
    QCOMPARE(label(u"stripTime"_s)->text(), u"40 s elapsed, time left unknown"_s);
    sweep.state = sweep::SweepState::Completed;
    sweep.ended = 90 * second;
    show(sweep, sampleTrials(1, 2));
    QCOMPARE(label(u"stripTime"_s)->text(), u"30 s elapsed"_s);
}

void SweepStripTest::warningsOfTheEngineAreShownWhileTheyLast()
{
    sweep::SweepRecord sweep = sampleSweep(1, 2);
    show(sweep, sampleTrials(1, 2));
    QVERIFY(!label(u"stripWarnings"_s)->isVisible());
    const int height = m_strip->sizeHint().height();
    sweep.warnings = {facts::Fact(facts::Code::DiskNearlyFull).with(facts::Field::Device, "/data"),
                      facts::Fact(facts::Code::DatabaseProblem).with(facts::Field::Detail, "disk I/O error")};
    show(sweep, sampleTrials(1, 2));
    QCOMPARE(m_strip->sizeHint().height(), height);  // nothing below the strip moves under the pointer
    QVERIFY(label(u"stripWarnings"_s)->isVisible());
    QCOMPARE(label(u"stripWarnings"_s)->text(), u"The disk of /data is nearly full · disk I/O error"_s);
    sweep.warnings.clear();
    show(sweep, sampleTrials(1, 2));
    QVERIFY(!label(u"stripWarnings"_s)->isVisible());
}

void SweepStripTest::unreportedObjectiveIsShown()
{
    auto trials = sampleTrials(1, 2);
    sweep::SweepRecord sweep = sampleSweep(1, 2);
    show(sweep, trials);
    QVERIFY(!label(u"stripWarnings"_s)->isVisible());
    trials[0].state = sweep::TrialState::Completed;
    show(sweep, trials);
    QVERIFY(label(u"stripWarnings"_s)->text().contains(QString::fromStdString(sweep.objective)));
    trials[1].objectiveLast = sweep::ObjectiveValue{1.0, 3};
    show(sweep, trials);
    QVERIFY(!label(u"stripWarnings"_s)->isVisible());
}

void SweepStripTest::probeShowsItsSuggestionInsteadOfTheBestTrial()
{
    auto trials = sampleTrials(1, 2);
    finish(trials[0], 0.9, 1 * second, 2 * second);
    const sweep::SweepRecord sweep = sampleSweep(1, 2);
    ui::SweepSummary summary = ui::summarize(sweep, trials, 1, 100 * second);
    summary.isProbe = true;
    auto *best = m_strip->findChild<QPushButton *>(u"stripBest"_s);
    m_strip->showSweep(sweep, summary, 100 * second);
    QVERIFY(!best->isVisible());
    m_strip->setSuggestion(ui::ProbeSuggestion{u"batch_size"_s, 1024});
    m_strip->showSweep(sweep, summary, 100 * second);
    QVERIFY(best->isVisible());
    QCOMPARE(best->text(), u"Suggested batch size 1024"_s);
    const QSignalSpy editor(m_strip.get(), &ui::SweepStrip::probeRequested);
    best->click();
    QCOMPARE(editor.count(), 1);
}

void SweepStripTest::factsWithoutRoomWrap()
{
    auto trials = sampleTrials(1, 2);
    trials[0].state = sweep::TrialState::Running;
    trials[0].attempts = 1;
    trials[0].started = 40 * second;
    sweep::SweepRecord sweep = sampleSweep(1, 2);
    sweep.created = 40 * second;
    show(sweep, trials);
    m_strip->resize(1200, m_strip->height());
    QTest::qWait(0);
    QVERIFY(label(u"stripTime"_s)->width() >= label(u"stripTime"_s)->sizeHint().width());
    QCOMPARE(label(u"stripTime"_s)->y(), label(u"stripCounts"_s)->y());
    QWidget window;
    m_strip->setParent(&window);
    m_strip->setMinimumSize(0, 0);  // it had one as a window
    m_strip->show();
    window.show();
    constexpr int narrow = 250;
    m_strip->resize(narrow, m_strip->heightForWidth(narrow));
    QTest::qWait(0);
    const QLabel *time = label(u"stripTime"_s);
    QTRY_VERIFY(time->y() > label(u"stripCounts"_s)->y());
    QVERIFY(time->width() >= time->sizeHint().width() || time->width() > narrow / 2);
    QVERIFY(time->geometry().right() < narrow);
    const auto *best = m_strip->findChild<QPushButton *>(u"stripBest"_s);
    QVERIFY(best->width() >= best->sizeHint().width());
    m_strip->setParent(nullptr);
}

SWEEPSCOPE_TEST(SweepStripTest)
#include "tst_sweepstrip.moc"
