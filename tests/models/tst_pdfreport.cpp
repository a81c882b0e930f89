#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/exporting/pdfreport.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;

class PdfReportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsResultsAndFailures();
    void hasCodeAndEnvironment();
    void stopsWhenCanceled();
    void paperIsTheUsualOne();

private:
    QTemporaryDir m_folder;

    std::optional<ui::PdfPages> pagesOf(const std::vector<sweep::TrialRecord> &trials,
                                        const std::optional<exporting::ReportedRun> &run = {},
                                        const exporting::Progress &progress = {}) const
    {
        sweep::SweepRecord record = sampleSweep(1, static_cast<int>(trials.size()));
        record.toml =
            "[sweep]\nname = \"a\"\n[run]\ncommand = [\"true\"]\n[run.environment]\nMY_API_KEY = \"hush-hush\"\n";
        return ui::pdfPages({m_folder.filePath(u"workspace"_s).toStdString()}, record, trials, run, {}, progress,
                            QPageSize::A4);
    }
    static QString textOf(const std::optional<ui::PdfPages> &pages)
    {
        QString text;
        for (const auto &page : pages->layout.pages())
            for (const ui::PageItem &item : page)
                text += item.text + u'\n';
        return text;
    }
};

void PdfReportTest::tellsResultsAndFailures()
{
    auto trials = sampleTrials(1, 5);
    finish(trials[0], 0.5, 0, second);
    finish(trials[1], 0.75, 0, second);
    for (std::size_t i = 2; i < 5; ++i) {
        trials[i].state = sweep::TrialState::Failed;
        trials[i].reason =
            facts::Fact{facts::Code::RankExited}.with(facts::Field::Rank, 0).with(facts::Field::ExitCode, 3);
    }
    const QString text = textOf(pagesOf(trials));
    for (const QString &part :
         {u"5 trials: 2 completed, 3 failed"_s, u"Trial 2: val_accuracy 0.75 at step"_s, u"Best trials"_s,
          u"Failures"_s, u"exited with code 3"_s, u"3, 4, 5"_s, u"Wall-clock time"_s, u"Definition"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u" in\n"_s + text));
    QVERIFY(!text.contains(u"hush-hush"_s));
}

void PdfReportTest::hasCodeAndEnvironment()
{
    exporting::ReportedRun run;
    run.trial = 1;
    run.launch.command = {"python3", "train.py"};
    run.launch.environment = {{"MODE", "fast"}, {"MY_API_KEY", "hush-hush"}};
    run.environment = launch::AttemptEnvironment{"/usr/bin/python3", {{"torch", "2.4.1"}}};
    const QString text = textOf(pagesOf(sampleTrials(1, 1), run));
    for (const QString &part :
         {u"Code of trial 1"_s, u"python3 train.py"_s, u"Environment of trial 1"_s, u"fast"_s, u"torch==2.4.1"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u" in\n"_s + text));
    QVERIFY(!text.contains(u"hush-hush"_s));
}

void PdfReportTest::stopsWhenCanceled()
{
    QVERIFY(!pagesOf(sampleTrials(1, 2), {}, [](double) { return false; }));
}

void PdfReportTest::paperIsTheUsualOne()
{
    QCOMPARE(ui::paperOf(QLocale(QLocale::English, QLocale::UnitedStates)), QPageSize::Letter);
    QCOMPARE(ui::paperOf(QLocale(QLocale::German, QLocale::Germany)), QPageSize::A4);
    QCOMPARE(ui::paperOf(QLocale::c()), QPageSize::A4);
}

SWEEPSCOPE_TEST(PdfReportTest)
#include "tst_pdfreport.moc"
