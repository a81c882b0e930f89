#include "testprogram.h"

#include "ui/findings/failurespanel.h"
#include "ui/findings/findingspage.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

class FindingsPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pageWithoutTrialsShowsTheNextStep()
    {
        protocol::EngineClient client;
        SelectionModel selection(&client);
        FindingsPage page(&client, &selection);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto saysWhatToDo = [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u"press Start"_s);
        };
        QTRY_VERIFY(std::ranges::any_of(page.findChildren<QLabel *>(u"emptyHint"_s), saysWhatToDo));
    }

    void causesOfFailuresAreShownWhole()
    {
        sweep::FailureGroup group;
        group.cause = facts::Fact(facts::Code::RankExited)
                          .with(facts::Field::Rank, 0)
                          .with(facts::Field::ExitCode, 1)
                          .with(facts::Field::IsError, 1)
                          .with(facts::Field::Source, "train.py:6")
                          .with(facts::Field::Detail, "KeyError: 'the name of a column that is missing in the data'");
        group.trials = {1, 2, 3};
        sweep::FailureGroup other = group;
        other.trials = {5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27};
        QWidget page;
        auto *layout = new QVBoxLayout(&page);
        auto *panel = new FailuresPanel;
        layout->addWidget(panel);
        auto *list = new QTableView;
        layout->addWidget(list, 1);
        panel->setRoom(400);
        panel->showFailures({group, other}, true);
        page.resize(500, page.minimumSizeHint().height());
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto isWhole = [](const QLabel *label) {
            return !label->wordWrap() || label->height() >= label->heightForWidth(label->width());
        };
        QTRY_VERIFY(std::ranges::all_of(panel->findChildren<QLabel *>(), isWhole));
        // Numbers of trials are links.
        QSignalSpy requested(panel, &FailuresPanel::trialRequested);
        auto *cause = panel->findChild<QLabel *>(u"failureCause"_s);
        QVERIFY2(cause->text().contains(u"<a href=\"1\">1</a>–<a href=\"3\">3</a>"_s), qPrintable(cause->text()));
        Q_EMIT cause->linkActivated(u"3"_s);
        QCOMPARE(requested.takeFirst().front().toInt(), 3);
        panel->setRoom(60);  // the rows scroll
        QTRY_COMPARE(panel->findChild<QScrollArea *>()->height(), 60);
        QVERIFY(std::ranges::all_of(panel->findChildren<QLabel *>(), isWhole));
    }

    void retryIsRefusedWithTheReason()
    {
        sweep::FailureGroup group;
        group.trials = {1};
        FailuresPanel panel;
        const QString why = u"No program to run"_s;
        panel.showFailures({group}, true, why);
        QVERIFY(!panel.findChild<QPushButton *>(u"failureRetry"_s)->isEnabled());
        QCOMPARE(panel.findChild<QPushButton *>(u"failureRetry"_s)->toolTip(), why);
    }
};

SWEEPSCOPE_TEST(FindingsPageTest)
#include "tst_findingspage.moc"
