#include "clients/fakenvml/fakedriver.h"
#include "enginefixture.h"
#include "testprogram.h"

#include "base/workspacelayout.h"
#include "device/cpusource.h"
#include "device/cputopology.h"
#include "feed/feedreader.h"
#include "process/cpulist.h"
#include "protocol/engineclient.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <set>
#include <utility>

using namespace sweepscope;

namespace {

/// Two GPUs: the first is lost while a file exists, a call to the second hangs while another one exists.
constexpr const char *script = R"({"gpus": [
  {"uuid": "GPU-a", "name": "Fake H200", "memory": 1000, "utilization": 80, "power": 500, "lost_while": "@lost"},
  {"uuid": "GPU-b", "name": "Fake H200", "memory": 1000, "utilization": 20, "power": 400,
   "processes": [{"pid": 4000001, "memory": 10}], "hangs": {"nvmlDeviceGetPowerUsage": "@hangs"}}]})";

class FakeMachine {
public:
    explicit FakeMachine(const EngineFixture &fixture) : m_fixture(fixture) {}

    const FakeDriver &driver() const { return m_driver; }
    /// Writes a sweep whose trials run on one GPU each, until the file "go" exists.
    QString writeSweep(int trials) const
    {
        QFile file(m_fixture.writeShellSweep(
            text("while ! test -e '%1'; do sleep 0.1; done").arg(m_fixture.path(text("go"))), trials));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("cannot read a test's file");
        QString sweep = QString::fromUtf8(file.readAll());
        sweep.replace(text("kind = \"cpu\"\ncpu_slots = 8"), text("kind = \"gpu\""));
        return m_fixture.write(text("gpus.toml"), sweep);
    }

private:
    const EngineFixture &m_fixture;
    FakeDriver m_driver{script};
};

const protocol::DeviceStatus *find(const protocol::EngineClient &client, const char *id)
{
    const auto &devices = client.devices();
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [id](const auto &device) { return device.id == QLatin1String(id); });
    return found == devices.end() ? nullptr : &*found;
}

/// The first condition of a device.
facts::Fact conditionOf(const protocol::EngineClient &client, const char *id)
{
    const protocol::DeviceStatus *device = find(client, id);
    return device != nullptr && !device->conditions.empty() ? device->conditions.front() : facts::Fact();
}

/// How often this quantity was written.
int readingsOf(const EngineFixture &fixture, const std::string &series)
{
    class Counter : public feed::RecordVisitor {
    public:
        explicit Counter(std::string series) : m_wanted(std::move(series)) {}
        void series(const feed::SeriesDeclaration &declaration) override
        {
            if (declaration.name == m_wanted)
                m_ids.insert(declaration.id);
        }
        void point(const feed::Point &point) override { m_count += m_ids.contains(point.series) ? 1 : 0; }
        int count() const { return m_count; }

    private:
        std::string m_wanted;
        std::set<std::uint16_t> m_ids;
        int m_count = 0;
    };
    Counter counter(series);
    feed::FeedReader reader(WorkspaceLayout{fixture.workspace().toStdString()}.devicesFeed(), {});
    while (reader.poll(counter, 1024 * 1024).value_or(0) > 0) {
    }
    return counter.count();
}

}  // namespace

