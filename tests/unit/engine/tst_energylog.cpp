#include "testprogram.h"

#include "engine/energylog.h"
#include "feed/logwriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace std::chrono_literals;

class TestEnergyLog : public QObject {
    Q_OBJECT

    static constexpr WallNs second = 1'000'000'000;
    static constexpr WallNs start = 1'763'674'200 * second;

    QTemporaryDir m_folder;
    WorkspaceLayout m_workspace;
    std::filesystem::path m_file;

    /// Each GPU consumes 100 W, as its counter says.
    void record(const std::string &machine, const std::vector<std::string> &gpus, int from, int until)
    {
        std::filesystem::create_directories(m_workspace.devicesFeed(machine).parent_path());
        auto writer = feed::LogWriter::open(m_workspace.devicesFeed(machine), {0, 0, start, "devices"}).value();
        for (int time = from; time <= until; ++time) {
            writer.write(writer.declare("host.memory_used", "B"), time, start + time * second, 1);
            for (const std::string &gpu : gpus) {
                writer.write(writer.declare(gpu + ".power", "W"), time, start + time * second, 99);
                writer.write(writer.declare(gpu + ".energy", "J"), time, start + time * second, 100.0 * time);
            }
            if (time % 1000 == 0)
                QVERIFY(writer.flush());
        }
        QVERIFY(writer.flush());
    }

    EnergyLog::Attempt attempt(int trial, std::vector<std::string> devices, int began = 0) const
    {
        return {"1-" + std::to_string(trial), m_file, trial, 1, std::move(devices), start + began * second};
    }

    double joules(int trial) const
    {
        const auto energy = launch::readEnergy(m_file).ofTrial(trial, 1);
        return energy ? energy->joules : -1;
    }

private Q_SLOTS:
    void init()
    {
        m_workspace.root = m_folder.filePath(QLatin1String(QTest::currentTestFunction())).toStdString();
        const std::filesystem::path sweep = m_workspace.sweepFolder("0001-s");
        std::filesystem::create_directories(sweep);
        m_file = launch::energyFile(sweep);
    }

    void attemptThatEndedHasALine()
    {
        record({}, {"GPU-a", "GPU-b"}, 0, 60);
        {
            EnergyLog log(m_workspace, {1ms, 1ms});
            log.begin(attempt(1, {"GPU-a", "GPU-b"}, 10));
            log.begin(attempt(2, {"GPU-a"}, 55));
            log.end("1-1", start + 50 * second);
        }
        QCOMPARE(joules(1), 2 * 40 * 100.0);
        QCOMPARE(joules(2), -1.0);
    }

    void sharedGpuIsDividedByRanks()
    {
        record({}, {"GPU-a"}, 0, 60);
        {
            EnergyLog log(m_workspace, {1ms, 1ms});
            log.begin(attempt(1, {"GPU-a"}, 0));
            log.begin(attempt(2, {"GPU-a", "GPU-a", "GPU-a"}, 10));
            log.end("1-1", start + 30 * second);
            log.begin(attempt(3, {"GPU-a"}, 40));
            log.end("1-2", start + 50 * second);
            log.end("1-3", start + 50 * second);
        }
        QCOMPARE(joules(1), 1000 + 20 * 100 * 0.25);
        QCOMPARE(joules(2), 20 * 100 * 0.75 + 10 * 100 + 10 * 100 * 0.75);
        QCOMPARE(joules(3), 10 * 100 * 0.25);
    }

    void unknownEnergyHasNoLine()
    {
        record({}, {"GPU-a"}, 0, 60);
        {
            EnergyLog log(m_workspace, {1ms, 1ms});
            log.begin(attempt(1, {"cpu:0", "cpu:1"}));
            log.begin(attempt(2, {"job:0@localhost"}));
            log.begin(attempt(3, {"GPU-b"}));
            log.begin(attempt(4, {"GPU-a", "GPU-b"}));
            log.begin(attempt(5, {"GPU-a@elsewhere"}));
            for (int trial = 1; trial <= 6; ++trial)
                log.end("1-" + std::to_string(trial), start + 30 * second);
        }
        QVERIFY(!std::filesystem::exists(m_file));
    }

