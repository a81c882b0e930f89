#include "base/workspacelayout.h"
#include "engine/database.h"
#include "engine/storereader.h"
#include "enginefixture.h"
#include "launch/attemptevents.h"
#include "testprogram.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <random>
#include <signal.h>

using namespace sweepscope;

namespace {

constexpr int trials = 6;
constexpr int rungEvery = 50;

struct Point {
    int attempt = 0;
    qint64 step = 0;
    double value = 0;
};
using Curves = std::map<std::pair<int, QString>, std::vector<Point>>;  // trial and series

/// Returns all points that rank 0 has reported, in order.
Curves curvesOf(const EngineFixture &fixture)
{
    const QString file = fixture.path(text("curves.csv"));
    if (fixture.sweepctl({text("export"), text("1"), text("--curves"), file}).exitCode != 0)
        return {};
    Curves curves;
    for (const auto &row : readCsv(file))
        curves[{row.at(text("trial")).toInt(), row.at(text("series"))}].push_back(
            {row.at(text("attempt")).toInt(), row.at(text("step")).toLongLong(), row.at(text("value")).toDouble()});
    return curves;
}

/// Returns the attempts of a trial that continue one another, according to the ranks' own notes.
std::vector<Point> chainOf(const EngineFixture &fixture, const std::vector<Point> &points, int trial)
{
    int first = 1;
    for (const QString &line : fixture.lines(text("begun"))) {
        const QStringList words = line.split(QLatin1Char(' '));
        const int attempt = words.at(1).toInt();
        const bool reported = std::ranges::any_of(points, [&](const Point &point) { return point.attempt == attempt; });
        if (words.at(0).toInt() == trial && words.at(2).toInt() == 1 && reported)
            first = std::max(first, attempt);
    }
    std::vector<Point> chain;
    std::ranges::copy_if(points, std::back_inserter(chain), [&](const Point &point) { return point.attempt >= first; });
    return chain;
}

double lowest(const std::vector<Point> &points, qint64 upTo = std::numeric_limits<qint64>::max())
{
    double value = std::numeric_limits<double>::infinity();
    for (const Point &point : points)
        value = point.step <= upTo ? std::min(value, point.value) : value;
    return value;
}

double highest(const std::vector<Point> &points)
{
    return std::ranges::max_element(points, {}, &Point::value)->value;
}

pid_t rankPid(const EngineFixture &fixture, int trial, int attempt)
{
    const WorkspaceLayout layout{fixture.workspace().toStdString()};
    const std::string folder = fixture.sweep().value(text("folder")).toString().toStdString();
    launch::AttemptEventReader events(layout.attempt(folder, trial, attempt).eventsFile());
    for (const launch::AttemptEvent &event : events.poll()) {
        if (event.kind == launch::AttemptEventKind::RankStarted)
            return event.pid;
    }
    return 0;
}

void kill(pid_t pid)
{
    if (pid > 0)
        ::kill(pid, SIGKILL);
}

/// Disturbs a trial in a way that fits its state.
void disturb(EngineFixture &fixture, const QJsonObject &trial, std::mt19937 &random)
{
    const int number = trial.value(text("number")).toInt();
    const int attempt = trial.value(text("attempts")).toInt();
    const QString state = trial.value(text("state")).toString();
    const auto ask = [&](const QStringList &words) {
        (void)fixture.sweepctl(QStringList{words.first(), text("1"), text("-t"), QString::number(number)}
                               + words.mid(1));
    };
    if (state == text("paused"))
        return ask({text("resume")});
    if (state == text("failed") || state == text("lost") || state == text("stopped"))
        return ask({text("retry")});
    if (state != text("running"))
        return;
    switch (random() % 5) {
    case 0:
        return ask({text("pause")});
    case 1:
        return ask({text("stop"), text("--checkpoint")});
    case 2:
        return ask({text("stop")});
    case 3:
        return kill(rankPid(fixture, number, attempt));
    default:
        return kill(fixture.agentPid(number, attempt));
    }
}

}  // namespace

