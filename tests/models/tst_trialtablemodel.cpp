#include "testprogram.h"

#include "exporting/sweepexport.h"
#include "models/sampletrials.h"
#include "ui/models/trialtablemodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using ui::TrialTableModel;
using Column = TrialTableModel::Column;

class TrialTableModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void emptyModelHasNoRows();
    void columnsFollowTheParameters();
    void rawValuesKeepTheirTypes();
    void missingParameterIsNoValue();
    void updateSignalsOneRange();
    void updateAppendsNewTrials();
    void updateWithFewerTrialsStartsAgain();
    void bestMovesToTheBetterTrial();
    void nanIsNeverBest();
    void probeHasNoBestTrialAndNamesItsLimit();
    void durationOfRunningTrialTicks();
    void deviceTimeCountsEachDevice();
    void unknownEnergyIsNotZero();
    void waitingTrialHasNoDuration();
    void retriedTrialHasTheDurationOfItsLastAttempt();
    void tickWithoutRunningTrialsSignalsNothing();
    void progressOnlyWhileRunning();
    void otherSweepChangesColumns();
    void choiceSaysHowASearchChoseThePoint();
    void elidedReasonIsInTheToolTip();
    void reasonBeginsWithTheException();
    void metricsHaveSeparateColumns();
    void columnsComeWithNewMetrics();
    void numberOfMetricColumnsIsLimited();
    void titlesAreAlignedWithTheirValues();
    void searchTextsAreCachedAndUpdated();
    void gpusHaveTheirNamesOnTheMachine();

private:
    WallNs m_now = 0;
    std::unique_ptr<TrialTableModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

    QVariant at(int row, Column column, int role) const
    {
        return m_model->index(row, m_model->section(column)).data(role);
    }
};

void TrialTableModelTest::init()
{
    m_now = 1000 * second;
    m_tester.reset();
    m_model = std::make_unique<TrialTableModel>([this] { return m_now; });
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(),
                                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
}

void TrialTableModelTest::gpusHaveTheirNamesOnTheMachine()
{
    std::vector<sweep::TrialRecord> trials = sampleTrials(1, 2);
    trials[0].devices = {"GPU-5f2a"};
    m_model->setSweep(sampleSweep(1, 2), trials);
    QCOMPARE(at(0, Column::Devices, Qt::DisplayRole), QStringLiteral("GPU-5f2a"));
    QVERIFY(!m_model->searchText(0).contains(QStringLiteral("gpu 3")));

    protocol::DeviceStatus gpu;
    gpu.id = QStringLiteral("GPU-5f2a");
    gpu.gpu = true;
    gpu.index = 3;
    const QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_model->setMachine({gpu});
    QCOMPARE(changed.size(), 1);
    QCOMPARE(at(0, Column::Devices, Qt::DisplayRole), QStringLiteral("GPU 3"));
    QCOMPARE(at(0, Column::Devices, Qt::ToolTipRole), QStringLiteral("GPU-5f2a"));
    for (const QString &words : {QStringLiteral("gpu 3"), QStringLiteral("gpu-5f2a")})
        QVERIFY2(m_model->searchText(0).contains(words), qPrintable(words));

    gpu.holders = {{1, QStringLiteral("digits"), 1}};
    m_model->setMachine({gpu});
    QCOMPARE(changed.size(), 1);
}

void TrialTableModelTest::emptyModelHasNoRows()
{
    QCOMPARE(m_model->rowCount(), 0);
    QCOMPARE(m_model->rowOf(1), -1);
    m_model->tick();
}