    void useIsTheSumOfAllEnginesAndCountsWhatIsUnknown()
    {
        record({}, {"GPU-a"}, 0, 60);
        {
            EnergyLog log(m_workspace, {1ms, 1ms});
            QVERIFY(!log.use(m_file).joules);
            QCOMPARE(log.use(m_file).unknown, 0);
            log.begin(attempt(1, {"GPU-a"}));
            log.end("1-1", start + 30 * second);
            log.begin(attempt(2, {"GPU-b"}));
            log.end("1-2", start + 30 * second);
            log.begin(attempt(3, {"cpu:0"}));
            QTRY_COMPARE(log.use(m_file).unknown, 2);
            QTRY_COMPARE(log.use(m_file).joules, std::optional(3000.0));
        }
        EnergyLog next(m_workspace, {1ms, 1ms});
        next.begin(attempt(4, {"GPU-a"}, 40));
        next.end("1-4", start + 50 * second);
        QTRY_COMPARE(next.use(m_file).joules, std::optional(4000.0));
        QCOMPARE(next.use(m_file).unknown, 0);
    }

    void trialOnSeveralMachinesHasTheSum()
    {
        record({}, {"GPU-a"}, 0, 60);
        record("gpu1", {"GPU-a"}, 0, 60);
        {
            EnergyLog log(m_workspace, {1ms, 1ms});
            log.begin(attempt(1, {"GPU-a", "GPU-a@gpu1"}));
            log.end("1-1", start + 30 * second);
        }
        QCOMPARE(joules(1), 6000.0);
    }

    void readingsThatComeLaterAreAwaited()
    {
        record({}, {"GPU-a"}, 0, 10);
        EnergyLog log(m_workspace, {1h, 1h});
        log.begin(attempt(1, {"GPU-a"}));
        log.end("1-1", start + 30 * second);
        QCOMPARE(joules(1), -1.0);
        record({}, {"GPU-a"}, 11, 40);
        QTRY_COMPARE_WITH_TIMEOUT(joules(1), 3000.0, 60'000);
    }

    void longHistoryIsReadFromTheMiddle()
    {
        record({}, {"GPU-a"}, 0, 120'000);
        {
            EnergyLog log(m_workspace, {1ms, 1ms});
            log.begin(attempt(1, {"GPU-a"}, 0));
            log.begin(attempt(2, {"GPU-a"}, 100'000));
            log.end("1-2", start + 110'000 * second);
            log.end("1-1", start + 110'000 * second);
        }
        QCOMPARE(joules(2), 10'000 * 100 * 0.5);
        QCOMPARE(joules(1), 100'000 * 100 + 10'000 * 100 * 0.5);
        GpuHistory history(m_workspace.devicesFeed());
        QCOMPARE(history.follow(), start + 120'000 * second);
        const auto readings = history.read({"GPU-a"}, start + 100'000 * second, start + 100'100 * second);
        QCOMPARE(readings.at("GPU-a").joules.size(), std::size_t{141});
        QCOMPARE(readings.at("GPU-a").watts.size(), std::size_t{141});
    }

    void historyFollowsAReplacedFile()
    {
        record({}, {"GPU-a"}, 0, 60);
        GpuHistory history(m_workspace.devicesFeed());
        QCOMPARE(history.follow(), start + 60 * second);
        std::filesystem::rename(m_workspace.devicesFeed(), m_workspace.devicesFeed().string() + ".old");
        record({}, {"GPU-b", "GPU-a"}, 40, 70);
        QCOMPARE(history.follow(), start + 70 * second);
        const auto readings = history.read({"GPU-a"}, start + 50 * second, start + 60 * second);
        QCOMPARE(readings.at("GPU-a").joules.front().value, 4000.0);
        std::filesystem::remove(m_workspace.devicesFeed());
        QCOMPARE(history.follow(), std::nullopt);
    }
};

SWEEPSCOPE_TEST(TestEnergyLog)
#include "tst_energylog.moc"