/// A trial's reports count over all attempts that continue one another, with real engines, agents and ranks.
class TestTrialPast : public QObject {
    Q_OBJECT

private:
    static void compare(const EngineFixture &fixture, const Curves &curves)
    {
        const QString file = fixture.path(text("trials.csv"));
        QCOMPARE(fixture.sweepctl({text("export"), text("1"), text("--trials"), file}).exitCode, 0);
        const auto table = readCsv(file);
        const QJsonArray status = fixture.sweep().value(text("trials")).toArray();
        QCOMPARE(status.size(), trials);
        QVERIFY2(std::ranges::any_of(status,
                                     [](const QJsonValue &trial) {
                                         return trial[text("attempts")].toInt() > trial[text("first_attempt")].toInt();
                                     }),
                 "no trial went on from a checkpoint: this tests nothing");
        for (int trial = 1; trial <= trials; ++trial) {
            const std::vector<Point> loss = chainOf(fixture, curves.at({trial, text("loss")}), trial);
            const std::vector<Point> speed = chainOf(fixture, curves.at({trial, text("speed")}), trial);
            const auto best = std::ranges::min_element(loss, {}, &Point::value);
            const QJsonObject told = status.at(trial - 1).toObject();
            const QJsonObject metric = told.value(text("metrics")).toObject().value(text("speed")).toObject();
            const std::map<QString, QString> &row = table.at(static_cast<std::size_t>(trial - 1));
            const QByteArray place = "trial " + QByteArray::number(trial) + " of "
                                     + QByteArray::number(told.value(text("attempts")).toInt()) + " attempts";
            QVERIFY2(told.value(text("objective_best")).toObject().value(text("value")).toDouble() == best->value,
                     place);
            QVERIFY2(told.value(text("objective_best")).toObject().value(text("step")).toInteger() == best->step,
                     place);
            QVERIFY2(told.value(text("objective_last")).toObject().value(text("value")).toDouble() == loss.back().value,
                     place);
            QVERIFY2(told.value(text("step")).toInteger() == loss.back().step, place);
            QVERIFY2(told.value(text("first_attempt")).toInt() == loss.front().attempt, place);
            QVERIFY2(metric.value(text("min")).toDouble() == lowest(speed), place);
            QVERIFY2(metric.value(text("max")).toDouble() == highest(speed), place);
            QCOMPARE(row.at(text("objective_best")).toDouble(), best->value);
            QCOMPARE(row.at(text("objective_best_step")).toLongLong(), best->step);
            QCOMPARE(row.at(text("objective_last")).toDouble(), loss.back().value);
            QCOMPARE(row.at(text("first_attempt")).toInt(), loss.front().attempt);
            QCOMPARE(row.at(text("metric.speed")).toDouble(), speed.back().value);
            QCOMPARE(row.at(text("metric_min.speed")).toDouble(), lowest(speed));
            QCOMPARE(row.at(text("metric_max.speed")).toDouble(), highest(speed));
        }
    }

