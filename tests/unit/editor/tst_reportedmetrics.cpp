#include "testprogram.h"

#include "ui/editor/reportedmetrics.h"

#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;

class ReportedMetricsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsReportedBeforeTrialsRun();
    void reportedObjectiveComesFirst();
    void stepMetricsAreNoObjectives();
};

namespace {

sweep::SweepRecord sweepFor(const std::string &objective)
{
    sweep::SweepRecord sweep;
    sweep.objective = objective;
    return sweep;
}

sweep::TrialRecord trialWith(const std::vector<std::string> &metrics)
{
    sweep::TrialRecord trial;
    for (const std::string &name : metrics)
        trial.metrics.push_back({name, 1.0, 1, 1.0, 1.0});
    return trial;
}

}  // namespace

void ReportedMetricsTest::nothingIsReportedBeforeTrialsRun()
{
    QVERIFY(ui::reportedMetrics(sweepFor("loss"), {}).isEmpty());
    QVERIFY(ui::reportedMetrics(sweepFor("loss"), {trialWith({})}).isEmpty());
}

void ReportedMetricsTest::reportedObjectiveComesFirst()
{
    sweep::TrialRecord trial = trialWith({"loss", "acc"});
    QCOMPARE(ui::reportedMetrics(sweepFor("val_acc"), {trial}), (QStringList{u"loss"_s, u"acc"_s}));
    trial.objectiveLast = sweep::ObjectiveValue{0.5, 1};
    QCOMPARE(ui::reportedMetrics(sweepFor("val_acc"), {trial}), (QStringList{u"val_acc"_s, u"loss"_s, u"acc"_s}));
    QCOMPARE(ui::reportedMetrics(sweepFor("acc"), {trial}), (QStringList{u"acc"_s, u"loss"_s}));
}

void ReportedMetricsTest::stepMetricsAreNoObjectives()
{
    QCOMPARE(ui::reportedMetrics(sweepFor("val_acc"), {trialWith({"step_time", "loss"})}), QStringList{u"loss"_s});
}

SWEEPSCOPE_TEST(ReportedMetricsTest)
#include "tst_reportedmetrics.moc"