void TrialTableModelTest::columnsFollowTheParameters()
{
    m_model->setSweep(sampleSweep(1, 2), sampleTrials(1, 2));
    QStringList titles;
    for (int section = 0; section < m_model->columnCount(); ++section)
        titles << m_model->headerData(section, Qt::Horizontal).toString();
    QCOMPARE(titles.join(u'|'),
             QStringLiteral("Trial|State|lr|hidden|optimizer|Best val_accuracy|Last|Duration|Attempts|Devices|Reason|"
                            "Star|Tags|Note|Best at step|Step|Started|Ranks|Seed|Choice|Mean val_accuracy|Outcome|"
                            "Device time|Energy"));
    for (int section = 0; section < m_model->columnCount(); ++section) {
        if (m_model->columnKind(section) != Column::Parameter)
            QCOMPARE(m_model->section(m_model->columnKind(section)), section);
    }
    QCOMPARE(m_model->parameterSection(QStringLiteral("hidden")), 3);
    QCOMPARE(m_model->parameterSection(QStringLiteral("nothing")), -1);
}

void TrialTableModelTest::rawValuesKeepTheirTypes()
{
    auto trials = sampleTrials(1, 3);
    finish(trials[2], 0.9, 10 * second, 72 * second);
    m_model->setSweep(sampleSweep(1, 3), trials);
    QCOMPARE(m_model->index(2, 2).data(TrialTableModel::RawRole), QVariant(0.0046415888336127825));
    QCOMPARE(m_model->index(2, 2).data().toString(), QStringLiteral("0.0046416"));
    QCOMPARE(m_model->index(2, 3).data(TrialTableModel::RawRole).toLongLong(), 128);
    QCOMPARE(m_model->index(2, 4).data(TrialTableModel::RawRole).toString(), QStringLiteral("sgd"));
    QCOMPARE(at(2, Column::ObjectiveBest, TrialTableModel::RawRole).toDouble(), 0.9);
    QCOMPARE(at(2, Column::Duration, TrialTableModel::RawRole).toDouble(), 62.0);
    QCOMPARE(at(2, Column::Duration, Qt::DisplayRole).toString(), QStringLiteral("1 min 02 s"));
    QCOMPARE(at(2, Column::State, Qt::DisplayRole).toString(), QStringLiteral("Completed"));
}

void TrialTableModelTest::missingParameterIsNoValue()
{
    m_model->setSweep(sampleSweep(1, 2), sampleTrials(1, 2));
    const QModelIndex cell = m_model->index(1, 4);
    QVERIFY(!cell.data(TrialTableModel::RawRole).isValid());
    QCOMPARE(cell.data().toString(), QStringLiteral("–"));
}

void TrialTableModelTest::updateSignalsOneRange()
{
    auto trials = sampleTrials(1, 10000);
    m_model->setSweep(sampleSweep(1, 10000), trials);
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    QSignalSpy reset(m_model.get(), &QAbstractItemModel::modelReset);

    for (std::size_t i = 4999; i < 6000; ++i)
        trials[i].state = sweep::TrialState::Running;
    trials[0].state = sweep::TrialState::Failed;  // outside of the range reported as changed
    m_model->updateTrials(trials, 5000, 6000);

    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toModelIndex(), m_model->index(4999, 0));
    QCOMPARE(changed[0][1].toModelIndex(), m_model->index(5999, m_model->columnCount() - 1));
    QCOMPARE(reset.count(), 0);
    QVERIFY(m_model->trial(5500).state == sweep::TrialState::Running);
    QVERIFY(m_model->trial(0).state == sweep::TrialState::Queued);
}

void TrialTableModelTest::updateAppendsNewTrials()
{
    auto trials = sampleTrials(1, 5);
    m_model->setSweep(sampleSweep(1, 5), {trials.begin(), trials.begin() + 2});
    QSignalSpy inserted(m_model.get(), &QAbstractItemModel::rowsInserted);
    m_model->updateTrials(trials, 2, 5);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(m_model->rowCount(), 5);
    QCOMPARE(m_model->rowOf(5), 4);
}

void TrialTableModelTest::updateWithFewerTrialsStartsAgain()
{
    const auto trials = sampleTrials(1, 5);
    m_model->setSweep(sampleSweep(1, 5), trials);
    m_model->updateTrials({trials.begin(), trials.begin() + 1}, 1, 1);
    QCOMPARE(m_model->rowCount(), 1);
}

