#include "testprogram.h"

#include "diagnosis/rule.h"
#include "ui/examination/findingsmodel.h"
#include "ui/examination/findingwords.h"
#include "ui/findings/findinggroups.h"
#include "ui/findings/findingssummary.h"
#include "ui/findings/findingtree.h"
#include "ui/findings/rulesmodel.h"
#include "unit/findings/samplefindings.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;
using tests::attempt;
using tests::finding;

namespace {

QStringList rulesOf(const FindingsModel &model)
{
    QStringList rules;
    for (int row = 0; row < model.rowCount(); ++row)
        rules << QString::fromStdString(model.finding(row).finding.rule);
    return rules;
}

/// Returns one line per row: its rule and, for a group, the displayed number of findings and their trials.
QStringList shapeOf(const FindingGroups &groups)
{
    QStringList rows;
    for (int row = 0; row < groups.rowCount(); ++row) {
        const QModelIndex top = groups.index(row, 0);
        const auto *shown = top.data(FindingsModel::FindingRole).value<const ShownFinding *>();
        rows << QString::fromStdString(shown->finding.rule);
        QStringList trials;
        for (int inside = 0; inside < groups.rowCount(top); ++inside)
            trials << groups.index(inside, 0, top).data(FindingsModel::TrialRole).toString();
        if (!trials.isEmpty())
            rows.last() += u": "_s + top.data(FindingsModel::ExtentRole).toString() + u": "_s + trials.join(u' ');
    }
    return rows;
}

}  // namespace

class FindingsListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void worstFindingIsFirstThenTheNewestAndAnAttemptIsReplaced()
    {
        FindingsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAttempt(attempt(1, {finding(1, "straggler", 10), finding(1, "data-wait", 30)}));
        model.setAttempt(attempt(2, {finding(2, "hang", 20, diagnosis::Severity::Problem)}));
        QCOMPARE(rulesOf(model), QStringList({u"hang"_s, u"data-wait"_s, u"straggler"_s}));
        QCOMPARE(model.count(diagnosis::Severity::Warning), 2);
        QCOMPARE(model.count(diagnosis::Severity::Problem), 1);

        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        diagnosis::Finding grown = finding(1, "straggler", 10);
        grown.sentence = "more";
        model.setAttempt(attempt(1, {grown}));
        QCOMPARE(rulesOf(model), QStringList({u"hang"_s, u"straggler"_s}));
        QCOMPARE(model.index(1).data().toString(), u"more"_s);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(model.index(0).data(FindingsModel::TrialRole).toInt(), 2);
        model.setAttempt(attempt(1, {}));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void oldestAreDroppedIfThereAreTooMany()
    {
        FindingsModel model;
        for (int trial = 1; trial <= FindingsModel::mostRows + 5; ++trial)
            model.setAttempt(attempt(trial, {finding(trial, "straggler", trial)}));
        QCOMPARE(model.rowCount(), FindingsModel::mostRows);
        QVERIFY(model.isFull());
        QCOMPARE(model.finding(0).finding.trial, FindingsModel::mostRows + 5);
    }

    void findingIsDescribedInSentences()
    {
        ShownFinding shown{finding(3, "straggler", 0), {}, true};
        shown.finding.simulated = true;
        const QString text = findingText(shown, placeText(shown.finding, {}));
        for (const QString &part :
             {u"Warning"_s, u"Slow rank"_s, u"Trial 3"_s, u"rank 2"_s, u"rank 2 computes longer"_s,
              u"steps 120 to 480"_s, u"for 10 s"_s, u"38%, threshold 15% (somebody's)"_s, u"look at its node"_s,
              u"Readings simulated"_s})
            QVERIFY2(text.contains(part), qPrintable(part + u" is not in "_s + text));
        shown.finding.rank.reset();
        QVERIFY2(!placeText(shown.finding, {}).contains(u"rank"_s), "it may be one rank or several");
        const QList<QImage> icons = {severityIcon(diagnosis::Severity::Note).pixmap(16).toImage(),
                                     severityIcon(diagnosis::Severity::Warning).pixmap(16).toImage(),
                                     severityIcon(diagnosis::Severity::Problem).pixmap(16).toImage()};
        QVERIFY(!icons[0].isNull() && icons[0] != icons[1] && icons[1] != icons[2]);
    }

    void devicesHaveTheirNamesOnTheMachine()
    {
        ShownFinding shown{finding(3, "thermal-throttle", 0), {}, false};
        shown.finding.device = "GPU-00000003-0000-0000-0000-000000000000";
        FindingsModel model;
        model.setAttempt(attempt(3, {shown.finding}));
        QVERIFY2(model.place(shown.finding).endsWith(u"· GPU-00000003…"_s), qPrintable(model.place(shown.finding)));
        protocol::DeviceStatus gpu;
        gpu.id = u"GPU-00000003-0000-0000-0000-000000000000"_s;
        gpu.gpu = true;
        gpu.index = 3;
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setMachine({gpu});
        QCOMPARE(changed.size(), 1);
        QVERIFY2(model.place(shown.finding).endsWith(u"· GPU 3"_s), qPrintable(model.place(shown.finding)));
        // The tool tip contains the GPU's UUID, which the page does not show.
        QVERIFY(model.index(0).data(Qt::ToolTipRole).toString().contains(gpu.id));
        model.setMachine({gpu});
        QCOMPARE(changed.size(), 1);
    }

    void longSentenceTakesTheLinesItNeeds()
    {
        ShownFinding shown{finding(1, "straggler", 0), {}, false};
        FindingsModel model;
        model.setAttempt(attempt(1, {shown.finding}));
        ShownFinding wordy{finding(2, "straggler", 1), {}, false};
        for (int i = 0; i < 5; ++i)
            wordy.finding.sentence += " and goes on";
        model.setAttempt(attempt(2, {wordy.finding}));
        FindingGroups groups(&model);
        FindingTree view;
        view.setModel(&groups);
        view.expandAll();
        view.resize(720, 500);
        view.show();
        QCOMPARE(model.finding(0).finding.trial, 2);
        const auto height = [&view, &groups](int row) { return view.visualRect(groups.indexOf(row)).height(); };
        QTRY_VERIFY(height(0) > height(1));
        view.resize(4000, 500);
        QTRY_COMPARE(height(0), height(1));
    }

    void trialsWithTheSameFindingAreOneRow()
    {
        FindingsModel model;
        FindingGroups groups(&model);
        QAbstractItemModelTester tester(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAttempt(attempt(1, {finding(1, "straggler", 10)}));
        QCOMPARE(shapeOf(groups), QStringList(u"straggler"_s));  // a single finding is not grouped
        model.setAttempt(attempt(2, {finding(2, "hang", 30)}));
        model.setAttempt(attempt(3, {finding(3, "straggler", 20)}));
        QCOMPARE(shapeOf(groups), QStringList({u"hang"_s, u"straggler: 2 trials: 3 1"_s}));
        model.setAttempt(attempt(4, {finding(4, "straggler", 40), finding(4, "straggler", 5)}));
        QCOMPARE(shapeOf(groups), QStringList({u"straggler: 4× in 3 trials: 4 3 1 4"_s, u"hang"_s}));
        QCOMPARE(groups.indexOf(1).data(FindingsModel::TrialRole).toInt(), 2);
        const QString told = groups.index(0, 0).data(Qt::AccessibleTextRole).toString();
        for (const QString &part : {u"Warning"_s, u"Slow rank"_s, u"4× in 3 trials"_s, u"trial 4"_s})
            QVERIFY2(told.contains(part), qPrintable(told));

        // A group shows the text of its newest finding.
        diagnosis::Finding grown = finding(4, "straggler", 40);
        grown.sentence = "more";
        QSignalSpy changed(&groups, &QAbstractItemModel::dataChanged);
        model.setAttempt(attempt(4, {grown, finding(4, "straggler", 5)}));
        QVERIFY(
            changed.contains(QVariantList{groups.index(0, 0), groups.index(0, 0), QVariant::fromValue(QList<int>())}));

        model.setAttempt(attempt(4, {}));
        QCOMPARE(shapeOf(groups), QStringList({u"hang"_s, u"straggler: 2 trials: 3 1"_s}));
        model.setAttempt(attempt(3, {}));
        model.setAttempt(attempt(2, {}));
        QCOMPARE(shapeOf(groups), QStringList(u"straggler"_s));
        model.clear();
        QCOMPARE(groups.rowCount(), 0);
    }

    void groupsOpenByMouseAndKeys()
    {
        FindingsModel model;
        for (int trial = 1; trial <= 3; ++trial)
            model.setAttempt(attempt(trial, {finding(trial, "straggler", trial)}));
        FindingGroups groups(&model);
        FindingTree tree;
        tree.setModel(&groups);
        tree.resize(900, 600);
        tree.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tree));
        const QModelIndex group = groups.index(0, 0);
        QSignalSpy chosen(&tree, &FindingTree::findingChosen);
        QVERIFY(!tree.isExpanded(group));
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(group).center());
        QVERIFY(tree.isExpanded(group));
        tree.setCurrentIndex(group);
        QTest::keyClick(&tree, Qt::Key_Return);
        QVERIFY(!tree.isExpanded(group));
        QTest::keyClick(&tree, Qt::Key_Right);
        QVERIFY(tree.isExpanded(group));
        QVERIFY(chosen.isEmpty());
        QTest::keyClick(&tree, Qt::Key_Down);
        QTest::keyClick(&tree, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toModelIndex().data(FindingsModel::TrialRole).toInt(), 3);
        // New findings do not collapse an expanded group.
        model.setAttempt(attempt(4, {finding(4, "straggler", 4)}));
        QVERIFY(tree.isExpanded(groups.index(0, 0)));
        QCOMPARE(tree.currentIndex().data(FindingsModel::TrialRole).toInt(), 3);
    }

    void rulesNameMissingData()
    {
        RulesModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto cell = [&model](const QString &rule, RulesModel::Column column) {
            for (int row = 0; row < model.rowCount(); ++row) {
                if (model.index(row, RulesModel::Rule).data(Qt::ToolTipRole) == rule)
                    return model.index(row, column).data().toString();
            }
            return QString();
        };
        QCOMPARE(model.rowCount(), static_cast<int>(diagnosis::rules().size()));
        QCOMPARE(cell(u"straggler"_s, RulesModel::Result), u"not checked yet"_s);
        ExaminedAttempt one{1,
                            1,
                            {},
                            {{"straggler", diagnosis::Verdict::NotEnoughData, "no rank reports compute_time"},
                             {"hang", diagnosis::Verdict::Clear, {}},
                             {"pcie-link", diagnosis::Verdict::NotApplicable, "the trial uses no GPU"}},
                            {}};
        model.setAttempt(one);
        one.trial = 2;
        model.setAttempt(one);
        QCOMPARE(cell(u"straggler"_s, RulesModel::Result), u"not enough data in 2"_s);
        QCOMPARE(cell(u"straggler"_s, RulesModel::Reason), u"no rank reports compute_time"_s);
        QCOMPARE(cell(u"hang"_s, RulesModel::Result), u"passed in 2"_s);
        QCOMPARE(cell(u"pcie-link"_s, RulesModel::Result), u"not applicable to 2"_s);
        QCOMPARE(cell(u"pcie-link"_s, RulesModel::Reason), u"the trial uses no GPU"_s);
        QCOMPARE(model.blindRules(), 1);
        one.results = {{"straggler", diagnosis::Verdict::Found, {}}};
        model.setAttempt(one);
        QCOMPARE(cell(u"straggler"_s, RulesModel::Result), u"found in 1, not enough data in 1"_s);
        QCOMPARE(cell(u"hang"_s, RulesModel::Result), u"passed in 1"_s);
        model.clear();
        QCOMPARE(model.blindRules(), 0);
    }

    void rulesAreOrderedByTheirResults()
    {
        RulesModel model;
        model.setAttempt({1,
                          1,
                          {},
                          {{"straggler", diagnosis::Verdict::NotEnoughData, "no rank reports compute_time"},
                           {"hang", diagnosis::Verdict::Clear, {}},
                           {"not-finite", diagnosis::Verdict::Found, {}},
                           {"pcie-link", diagnosis::Verdict::NotApplicable, "the trial uses no GPU"}},
                          {}});
        const auto order = [&model](const QString &rule) {
            for (int row = 0; row < model.rowCount(); ++row) {
                if (model.index(row, RulesModel::Rule).data(Qt::ToolTipRole).toString() == rule)
                    return model.index(row, RulesModel::Result).data(RulesModel::OrderRole).toInt();
            }
            return -1;
        };
        QVERIFY(order(u"not-finite"_s) < order(u"hang"_s));
        QVERIFY(order(u"hang"_s) < order(u"straggler"_s));
        QVERIFY(order(u"straggler"_s) < order(u"pcie-link"_s));
    }

    void summaryCountsTrials()
    {
        using diagnosis::Severity;
        QCOMPARE(summaryText({12, 0, {}}), QString());
        QCOMPARE(summaryText({12, 4, {}}), u"4 of 12 trials failed"_s);
        QCOMPARE(summaryText({12, 4, {{Severity::Problem, {1, 2}}, {Severity::Note, {3}}}}),
                 u"4 of 12 trials failed · 2 with problems · 1 with notes"_s);
        QCOMPARE(summaryText({12, 0, {{Severity::Warning, {7}}}}), u"1 of 12 trials with warnings"_s);
        QCOMPARE(summaryText({1, 1, {}}), u"The trial failed"_s);
    }

    void listIsPaintedInEveryWidth()
    {
        FindingsModel model;
        model.setAttempt(attempt(1, {finding(1, "straggler", 10)}));
        FindingGroups groups(&model);
        FindingTree list;
        list.setModel(&groups);
        for (const int width : {300, 1000}) {
            list.resize(width, 200);
            const QImage picture = list.grab().toImage();
            QVERIFY(!picture.isNull());
            QVERIFY(list.visualRect(groups.index(0, 0)).height() >= 4 * list.fontMetrics().height());
        }
    }
};

SWEEPSCOPE_TEST(FindingsListTest)
#include "tst_findingslist.moc"