    /// Compares the values that the pruner uses.
    static void compareRungs(const EngineFixture &fixture, const Curves &curves)
    {
        const auto database =
            engine::Database::openForReading(WorkspaceLayout{fixture.workspace().toStdString()}.database());
        QVERIFY(database.has_value());
        std::map<std::pair<int, qint64>, double> stored;
        const auto log = engine::StoreReader(**database).pruneLog(1);
        QVERIFY(log.has_value());
        for (const pruning::LogEntry &entry : *log) {
            if (entry.event == pruning::LogEntry::Event::Reached)
                stored[{entry.trial, entry.value.rung}] = entry.value.best;
            else if (entry.event == pruning::LogEntry::Event::StartedOver)
                std::erase_if(stored, [&](const auto &each) { return each.first.first == entry.trial; });
        }
        std::map<std::pair<int, qint64>, double> expected;
        for (int trial = 1; trial <= trials; ++trial) {
            const std::vector<Point> chain = chainOf(fixture, curves.at({trial, text("loss")}), trial);
            const qint64 reached = std::ranges::max_element(chain, {}, &Point::step)->step;
            for (qint64 rung = rungEvery; rung <= reached; rung += rungEvery)
                expected[{trial, rung}] = lowest(chain, rung);
        }
        QCOMPARE(stored, expected);
    }

private Q_SLOTS:
    void trialKeepsReportsOfAllContinuedAttempts()
    {
        EngineFixture fixture;
        const QString file = fixture.write(text("train.toml"),
                                           text("[sweep]\nname = \"past\"\nobjective = \"loss\"\ngoal = \"minimize\"\n"
                                                "[space]\nn = { int = [1, %1] }\n"
                                                "[run]\ncommand = [\"python3\", \"%2\", \"300\"]\n"
                                                "[prune]\nfirst_step = %3\nmin_trials = 1000\n"
                                                "[devices]\nkind = \"cpu\"\ncpu_slots = 8\nconcurrent = %1\n")
                                               .arg(trials)
                                               .arg(text(RESUMES))
                                               .arg(rungEvery));
        const auto begun = fixture.sweepctl({text("run"), file});
        QVERIFY2(begun.exitCode == 0, qPrintable(begun.err));
        const unsigned seed = 20'261'125;
        std::mt19937 random(seed);
        for (int i = 0; i < 60; ++i) {
            if (random() % 8 == 0) {
                fixture.killEngine();
                QVERIFY(fixture.startEngine());
            }
            const QJsonArray now = fixture.sweep().value(text("trials")).toArray();
            QVERIFY(now.size() == trials);
            disturb(fixture, now.at(static_cast<int>(random() % trials)).toObject(), random);
        }
        // Then lets everything that does not run continue until all are done.
        QVERIFY(QTest::qWaitFor(
            [&] {
                bool done = true;
                for (const QJsonValue &trial : fixture.sweep().value(text("trials")).toArray()) {
                    const QString state = trial.toObject().value(text("state")).toString();
                    if (state != text("running"))
                        disturb(fixture, trial.toObject(), random);
                    done = done && state == text("completed");
                }
                return done;
            },
            300'000));
        QVERIFY(fixture.waitForSweepState(text("completed")));
        const Curves curves = curvesOf(fixture);
        compare(fixture, curves);
        if (!QTest::currentTestFailed())
            compareRungs(fixture, curves);
        fixture.killEngine();
        if (!QTest::currentTestFailed())
            compare(fixture, curves);  // according to the database
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void trialIsComparedByAllReportsUnlessItStartsFromScratch()
    {
        EngineFixture fixture;
        const char *const script =
            "report() { for i in $(seq $1 $2); do echo \"step $i loss=$3\"; done; }\n"
            "waits() { until test -e go; do sleep 0.05; done; }\n"
            "case $1 in\n"
            "1) report 1 5 5;;\n"
            // Better than the first trial, then worse; it resumes.
            "2) if mkdir tried2; then report 1 3 1; exit 3; else report 4 5 9; waits; fi;;\n"
            // The same, from scratch.
            "3) if mkdir tried3; then report 1 5 0.5; exit 3; else report 1 5 9; sleep 1000; fi;;\n"
            "esac";
        const QString file = fixture.writeShellSweep(
            text(script), 3,
            text("retries = 1\n[run.metrics]\nstep = 'step (\\d+)'\nseries = { loss = 'loss=(\\S+)' }\n"),
            text("concurrent = 1\n[prune]\nfirst_step = 5\nmin_trials = 2\n"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        const auto trialIs = [&](int number, const char *state, int step) {
            const QJsonObject trial = fixture.sweep().value(text("trials")).toArray().at(number - 1).toObject();
            return trial.value(text("state")).toString() == text(state) && trial.value(text("attempts")).toInt() == 2
                   && trial.value(text("step")).toInt() == step;
        };
        QVERIFY(QTest::qWaitFor([&] { return trialIs(2, "running", 5) || trialIs(2, "pruned", 5); }, 60'000));
        QVERIFY2(trialIs(2, "running", 5), qPrintable(fixture.trialCause(2)));
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("completed"), text("pruned")}));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }
};

SWEEPSCOPE_TEST(TestTrialPast)
#include "tst_trialpast.moc"