void TrialTableModelTest::bestMovesToTheBetterTrial()
{
    auto trials = sampleTrials(1, 3);
    finish(trials[0], 0.5, 0, second);
    m_model->setSweep(sampleSweep(1, 3), trials);
    QCOMPARE(m_model->bestTrialNumber(), 1);

    finish(trials[2], 0.75, 0, second);
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_model->updateTrials(trials, 3, 3);

    QCOMPARE(m_model->bestTrialNumber(), 3);
    QVERIFY(at(0, Column::ObjectiveBest, Qt::DecorationRole).isNull());
    QVERIFY(!at(2, Column::ObjectiveBest, Qt::DecorationRole).isNull());
    const QModelIndex former = m_model->index(0, m_model->section(Column::ObjectiveBest));
    QVERIFY(
        std::ranges::any_of(changed, [&](const QVariantList &signal) { return signal[0].toModelIndex() == former; }));
}

void TrialTableModelTest::probeHasNoBestTrialAndNamesItsLimit()
{
    auto trials = sampleTrials(1, 2);
    finish(trials[0], 0.5, 0, second);
    trials[1].state = sweep::TrialState::Stopped;
    auto probe = sampleSweep(1, 2);
    m_model->setSweep(probe, trials);
    QCOMPARE(at(1, Column::State, Qt::DisplayRole).toString(), QStringLiteral("Stopped"));
    QCOMPARE(m_model->bestTrialNumber(), 1);
    trials[1].reason = facts::Code::ProbeOutOfMemory;
    probe.toml = "[probe]\nparameter = \"batch_size\"\n";
    m_model->setSweep(probe, trials);
    QCOMPARE(at(1, Column::State, Qt::DisplayRole).toString(), QStringLiteral("Out of memory"));
    QCOMPARE(m_model->bestTrialNumber(), 0);
}

void TrialTableModelTest::nanIsNeverBest()
{
    auto trials = sampleTrials(1, 2);
    finish(trials[0], std::nan(""), 0, second);
    m_model->setSweep(sampleSweep(1, 2), trials);
    QCOMPARE(m_model->bestTrialNumber(), 0);
    finish(trials[1], -1, 0, second);
    m_model->updateTrials(trials, 2, 2);
    QCOMPARE(m_model->bestTrialNumber(), 2);
}

void TrialTableModelTest::durationOfRunningTrialTicks()
{
    auto trials = sampleTrials(1, 4);
    trials[1].state = sweep::TrialState::Running;
    trials[1].started = 990 * second;
    trials[2].state = sweep::TrialState::Starting;
    m_model->setSweep(sampleSweep(1, 4), trials);
    QCOMPARE(at(1, Column::Duration, TrialTableModel::RawRole).toDouble(), 10.0);

    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_now += 5 * second;
    m_model->tick();

    QCOMPARE(at(1, Column::Duration, TrialTableModel::RawRole).toDouble(), 15.0);
    QCOMPARE(changed.count(), 2);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(changed[i][0].toModelIndex().row(), 1);
        QCOMPARE(changed[i][1].toModelIndex().row(), 2);
        QCOMPARE(changed[i][0].toModelIndex().column(),
                 m_model->section(i == 0 ? Column::Duration : Column::DeviceTime));
    }
}

void TrialTableModelTest::retriedTrialHasTheDurationOfItsLastAttempt()
{
    auto trials = sampleTrials(1, 4);
    finish(trials[0], 0.5, 100 * second, 190 * second);
    trials[0].attempts = 3;
    trials[0].attemptStarted = 180 * second;
    m_model->setSweep(sampleSweep(1, 4), trials);
    QCOMPARE(at(0, Column::Duration, TrialTableModel::RawRole).toDouble(), 10.0);
    QVERIFY(at(0, Column::Duration, Qt::ToolTipRole).toString().contains(QStringLiteral("Attempt 3")));
}