/// What the engine reports about its devices while sweeps run on them.
class TestDevices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void problemsOfAGpuAreReportedAndStopNothing()
    {
        EngineFixture fixture;
        const FakeMachine machine(fixture);
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("run"), machine.writeSweep(2)}).exitCode, 0);
        protocol::EngineClient client;
        QVERIFY2(client.connectAndWait(fixture.workspace(), false, patience), qPrintable(client.errorText()));
        QVERIFY(find(client, "GPU-a") != nullptr && find(client, "GPU-a")->simulated);
        QVERIFY2(QTest::qWaitFor([&] { return !find(client, "GPU-b")->processes.empty(); }, patience),
                 "who uses a GPU is told");
        QCOMPARE(find(client, "GPU-b")->processes.front().pid, 4'000'001);
        QVERIFY(find(client, "GPU-a")->conditions.empty());

        machine.driver().put("lost");
        machine.driver().put("hangs");
        const auto becomes = [&client](const char *id, facts::Code code) {
            return QTest::qWaitFor([&] { return conditionOf(client, id).code == code; }, patience);
        };
        QVERIFY(becomes("GPU-a", facts::Code::GpuLost));
        QVERIFY(becomes("GPU-b", facts::Code::GpuNotAnswering));
        QCOMPARE(conditionOf(client, "GPU-b").text(facts::Field::Detail), std::string("nvmlDeviceGetPowerUsage"));
        QVERIFY2(client.devicesNote().isEmpty(), "it is about GPUs that are not listed");

        // The second trial gets neither, until one of them is back.
        fixture.write(text("go"), text("x"));
        const auto waitsFor = [&client](facts::Code code, int gpu) {
            const qint64 sweepId = client.sweeps().front().id;
            return std::ranges::any_of(client.trials(sweepId), [&](const sweep::TrialRecord &trial) {
                return trial.number == 2 && trial.reason.code == facts::Code::WaitingForDevices
                       && std::ranges::any_of(trial.reason.because, [&](const facts::Fact &cause) {
                              return cause.code == code && cause.integer(facts::Field::Index) == gpu;
                          });
            });
        };
        QVERIFY2(QTest::qWaitFor(
                     [&] { return waitsFor(facts::Code::GpuLost, 0) && waitsFor(facts::Code::GpuNotAnswering, 1); },
                     patience),
                 qPrintable(fixture.trialCause(2)));
        machine.driver().remove("lost");
        QVERIFY(fixture.waitForSweepState(text("completed"), patience));
        machine.driver().remove("hangs");
        fixture.endEngine();
        QCOMPARE(fixture.enginePid(), 0);
    }

    void devicesAreReadForAWatchingClientWithoutTrials()
    {
        EngineFixture fixture;
        const FakeMachine machine(fixture);
        QVERIFY(fixture.startEngine({text("--idle-exit"), text("1")}));
        {
            protocol::EngineClient client;
            QVERIFY2(client.connectAndWait(fixture.workspace(), false, patience), qPrintable(client.errorText()));
            QVERIFY(find(client, "GPU-b") != nullptr && find(client, "GPU-b")->processes.empty());
            QCOMPARE(readingsOf(fixture, "GPU-a.utilization"), 0);
            client.watchDevices(true);
            QVERIFY2(QTest::qWaitFor([&] { return readingsOf(fixture, "GPU-a.utilization") >= 2; }, patience),
                     "what they do is written");
            QVERIFY2(QTest::qWaitFor([&] { return !find(client, "GPU-b")->processes.empty(); }, patience),
                     "and who uses them is told");
            machine.driver().put("lost");
            QVERIFY(
                QTest::qWaitFor([&] { return conditionOf(client, "GPU-a").code == facts::Code::GpuLost; }, patience));
            machine.driver().remove("lost");
            QVERIFY(QTest::qWaitFor([&] { return find(client, "GPU-a")->conditions.empty(); }, patience));

            client.watchDevices(false);  // one more may be under way
            int before = -1;
            QElapsedTimer quiet;
            QVERIFY2(QTest::qWaitFor(
                         [&] {
                             const int now = readingsOf(fixture, "GPU-a.utilization");
                             if (std::exchange(before, now) != now)
                                 quiet.start();
                             return quiet.hasExpired(3000);
                         },
                         patience),
                     "nobody looks, and it is read on and on");
            client.watchDevices(true);
            QVERIFY(QTest::qWaitFor([&] { return readingsOf(fixture, "GPU-a.utilization") > before; }, patience));
        }
        // Its client is gone and nothing runs: the engine ends as usual.
        QVERIFY(QTest::qWaitFor([&] { return fixture.enginePid() == 0; }, patience));
    }

    void ranksOfConcurrentTrialsHaveSeparateCores()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine());
        const QString script = text("grep Cpus_allowed_list /proc/self/status >> \"%1-$1\"; "
                                    "while ! test -e '%2'; do sleep 0.1; done")
                                   .arg(fixture.path(text("cpus")), fixture.path(text("go")));
        QCOMPARE(
            fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 2, {}, text("concurrent = 2\n"))}).exitCode,
            0);
        const auto given = [&](int trial) { return fixture.lines(text("cpus-%1").arg(trial)).value(0); };
        QVERIFY(QTest::qWaitFor([&] { return !given(1).isEmpty() && !given(2).isEmpty(); }, patience));
        const auto cpusOf = [&](int trial) {
            return process::parseCpuList(given(trial).section(u'\t', 1).toStdString()).value_or(std::vector<int>());
        };
        const std::vector<int> first = cpusOf(1);
        const std::vector<int> second = cpusOf(2);
        QVERIFY(!first.empty() && !second.empty());
        const std::set<int> allowed = device::allowedCores();
        const bool isEnough = device::cpuTopologyHere().cores.size() >= 2 && device::cpuTopologyHere().quota == 0;
        for (const int cpu : first)
            QVERIFY2(!isEnough || std::find(second.begin(), second.end(), cpu) == second.end(), "a core of both");
        QVERIFY2(isEnough || first == std::vector<int>(allowed.begin(), allowed.end()), "one core: nobody is bound");
        if (isEnough) {
            const QString history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("1")}).out;
            QVERIFY2(history.contains(text("rank 0 on    core 0; bound to CPU ")
                                      + QString::fromStdString(process::cpuListText(first)) + text(", ")),
                     qPrintable(history));
        }
        fixture.write(text("go"), text("x"));
        QVERIFY(fixture.waitForSweepState(text("completed"), patience));
    }

    void coresOfATrialOnAGpuAreReportedAsHeldByIt()
    {
        if (device::cpuTopologyHere().quota > 0)
            QSKIP("a cgroup limits the time of the cores, so nobody is bound to any");
        EngineFixture fixture;
        const FakeMachine machine(fixture);
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("run"), machine.writeSweep(1)}).exitCode, 0);
        protocol::EngineClient client;
        QVERIFY2(client.connectAndWait(fixture.workspace(), false, patience), qPrintable(client.errorText()));
        const auto coresOfTrial = [&client] {
            const protocol::DeviceHolder holder{client.sweeps().at(0).id,
                                                QString::fromStdString(client.sweeps().at(0).name), 1};
            return std::ranges::count_if(client.devices(), [&](const protocol::DeviceStatus &device) {
                return !device.gpu && device.holders == std::vector{holder};
            });
        };
        QVERIFY2(QTest::qWaitFor([&] { return coresOfTrial() > 0; }, patience), "its ranks are bound to cores");
        QVERIFY(std::ranges::any_of(client.devices(),
                                    [](const auto &device) { return device.gpu && !device.holders.empty(); }));
        fixture.write(text("go"), text("x"));
        QVERIFY(fixture.waitForSweepState(text("completed"), patience));
        QVERIFY2(QTest::qWaitFor([&] { return coresOfTrial() == 0; }, patience), "and then they are free");
    }

    void deviceReadingsAreExported()
    {
        EngineFixture fixture;
        const FakeMachine machine(fixture);
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("run"), machine.writeSweep(1)}).exitCode, 0);
        const QString file = fixture.path(text("devices.csv"));
        std::vector<std::map<QString, QString>> rows;
        const auto has = [&rows](const char *column, const char *value, const char *series, const char *simulated) {
            return std::any_of(rows.begin(), rows.end(), [&](const auto &row) {
                return row.at(text(column)) == text(value) && row.at(text("series")) == text(series)
                       && row.at(text("simulated")) == text(simulated);
            });
        };
        const auto isComplete = [&] {
            if (fixture.sweepctl({text("export"), text("1"), text("--devices"), file}).exitCode != 0)
                return false;
            rows = readCsv(file);
            return has("device", "GPU-a", "power", "true") && has("device", "monitor", "cpu", "false")
                   && has("rank", "0", "memory", "false");
        };
        QVERIFY(QTest::qWaitFor(isComplete, patience));
        QVERIFY(has("device", "GPU-b", "utilization", "true"));
        QVERIFY(!has("device", "GPU-b", "power", "false"));
        QVERIFY2(!has("device", "GPU-a", "temperature", "true"), "what is not known has no rows");
        fixture.write(text("go"), text("x"));
        QVERIFY(fixture.waitForSweepState(text("completed"), patience));
    }
};

SWEEPSCOPE_TEST(TestDevices)
#include "tst_devices.moc"
