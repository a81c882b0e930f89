#include "testprogram.h"

#include "ui/analysis/targetchooser.h"

#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::TargetChooser;
using Kind = analysis::Target::Kind;

/// Choosing and storing what trials are judged by.
class TargetChooserTest : public QObject {
    Q_OBJECT

    static sweep::SweepRecord record()
    {
        sweep::SweepRecord record;
        record.objective = "loss";
        record.goal = sweep::Goal::Minimize;
        return record;
    }
    static std::vector<sweep::TrialRecord> trials(const std::vector<std::string> &metrics)
    {
        std::vector<sweep::TrialRecord> trials(1);
        for (const std::string &name : metrics) {
            sweep::MetricValue metric;
            metric.name = name;
            trials[0].metrics.push_back(metric);
        }
        return trials;
    }
    static void choose(TargetChooser &chooser, const QString &id)
    {
        auto *targets = chooser.findChild<QComboBox *>(u"analysisTarget"_s);
        const int index = targets->findData(id);
        QVERIFY(index >= 0);
        targets->setCurrentIndex(index);
    }
    static QComboBox *goal(TargetChooser &chooser) { return chooser.findChild<QComboBox *>(u"analysisGoal"_s); }

private Q_SLOTS:
    void goalIsTheSweepsOrTheUsualOne()
    {
        TargetChooser chooser;
        chooser.fill(record(), trials({"accuracy", "val_loss"}));
        QVERIFY(chooser.isObjective());
        QVERIFY((chooser.target() == analysis::Target{Kind::ObjectiveBest, {}, sweep::Goal::Minimize}));
        QVERIFY(goal(chooser)->isHidden());
        choose(chooser, u"metric.accuracy"_s);
        QVERIFY((chooser.target() == analysis::Target{Kind::MetricLast, "accuracy", sweep::Goal::Maximize}));
        QVERIFY(!goal(chooser)->isHidden());
        choose(chooser, u"max.val_loss"_s);
        QVERIFY((chooser.target() == analysis::Target{Kind::MetricHighest, "val_loss", sweep::Goal::Minimize}));
        sweep::SweepRecord edited = record();
        edited.goal = sweep::Goal::Maximize;
        chooser.fill(edited, trials({"accuracy", "val_loss"}));
        choose(chooser, u"last"_s);
        QVERIFY((chooser.target() == analysis::Target{Kind::ObjectiveLast, {}, sweep::Goal::Maximize}));
    }

    void choiceIsRestoredWhenTheSweepHasItAgain()
    {
        QTemporaryDir folder;
        QSettings settings(folder.filePath(u"s.ini"_s), QSettings::IniFormat);
        {
            TargetChooser chooser;
            chooser.fill(record(), trials({"accuracy", "f1"}));
            choose(chooser, u"max.f1"_s);
            choose(chooser, u"max.accuracy"_s);
            QSignalSpy chosen(&chooser, &TargetChooser::goalChosen);
            goal(chooser)->setCurrentIndex(0);
            QCOMPARE(chosen.size(), 1);
            chooser.keep(&settings, u"a"_s);
        }
        TargetChooser chooser;
        QSignalSpy targets(&chooser, &TargetChooser::targetChosen);
        QSignalSpy goals(&chooser, &TargetChooser::goalChosen);
        chooser.fill(record(), trials({}));  // no trial has reported a metric yet
        chooser.restore(&settings, u"a"_s);
        QVERIFY(chooser.isObjective());
        chooser.keep(&settings, u"a"_s);
        chooser.fill(record(), trials({"accuracy", "f1"}));
        const analysis::Target wanted{Kind::MetricHighest, "accuracy", sweep::Goal::Minimize};
        QVERIFY(chooser.target() == wanted);
        // Each sweep has its own choice.
        chooser.restore(&settings, u"a"_s);
        QVERIFY(chooser.target() == wanted);
        QVERIFY(targets.isEmpty() && goals.isEmpty());
        choose(chooser, u"max.f1"_s);
        QVERIFY(chooser.target().goal == sweep::Goal::Maximize);
        // Another sweep has no stored choice.
        chooser.restore(&settings, u"b"_s);
        QVERIFY(chooser.isObjective());
        choose(chooser, u"max.accuracy"_s);
        QVERIFY(chooser.target().goal == sweep::Goal::Maximize);
    }
};

SWEEPSCOPE_TEST(TargetChooserTest)
#include "tst_targetchooser.moc"