void TrialTableModelTest::deviceTimeCountsEachDevice()
{
    auto trials = sampleTrials(1, 2);
    finish(trials[0], 0.5, 100 * second, 190 * second);
    trials[0].devices = {"cpu:0", "cpu:1", "cpu:2", "cpu:3"};
    m_model->setSweep(sampleSweep(1, 2), trials);
    QCOMPARE(at(0, Column::DeviceTime, TrialTableModel::RawRole).toDouble(), 0.1);
    QCOMPARE(at(0, Column::DeviceTime, Qt::DisplayRole).toString(), QStringLiteral("6 min 00 s"));
    QVERIFY(!at(1, Column::DeviceTime, TrialTableModel::RawRole).isValid());
    QCOMPARE(at(1, Column::DeviceTime, Qt::DisplayRole).toString(), QStringLiteral("–"));
}

void TrialTableModelTest::unknownEnergyIsNotZero()
{
    auto trials = sampleTrials(1, 3);
    trials[0].attempts = 2;
    trials[1].attempts = 2;
    m_model->setSweep(sampleSweep(1, 3), trials);
    launch::SweepEnergy energy;
    energy.add({1, 1, {3'600'000, series::EnergyMethod::Counter}});
    energy.add({1, 2, {900'000, series::EnergyMethod::Power}});
    energy.add({2, 2, {900'000, series::EnergyMethod::Counter}});
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_model->setEnergy(energy);
    m_model->setEnergy(energy);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(at(0, Column::Energy, TrialTableModel::RawRole).toDouble(), 1.25);
    QCOMPARE(at(0, Column::Energy, Qt::DisplayRole).toString(), QStringLiteral("1.25 kWh"));
    QCOMPARE(at(0, Column::Energy, Qt::ToolTipRole).toString(),
             QStringLiteral("Integrated from power readings of the GPUs"));
    for (const int row : {1, 2}) {
        QVERIFY(!at(row, Column::Energy, TrialTableModel::RawRole).isValid());
        QCOMPARE(at(row, Column::Energy, Qt::DisplayRole).toString(), QStringLiteral("–"));
    }
    m_model->setSweep(sampleSweep(2, 3), trials);
    QVERIFY(!at(0, Column::Energy, TrialTableModel::RawRole).isValid());
}

void TrialTableModelTest::waitingTrialHasNoDuration()
{
    m_model->setSweep(sampleSweep(1, 1), sampleTrials(1, 1));
    QVERIFY(!at(0, Column::Duration, TrialTableModel::RawRole).isValid());
}

void TrialTableModelTest::tickWithoutRunningTrialsSignalsNothing()
{
    m_model->setSweep(sampleSweep(1, 3), sampleTrials(1, 3));
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_model->tick();
    QCOMPARE(changed.count(), 0);
}

void TrialTableModelTest::progressOnlyWhileRunning()
{
    auto trials = sampleTrials(1, 2);
    trials[0].state = sweep::TrialState::Running;
    trials[0].progress = 0.25;
    finish(trials[1], 0.5, 0, second);
    m_model->setSweep(sampleSweep(1, 2), trials);
    QCOMPARE(at(0, Column::State, TrialTableModel::ProgressRole).toDouble(), 0.25);
    QVERIFY(!at(1, Column::State, TrialTableModel::ProgressRole).isValid());
}

void TrialTableModelTest::otherSweepChangesColumns()
{
    m_model->setSweep(sampleSweep(1, 3), sampleTrials(1, 3));
    auto other = sampleSweep(2, 1);
    other.parameterNames = {"lr"};
    m_model->setSweep(other, sampleTrials(2, 1));
    QCOMPARE(m_model->columnCount(), 22);
    QCOMPARE(m_model->rowCount(), 1);
    m_model->setSweep({}, {});
    QCOMPARE(m_model->rowCount(), 0);
}

void TrialTableModelTest::choiceSaysHowASearchChoseThePoint()
{
    auto trials = sampleTrials(1, 2);
    trials[1].chosen = facts::Fact(facts::Code::ChosenInSequence).with(facts::Field::Number, std::int64_t{4});
    m_model->setSweep(sampleSweep(1, 2), trials);
    QVERIFY(!m_model->rawValue(0, m_model->section(Column::Choice)).isValid());
    QCOMPARE(at(1, Column::Choice, Qt::DisplayRole), QStringLiteral("Point 4 of the Sobol sequence"));
    QCOMPARE(at(1, Column::Choice, Qt::ToolTipRole), QStringLiteral("Point 4 of the Sobol sequence"));
}

void TrialTableModelTest::elidedReasonIsInTheToolTip()
{
    auto trials = sampleTrials(1, 1);
    const std::string detail(300, 'x');
    trials[0].reason = facts::Fact(facts::Code::OtherFailure).with(facts::Field::Detail, detail);
    m_model->setSweep(sampleSweep(1, 1), trials);
    for (const Column column : {Column::Cause, Column::State})
        QVERIFY(at(0, column, Qt::ToolTipRole).toString().compare(QString::fromStdString(detail), Qt::CaseInsensitive)
                == 0);
}

void TrialTableModelTest::reasonBeginsWithTheException()
{
    std::vector<sweep::TrialRecord> trials = sampleTrials(1, 1);
    trials[0].state = sweep::TrialState::Failed;
    trials[0].reason = facts::Fact(facts::Code::RankExited)
                           .with(facts::Field::Rank, 0)
                           .with(facts::Field::ExitCode, 1)
                           .with(facts::Field::IsError, 1)
                           .with(facts::Field::Detail, "IndexError: list index out of range")
                           .with(facts::Field::Source, "train.py:6");
    m_model->setSweep(sampleSweep(1, 1), trials);
    QCOMPARE(at(0, Column::Cause, Qt::DisplayRole).toString(),
             QStringLiteral("IndexError: list index out of range (train.py:6)"));
    QVERIFY(at(0, Column::Cause, Qt::ToolTipRole).toString().startsWith(QStringLiteral("Rank 0 exited with code 1")));
    // The state says it already.
    trials[0].state = sweep::TrialState::Queued;
    trials[0].reason = facts::Code::Queued;
    m_model->setSweep(sampleSweep(1, 1), trials);
    QCOMPARE(at(0, Column::Cause, Qt::DisplayRole).toString(), QString());
}

void TrialTableModelTest::metricsHaveSeparateColumns()
{
    auto trials = sampleTrials(1, 2);
    trials[1].metrics = {{"lr", 0.01, 9, 0.001, 0.1}, {"loss", std::nan(""), 9, 0.25, 8}};
    m_model->setSweep(sampleSweep(1, 2), trials);
    const int last = m_model->metricSection(QStringLiteral("loss"));
    const int low = m_model->metricSection(QStringLiteral("loss"), Column::MetricLow);
    const int high = m_model->metricSection(QStringLiteral("loss"), Column::MetricHigh);
    QCOMPARE(high, m_model->columnCount() - 1);
    QCOMPARE(m_model->columnKind(last), Column::Metric);
    QCOMPARE(m_model->columnKind(low), Column::MetricLow);
    QCOMPARE(m_model->headerData(last, Qt::Horizontal).toString(), QStringLiteral("loss"));
    QCOMPARE(m_model->headerData(low, Qt::Horizontal).toString(), QStringLiteral("Min loss"));
    QVERIFY(std::isnan(m_model->rawValue(1, last).toDouble()));
    QCOMPARE(m_model->rawValue(1, low).toDouble(), 0.25);
    QCOMPARE(m_model->rawValue(1, high).toDouble(), 8.0);
    QVERIFY(!m_model->rawValue(0, last).isValid());
    QCOMPARE(m_model->index(0, last).data().toString(), QStringLiteral("–"));
    QCOMPARE(m_model->exportColumns(low), std::vector<std::string>{"metric_min.loss"});
    // A metric may have a parameter's name; and step metrics have no column by default.
    const int rate = m_model->metricSection(QStringLiteral("lr"));
    QCOMPARE(m_model->columnId(rate), QStringLiteral("metric.lr"));
    QVERIFY(m_model->isUsualMetric(last) && !m_model->isUsualMetric(rate) && !m_model->isUsualMetric(low));
}

void TrialTableModelTest::columnsComeWithNewMetrics()
{
    const QAbstractItemModelTester tester(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto trials = sampleTrials(1, 3);
    m_model->setSweep(sampleSweep(1, 3), trials);
    const int before = m_model->columnCount();
    QSignalSpy inserted(m_model.get(), &QAbstractItemModel::columnsInserted);
    trials[2].metrics = {{"loss", 1, 1, 1, 1}};
    m_model->updateTrials(trials, 3, 3);
    QCOMPARE(m_model->columnCount(), before + 3);
    trials[0].metrics = {{"accuracy", 1, 1, 1, 1}, {"loss", 2, 1, 2, 2}};
    m_model->updateTrials(trials, 1, 1);
    m_model->updateTrials(trials, 1, 3);
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(m_model->columnCount(), before + 6);
    QCOMPARE(m_model->rawValue(0, m_model->metricSection(QStringLiteral("loss"))).toDouble(), 2.0);
    QCOMPARE(m_model->rawValue(0, m_model->metricSection(QStringLiteral("accuracy"))).toDouble(), 1.0);
}

void TrialTableModelTest::numberOfMetricColumnsIsLimited()
{
    const int many = 1000;
    auto trials = sampleTrials(1, many);
    for (auto &trial : trials)
        for (int i = 0; i < 8; ++i)
            trial.metrics.push_back(
                {"val/" + std::to_string(trial.number) + "/m" + std::to_string(i), 1.0 * i, 1, 0, 9});
    m_model->setSweep(sampleSweep(1, many), {});
    const int before = m_model->columnCount();
    const int most = before + 3 * static_cast<int>(exporting::mostMetricNames);
    m_model->setSweep(sampleSweep(1, many), trials);
    QCOMPARE(m_model->columnCount(), most);
    QCOMPARE(m_model->metricSection(QStringLiteral("val/1/m0")), before);
    QVERIFY(m_model->metricSection(QStringLiteral("val/32/m7")) > 0);
    QCOMPARE(m_model->metricSection(QStringLiteral("val/33/m0")), -1);

    // The same, trial by trial.
    m_model->setSweep(sampleSweep(1, many), {});
    for (int number = 1; number <= 64; ++number)
        m_model->updateTrials({trials.begin(), trials.begin() + number}, number, number);
    QCOMPARE(m_model->columnCount(), most);
    QCOMPARE(m_model->metricSection(QStringLiteral("val/33/m0")), -1);
}

void TrialTableModelTest::titlesAreAlignedWithTheirValues()
{
    m_model->setSweep(sampleSweep(1, 5), sampleTrials(1, 5));
    const auto alignment = [this](int section) {
        return m_model->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
    };
    QVERIFY(alignment(m_model->parameterSection(QStringLiteral("optimizer"))) & Qt::AlignLeft);
    QVERIFY(alignment(m_model->parameterSection(QStringLiteral("lr"))) & Qt::AlignRight);
}

void TrialTableModelTest::searchTextsAreCachedAndUpdated()
{
    std::vector<sweep::TrialRecord> trials = sampleTrials(1, 5);
    m_model->setSweep(sampleSweep(1, 5), trials);
    QVERIFY(m_model->makeSearchTexts(3));
    QVERIFY(!m_model->makeSearchTexts(3));
    QVERIFY(!m_model->makeSearchTexts(0));
    QVERIFY(m_model->searchText(0).contains(QStringLiteral("adam")));

    trials[0].parameters.back().second = std::string("lion");
    m_model->updateTrials(trials, 1, 1);
    QVERIFY(m_model->makeSearchTexts(0));  // one has none now
    QVERIFY(!m_model->makeSearchTexts(1));
    QVERIFY(m_model->searchText(0).contains(QStringLiteral("lion")));
    QVERIFY(!m_model->searchText(0).contains(QStringLiteral("adam")));
}

SWEEPSCOPE_TEST(TrialTableModelTest)
#include "tst_trialtablemodel.moc"
