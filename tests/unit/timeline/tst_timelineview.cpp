#include "testprogram.h"

#include "ui/theme/stateappearance.h"
#include "ui/theme/trialcolors.h"
#include "ui/timeline/timelinelegend.h"
#include "ui/timeline/timelinepage.h"
#include "ui/timeline/timelinepainter.h"
#include "ui/timeline/timelineview.h"
#include "unit/timeline/sampletimeline.h"

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStringList>
#include <QTest>
#include <QWheelEvent>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

/// Ten trials of ten seconds each, one after another, all of them on the same core.
std::vector<sweep::TrialRecord> tenTrials()
{
    std::vector<sweep::TrialRecord> trials;
    for (int n = 1; n <= 10; ++n)
        trials.push_back(trial(n, {"cpu:0"}, 10 * (n - 1), 10 * n - 2));
    return trials;
}

void turnWheel(TimelineView &view, const QPoint &position, int eighths, Qt::KeyboardModifiers modifiers = {})
{
    QWidget *viewport = view.viewport();
    QWheelEvent event(position, viewport->mapToGlobal(position), {}, {0, eighths}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(viewport, &event);
}

}  // namespace

class TimelineViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void barsAreDrawnAtTheirTimes()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        const QImage picture = view.viewport()->grab().toImage();
        const QRect third = view.rectOf(3, 1);
        QVERIFY(!third.isEmpty());
        const auto at = [&picture](const QPoint &point) {
            return picture.pixelColor(point * picture.devicePixelRatio());
        };
        QCOMPARE(at({third.right() - 6, third.bottom() - 6}), trialColor(3));
        QVERIFY2(at({third.right() + 6, third.bottom() - 6}) != trialColor(3), "idle");
        const int steps = view.rectOf(6, 1).left() - 2 * view.rectOf(4, 1).left() + view.rectOf(2, 1).left();
        QVERIFY2(std::abs(steps) <= 2, qPrintable(QString::number(steps)));
    }

    void barShowsItsNumberIfItFits()
    {
        ui::TimelineBar bar;
        bar.trial = 12;
        bar.attempt = 2;
        bar.state = sweep::TrialState::Completed;
        const QFontMetrics metrics(qApp->font());
        const int number = metrics.horizontalAdvance(u"12"_s);
        QCOMPARE(ui::barLabel(bar, 400, metrics).text, u"12 · attempt 2"_s);
        QVERIFY(ui::barLabel(bar, number + 20, metrics).hasIcon);
        QCOMPARE(ui::barLabel(bar, number + 20, metrics).text, u"12"_s);
        QVERIFY2(!ui::barLabel(bar, number + 4, metrics).hasIcon, "rather than nothing");
        QCOMPARE(ui::barLabel(bar, number + 4, metrics).text, u"12"_s);
        QCOMPARE(ui::barLabel(bar, number + 3, metrics).text, QString());
        bar.state = sweep::TrialState::Failed;
        QVERIFY(ui::barLabel(bar, 18, metrics).hasIcon && ui::barLabel(bar, 18, metrics).text.isEmpty());
    }

    void legendNamesTheMarksThatAreVisible()
    {
        auto trials = std::vector{trial(1, {"cpu:0"}, 0, 50), trial(2, {"cpu:1"}, 60, 60), trial(3, {"cpu:1"}, 70, 70)};
        trials[1].state = sweep::TrialState::Failed;
        const ui::Timeline timeline = timelineOf(trials, 100);
        const auto textsFrom = [&timeline](int from, int to) {
            const TimelineScale scale{start + from * second, start + to * second, QRect(100, 26, 1000, 200), 0, 26};
            QStringList texts;
            for (const ui::TimelineLegendEntry &entry : ui::timelineLegend(timeline, scale))
                texts << entry.text;
            return texts;
        };
        QCOMPARE(textsFrom(0, 100),
                 QStringList({u"Each color is a trial"_s, ui::stateText(sweep::TrialState::Completed),
                              ui::stateText(sweep::TrialState::Failed)}));
        QCOMPARE(textsFrom(55, 65), QStringList(ui::stateText(sweep::TrialState::Failed)));
        QCOMPARE(textsFrom(80, 100), QStringList());
        // A wide bar has the color of its trial, and the icon of its failure.
        auto wide = std::vector{trial(1, {"cpu:0"}, 0, 50)};
        wide[0].state = sweep::TrialState::Failed;
        const TimelineScale whole{start, start + 50 * second, QRect(100, 26, 1000, 200), 0, 26};
        const auto entries = ui::timelineLegend(timelineOf(wide, 100), whole);
        QCOMPARE(entries.size(), std::size_t{2});
        QVERIFY(entries.back().mark == ui::TimelineLegendEntry::Mark::Icon);
    }

    void fewRowsUseTheFullHeight()
    {
        TimelineView view;
        showOn(view, timelineOf({trial(1, {"cpu:0", "cpu:1", "cpu:2"}, 0, 10)}, 20));
        const int usual = TimelineScale::rowHeightIn(0, 3);
        QVERIFY(view.rectOf(1, 1).height() > usual);
        view.resize(1000, 80);
        QTRY_COMPARE(view.rectOf(1, 1).height(), usual);
        QVERIFY(view.verticalScrollBar()->maximum() > 0);
    }

    void failureOfAShortAttemptIsVisible()
    {
        auto trials = tenTrials();
        trials.push_back(trial(11, {"cpu:0"}, 5'000, 5'005));
        trials.push_back(trial(12, {"cpu:1"}, 5'000, 5'005));
        trials.back().state = sweep::TrialState::Failed;
        TimelineView view;
        showOn(view, timelineOf(trials, 10'000));
        const QImage picture = view.viewport()->grab().toImage();
        const auto around = [&](int number) {
            const QRect bar = view.rectOf(number, 1);
            const double ratio = picture.devicePixelRatio();
            const QRect place = QRect(0, 0, 10, 10).translated(bar.center() - QPoint(5, 5));
            int problem = 0;
            for (int y = place.top(); y <= place.bottom(); ++y) {
                for (int x = place.left(); x <= place.right(); ++x) {
                    const QColor color = picture.pixelColor(QPoint(x, y) * ratio);
                    problem += color.red() > 150 && color.green() < 110 && color.blue() < 110;
                }
            }
            return problem;
        };
        QVERIFY(view.rectOf(12, 1).width() < 6);
        QVERIFY2(around(12) > 20, qPrintable(QString::number(around(12))));
        QCOMPARE(around(11), 0);
    }

    void betweenTwoAttemptsADeviceIsIdle()
    {
        sweep::TrialRecord retried = trial(1, {"cpu:0"}, 0, 90);
        retried.attempts = 2;
        sweep::TrialRecord paused = running(2, {"cpu:0"}, 5);
        paused.state = sweep::TrialState::Paused;
        const AttemptSpans spans{
            {{1, 1}, {start, start + 10 * second, sweep::TrialState::Failed, {"cpu:0"}}},
            {{1, 2}, {start + 60 * second, start + 90 * second, sweep::TrialState::Paused, {"cpu:0"}}},
            {{2, 1}, {start + 10 * second, start + 20 * second, sweep::TrialState::Paused, {"cpu:0"}}}};
        TimelineView view;
        showOn(view, timelineOf({retried, paused}, 100, spans));
        QCOMPARE(view.timeline().rows.size(), std::size_t(1));
        const QRect failed = view.rectOf(1, 1);
        const QRect again = view.rectOf(1, 2);
        const QRect gap(view.rectOf(2, 1).right() + 20, again.center().y(),
                        again.left() - view.rectOf(2, 1).right() - 40, 1);
        QVERIFY(failed.right() < gap.left() && gap.width() > 100);
        const QImage picture = view.viewport()->grab().toImage();
        for (int x = gap.left(); x <= gap.right(); ++x) {
            for (int dy = -3; dy <= 3; ++dy) {
                const QColor color = picture.pixelColor(QPoint(x, gap.center().y() + dy) * picture.devicePixelRatio());
                const QColor trials = trialColor(1);
                QVERIFY(std::abs(color.red() - trials.red()) + std::abs(color.blue() - trials.blue()) > 60);
            }
        }
        QTest::mouseMove(view.viewport(), gap.center());
        QTRY_VERIFY(view.accessibleDescription().startsWith(u"idle for 40 s"_s));
        const QString told = view.accessibleDescription();
        QVERIFY2(told.contains(u"trial 1 waited for its retry, attempt 2"_s), qPrintable(told));
        QVERIFY2(told.contains(u"trial 2 is paused"_s), qPrintable(told));
    }

    void clickSelectsTheTrial()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        QSignalSpy activated(&view, &TimelineView::attemptActivated);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.rectOf(7, 1).center());
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0], (QVariantList{7, 1}));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          {view.rectOf(7, 1).right() + 8, view.rectOf(7, 1).center().y()});
        QCOMPARE(activated.size(), 1);
    }

    void pointerAndKeysShowDetails()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        QSignalSpy detail(&view, &TimelineView::detailChanged);
        QTest::mouseMove(view.viewport(), view.rectOf(2, 1).center());
        QTRY_VERIFY(view.accessibleDescription().startsWith(u"Trial 2 · Completed · 8.0 s"_s));
        QTest::mouseMove(view.viewport(), {view.rectOf(2, 1).right() + 8, view.rectOf(2, 1).center().y()});
        QTRY_VERIFY(view.accessibleDescription().startsWith(u"idle for 2.0 s"_s));
        QVERIFY(detail.size() >= 2);

        QSignalSpy activated(&view, &TimelineView::attemptActivated);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selectedTrial(), 1);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selectedTrial(), 3);
        QVERIFY(view.accessibleDescription().startsWith(u"Trial 3"_s));
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0], (QVariantList{2, 1}));
    }

    void wheelZoomsAtThePointer()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        const QRect before = view.rectOf(6, 1);
        turnWheel(view, {before.left(), 40}, 240);
        QVERIFY(!view.isFitted());
        QTRY_VERIFY(std::abs(view.rectOf(6, 1).left() - before.left()) <= 2);
        QVERIFY(view.rectOf(6, 1).width() > before.width() * 1.3);
        QVERIFY(view.horizontalScrollBar()->maximum() > 0);
        for (int i = 0; i < 10; ++i)
            turnWheel(view, {before.left(), 40}, -240);
        QVERIFY2(view.isFitted(), "no further out than everything");
    }

    void dragZoomsIntoItsRange()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        const QRect from = view.rectOf(3, 1);
        const QRect to = view.rectOf(5, 1);
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, from.topLeft() + QPoint(0, 3));
        QTest::mouseMove(view.viewport(), to.topRight() + QPoint(0, 3));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, to.topRight() + QPoint(0, 3));
        QVERIFY(!view.isFitted());
        const auto [left, right] = view.visibleRange();
        QVERIFY(std::abs(left - (start + 20 * second)) < second);
        QVERIFY(std::abs(right - (start + 48 * second)) < second);

        // New events do not move the visible range.
        view.setTimeline(timelineOf(tenTrials(), 400));
        QCOMPARE(view.visibleRange(), std::pair(left, right));
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(view.isFitted());
    }

    void runningBarsGrow()
    {
        TimelineView view;
        showOn(view, timelineOf({running(1, {"cpu:0"}, 0)}, 10));
        view.setNow(start + 20 * second);
        QCOMPARE(view.timeline().rows[0].bars[0].to, start + 20 * second);
        QCOMPARE(view.visibleRange().second, start + 20 * second);
        view.setNow(start + 15 * second);
        QCOMPARE(view.visibleRange().second, start + 20 * second);
    }

    void manyThinBarsAreDrawnTogether()
    {
        std::vector<sweep::TrialRecord> trials;
        for (int n = 1; n <= 10'000; ++n)
            trials.push_back(trial(n, {n % 2 == 0 ? "cpu:0" : "cpu:1"}, n, n + 2));
        TimelineView view;
        showOn(view, timelineOf(trials, 10'002));
        const QImage picture = view.viewport()->grab().toImage();
        const int y = static_cast<int>((view.rectOf(2, 1).center().y() + 5) * picture.devicePixelRatio());
        const QColor base = view.palette().color(QPalette::Base);
        for (int x = view.rectOf(2, 1).left() + 4; x < view.rectOf(10'000, 1).left() - 4; ++x)
            QVERIFY2(picture.pixelColor(static_cast<int>(x * picture.devicePixelRatio()), y) != base,
                     qPrintable(QString::number(x)));
        const auto &bars = view.timeline().rows[0].bars;
        QCOMPARE(barAt(view.timeline().rows[0], bars[2'000].from + 1, 0)->trial, bars[2'000].trial);
    }

    void pageWithoutTrialsShowsTheNextStep()
    {
        protocol::EngineClient client;
        SelectionModel selection(&client);
        TimelinePage page(&client, &selection);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTRY_VERIFY(page.findChild<QLabel *>(u"emptyHint"_s)->text().contains(u"press Start"_s));
    }

private:
    static void showOn(TimelineView &view, Timeline timeline)
    {
        view.resize(1000, 200);
        view.setTimeline(std::move(timeline));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
};

SWEEPSCOPE_TEST(TimelineViewTest)
#include "tst_timelineview.moc"
