#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/exporting/exportjob.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;

class ExportJobTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesTheRequestedFiles();
    void cancelledJobLeavesNoCurves();
    void missingFolderIsAProblem();
    void destructorWaitsForTheThread();

private:
    QTemporaryDir m_folder;

    ui::ExportOrder order(const QString &folder) const
    {
        auto trials = sampleTrials(1, 3);
        finish(trials[0], 0.5, 0, second);
        const std::filesystem::path target = m_folder.filePath(folder).toStdString();
        return {.workspace = {m_folder.filePath(u"workspace"_s).toStdString()},
                .sweep = sampleSweep(1, 3),
                .trials = trials,
                .trialsFile = target / "trials.csv",
                .curvesFile = target / "curves.csv"};
    }
};

void ExportJobTest::writesTheRequestedFiles()
{
    ui::ExportOrder wanted = order(u"."_s);
    wanted.curvesFile.clear();
    ui::ExportJob job(wanted);
    job.start();
    QVERIFY(job.wait());
    QCOMPARE(job.problem(), QString());
    QCOMPARE(job.writtenFiles().size(), 1);
    QFile file(job.writtenFiles()[0]);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count("\r\n"), 4);
    QVERIFY(!QFile::exists(m_folder.filePath(u"curves.csv"_s)));
}

void ExportJobTest::cancelledJobLeavesNoCurves()
{
    ui::ExportJob job(order(u"."_s));
    job.cancel();
    job.start();
    QVERIFY(job.wait());
    QVERIFY(job.wasCancelled());
    QVERIFY(!QFile::exists(m_folder.filePath(u"curves.csv"_s)));
}

void ExportJobTest::missingFolderIsAProblem()
{
    ui::ExportJob job(order(u"missing"_s));
    job.start();
    QVERIFY(job.wait());
    QVERIFY(job.writtenFiles().isEmpty());
    QVERIFY2(job.problem().contains(u"missing"_s), qPrintable(job.problem()));
}

void ExportJobTest::destructorWaitsForTheThread()
{
    auto job = std::make_unique<ui::ExportJob>(order(u"."_s));
    job->start();
    job.reset();
}

SWEEPSCOPE_TEST(ExportJobTest)
#include "tst_exportjob.moc"
