#include "testprogram.h"

#include "engine/attemptlaunch.h"
#include "sweep/launchpreparation.h"

#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::engine;

namespace {

const Programs programs{"/bin/agent", "/bin/worker", "/share/python"};

sweep::SweepRecord sweepIn(const std::string &baseFolder)
{
    sweep::SweepRecord record;
    record.id = 3;
    record.name = "digits";
    record.baseFolder = baseFolder;
    return record;
}

sweep::TrialRecord trialWith(sweep::ParameterSet parameters)
{
    sweep::TrialRecord trial;
    trial.number = 7;
    trial.seed = 42;
    trial.ranks = 2;
    trial.attempts = 2;
    trial.parameters = std::move(parameters);
    return trial;
}

bool hasSetting(const std::vector<std::string> &argv, const std::string &setting)
{
    const auto found = std::find(argv.begin(), argv.end(), setting);
    return found != argv.end() && found != argv.begin() && *(found - 1) == "--set";
}

}  // namespace

class TestAttemptLaunch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void builtinWorkerGetsParametersAfterSettings()
    {
        sweep::SweepSpec spec;
        spec.run.backend = "gloo";
        spec.run.settings = {{"lr", 0.5}, {"epochs", std::int64_t{5}}, {"data_folder", std::string("data")}};
        const auto argv =
            builtinCommand("/bin/worker", spec, trialWith({{"lr", 0.1}, {"seed", std::int64_t{42}}}), "/base");
        QCOMPARE(argv[0], std::string("/bin/worker"));
        QCOMPARE(argv[1], std::string("--seed"));
        QCOMPARE(argv[2], std::string("42"));
        QCOMPARE(argv[3], std::string("--backend"));
        QCOMPARE(argv[4], std::string("gloo"));
        QVERIFY(hasSetting(argv, "lr=0.1"));
        QVERIFY(!hasSetting(argv, "lr=0.5"));
        QVERIFY(hasSetting(argv, "epochs=5"));
        QVERIFY2(hasSetting(argv, "data_folder=/base/data"), "relative paths start at the sweep file");
        QVERIFY2(!hasSetting(argv, "seed=42"), "the seed has its own option");
    }

    void commandIsExpandedAndRunsInItsWorkingFolder()
    {
        sweep::SweepSpec spec;
        spec.run.worker = sweep::WorkerKind::Command;
        spec.run.command = {"python3", "train.py", "--lr", "{lr}"};
        spec.run.environmentFile = "../keys/{lr}.env";
        spec.run.workingFolder = "../code/{lr}";
        spec.run.environment = {{"A", "b"}, {"LR", "x{lr}-{seed}"}, {"JSON", "{{}}"}};
        spec.run.timeout = std::chrono::seconds(90);
        spec.devices.concurrent = 2;
        const schedule::Allocation devices{{{"cpu:0"}, {"cpu:1"}}, {{{0, 1}, {2, 3}}, 2}};
        const auto launch =
            makeLaunchSpec(programs, sweepIn("/base/sweeps"), spec, trialWith({{"lr", 0.1}}), "id", devices);
        QVERIFY(launch.has_value());
        QCOMPARE(launch->argv, (std::vector<std::string>{"python3", "train.py", "--lr", "0.1"}));
        QCOMPARE(launch->workingFolder, std::string("/base/code/0.1"));
        QVERIFY2(launch->environmentFile == "/base/keys/{lr}.env", "the path has no placeholders");
        QCOMPARE(launch->attemptId, std::string("id"));
        QCOMPARE(launch->trial, 7);
        QCOMPARE(launch->attempt, 2);
        QCOMPARE(launch->ranks, 2);
        QCOMPARE(launch->devices, devices.perRank);
        QCOMPARE(launch->ompThreads, 2);
        QCOMPARE(launch->cpus, devices.cpu.cpus);
        QVERIFY(launch->timeout == std::chrono::seconds(90));
        QCOMPARE(launch->environment.at("A"), std::string("b"));
        QCOMPARE(launch->environment.at("LR"), "x0.1-" + std::to_string(trialWith({}).seed));
        QCOMPARE(launch->environment.at("JSON"), std::string("{}"));
        QCOMPARE(launch->pythonPath, std::string("/share/python"));
    }

    void parametersReachTheRankAsJson()
    {
        sweep::SweepSpec spec;
        spec.run.worker = sweep::WorkerKind::Command;
        spec.run.command = {"train"};
        const auto trial =
            trialWith({{"lr", 0.1}, {"layers", std::int64_t{3}}, {"name", std::string("two words")}, {"bias", true}});
        const auto launch = makeLaunchSpec(programs, sweepIn("/base"), spec, trial, "id", {});
        QVERIFY(launch.has_value());
        QCOMPARE(launch->environment.at("SWEEPSCOPE_PARAMS"),
                 std::string("{\"bias\":true,\"layers\":3,\"lr\":0.1,\"name\":\"two words\"}"));
    }

    void unknownPlaceholderIsAnError()
    {
        sweep::SweepSpec spec;
        spec.run.worker = sweep::WorkerKind::Command;
        spec.run.command = {"train", "{nothing}"};
        QVERIFY(!makeLaunchSpec(programs, sweepIn("/base"), spec, trialWith({}), "id", {}).has_value());
    }

    void threadsSetByTheUserAreRead()
    {
        qunsetenv("OMP_NUM_THREADS");
        sweep::SweepSpec spec;
        QCOMPARE(sweep::requestedThreads(spec, {}), 0);
        spec.run.worker = sweep::WorkerKind::Builtin;
        spec.run.settings = {{"threads", std::int64_t{3}}};
        QCOMPARE(sweep::requestedThreads(spec, {}), 3);
        QCOMPARE(sweep::requestedThreads(spec, {{"threads", std::int64_t{5}}}), 5);
        spec.run.worker = sweep::WorkerKind::Command;
        QCOMPARE(sweep::requestedThreads(spec, {}), 0);
        qputenv("OMP_NUM_THREADS", "7");
        QCOMPARE(sweep::requestedThreads(spec, {}), 7);
        spec.run.environment = {{"OMP_NUM_THREADS", "2,1"}};
        QCOMPARE(sweep::requestedThreads(spec, {}), 2);
        spec.run.environment = {{"OMP_NUM_THREADS", "{n}"}};
        QCOMPARE(sweep::requestedThreads(spec, {}), 0);
        qunsetenv("OMP_NUM_THREADS");
    }
};

SWEEPSCOPE_TEST(TestAttemptLaunch)
#include "tst_attemptlaunch.moc"
