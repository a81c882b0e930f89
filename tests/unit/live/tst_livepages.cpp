#include "testprogram.h"

#include "ui/base/noticebanner.h"
#include "ui/base/selectionmodel.h"
#include "ui/base/trialheader.h"
#include "ui/live/livepage.h"
#include "ui/logs/logspage.h"
#include "ui/plot/trialsource.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

bool saysWhatToDo(const QWidget &page)
{
    for (const QLabel *label : page.findChildren<QLabel *>()) {
        if (label->isVisible() && label->text().contains(QStringLiteral("press Start")))
            return true;
    }
    return false;
}

std::vector<sweep::TrialRecord> numbered(int count)
{
    std::vector<sweep::TrialRecord> trials(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        trials[static_cast<std::size_t>(i)].number = i + 1;
    return trials;
}

}  // namespace

class LivePagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pagesWithoutATrialShowTheNextStep()
    {
        protocol::EngineClient client;
        SelectionModel selection(&client);
        LivePage live(&client, &selection);
        LogsPage logs(&client, &selection);
        for (QWidget *page : {static_cast<QWidget *>(&live), static_cast<QWidget *>(&logs)}) {
            page->show();
            QVERIFY(saysWhatToDo(*page));
        }
        selection.selectTrial(99, 3);  // its record never arrived
        QVERIFY(saysWhatToDo(live));
        QVERIFY(saysWhatToDo(logs));
    }

    void devicesOfATrialHaveTheirNamesOnTheMachine()
    {
        protocol::DeviceStatus real;
        real.id = QStringLiteral("GPU-a");
        real.gpu = true;
        real.index = 3;
        protocol::DeviceStatus fake = real;
        fake.id = QStringLiteral("GPU-b");
        fake.index = 5;
        fake.simulated = true;
        sweep::TrialRecord trial;
        trial.devices = {"GPU-b", "GPU-a", "GPU-a", "GPU-gone", "cpu:7"};
        const TrialSource source = trialSource(QStringLiteral("/ws"), {}, trial, {real, fake});
        const std::vector<std::string> names{"simulated GPU 5", "GPU 3", "GPU 2", "core 7"};
        QCOMPARE(source.deviceNames, names);
    }

    void headerShowsTheStateOfTheTrial()
    {
        sweep::SweepRecord sweep;
        sweep.name = "digits";
        sweep.objective = "val_loss";
        sweep::TrialRecord trial;
        trial.number = 3;
        trial.state = sweep::TrialState::Running;
        trial.attempts = 2;
        trial.step = 1234;
        trial.progress = 0.479;
        trial.parameters = {{"lr", 0.01}, {"optimizer", std::string("sgd")}};
        trial.objectiveLast = sweep::ObjectiveValue{0.5, 1234};
        trial.objectiveBest = sweep::ObjectiveValue{0.4, 1000};
        TrialHeader header;
        header.resize(900, 60);
        header.show();
        header.setTrial(sweep, trial, numbered(12));
        QStringList texts;
        for (const QLabel *label : header.findChildren<QLabel *>())
            texts.append(label->text());
        const QString all = texts.join(QLatin1Char('|'));
        QVERIFY2(all.contains(QStringLiteral("attempt 2")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("47%")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("best 0.4")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("lr 0.01 · optimizer sgd")), qPrintable(all));
        QCOMPARE(header.findChild<QProgressBar *>()->value(), 479);

        QSignalSpy chosen(&header, &TrialHeader::trialChosen);
        header.findChild<QSpinBox *>()->setValue(7);
        QCOMPARE(chosen.last().first().toInt(), 7);
        trial.number = 12;
        header.setTrial(sweep, trial, numbered(12));
        const qsizetype before = chosen.size();
        for (QToolButton *button : header.findChildren<QToolButton *>()) {
            if (button->accessibleName() == QLatin1String("Next trial"))
                QVERIFY(!button->isEnabled());
        }
        QCOMPARE(chosen.size(), before);
    }

    void headerCountsRemainingTrials()
    {
        sweep::SweepRecord sweep;
        std::vector<sweep::TrialRecord> trials = numbered(31);
        const auto removeFrom = [&trials](std::size_t first, std::size_t behind) {
            for (std::size_t i = first; i < behind; ++i) {
                trials[i].state = sweep::TrialState::Stopped;
                trials[i].reason = facts::Code::RemovedByEdit;
            }
        };
        TrialHeader header;
        const auto *number = header.findChild<QSpinBox *>();
        removeFrom(25, 31);
        header.setTrial(sweep, trials[6], trials);
        QCOMPARE(number->text(), QStringLiteral("Trial 7 of 25"));

        // Removed trials are skipped, and a number above the count is not shown as a position.
        removeFrom(7, 10);
        header.setTrial(sweep, trials[6], trials);
        QCOMPARE(number->text(), QStringLiteral("Trial 7 · 22 in total"));
        QSignalSpy chosen(&header, &TrialHeader::trialChosen);
        for (QToolButton *button : header.findChildren<QToolButton *>()) {
            if (button->accessibleName() == QLatin1String("Next trial"))
                button->click();
        }
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 11);
        QCOMPARE(number->maximum(), 31);
    }

    void typedNumberStaysWhileTheTrialProgresses()
    {
        sweep::SweepRecord sweep;
        sweep::TrialRecord trial;
        trial.number = 12;
        TrialHeader header;
        header.resize(900, 60);
        header.show();
        header.setTrial(sweep, trial, numbered(24));
        header.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&header));
        auto *number = header.findChild<QSpinBox *>();
        number->setFocus();
        number->selectAll();
        QSignalSpy chosen(&header, &TrialHeader::trialChosen);
        connect(&header, &TrialHeader::trialChosen, &header, [&](int chosenNumber) {
            trial.number = chosenNumber;
            header.setTrial(sweep, trial, numbered(24));
        });
        for (const char digit : {'1', '7'}) {
            QTest::keyClick(number, digit);
            trial.step += 10;
            header.setTrial(sweep, trial, numbered(24));
        }
        QTest::keyClick(number, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.last().first().toInt(), 17);
        // The field then shows the trial again, even if it is chosen elsewhere.
        trial.number = 18;
        header.setTrial(sweep, trial, numbered(25));
        QCOMPARE(number->text(), QStringLiteral("Trial 18 of 25"));
    }

    void bannerOffersItsActionOnlyWhenThereIsOne()
    {
        NoticeBanner banner;
        QVERIFY(banner.isHidden());
        banner.setNotice(NoticeBanner::Kind::Problem, {}, QStringLiteral("rank 1 exited with code 1"),
                         QStringLiteral("Show log"));
        QVERIFY(!banner.isHidden());
        QSignalSpy clicked(&banner, &NoticeBanner::actionClicked);
        banner.findChild<QPushButton *>()->click();
        QCOMPARE(clicked.size(), 1);
        banner.setNotice(NoticeBanner::Kind::Note, {}, QString());
        QVERIFY(banner.isHidden());
    }
};

SWEEPSCOPE_TEST(LivePagesTest)
#include "tst_livepages.moc"
