#include "protocol/messages.h"

#include <QCborMap>
#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace Qt::StringLiterals;
using namespace sweepscope;
using namespace sweepscope::protocol;
using protocol::Message;

namespace {

sweep::TrialRecord fullTrial()
{
    sweep::TrialRecord trial;
    trial.number = 7;
    trial.state = sweep::TrialState::Running;
    trial.parameters = {{"batch", std::int64_t{1}}, {"lr", 1.0}, {"nesterov", true}, {"optimizer", std::string("sgd")}};
    trial.seed = std::numeric_limits<std::uint64_t>::max() - 1;
    trial.ranks = 2;
    trial.enqueued = true;
    trial.attempts = 3;
    trial.devices = {"cpu:0", "cpu:1"};
    trial.objectiveLast = sweep::ObjectiveValue{std::numeric_limits<double>::quiet_NaN(), 40};
    trial.metrics = {{"loss", 0.5, 40, 0.25, std::numeric_limits<double>::infinity()},
                     {"größe", std::numeric_limits<double>::quiet_NaN(), -1}};
    trial.objectiveBest = sweep::ObjectiveValue{0.25, 30};
    trial.started = 1'700'000'000'123'456'789;
    trial.paused = 12'000'000'000;
    trial.firstAttempt = 2;
    trial.ran = 7'000'000'000;
    trial.attemptEnded = 1'795'208'868'000'000'000;
    trial.pausedSince = 1'795'208'867'500'000'000;
    trial.attemptStarted = 1'700'000'000'500'000'000;
    trial.step = 41;
    trial.progress = 0.5;
    trial.reason = facts::Fact(facts::Code::OtherFailure).with(facts::Field::Detail, "läuft");
    trial.mark = {true, {"baseline", "größer"}, "two\nlines"};
    return trial;
}

QByteArray payloadOf(const QCborMap &map)
{
    return map.toCborValue().toCbor();
}

QCborMap mapOf(const Message &message)
{
    return QCborValue::fromCbor(protocol::encode(message)).toMap();
}

}  // namespace

class TestProtocol : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialIsReceivedAsSent();
    void sweepIsReceivedAsSent();
    void removalIsReceivedAsSent();
    void requestToContinueIsReceivedAsSent();
    void requestToJoinIsReceivedAsSent();
    void requestToImportIsReceivedAsSent();
    void deviceIsReceivedAsSent();
    void machineIsReceivedAsSent();
    void requestsAndAnswersKeepTheirJob();
    void historyIsReceivedAsSent();
    void wrongHistoryIsRefused();
    void wrongFieldIsRefused_data();
    void wrongFieldIsRefused();
    void garbageIsRefusedWithoutHarm();
    void everyTruncatedMessageIsRefused();
    void tooManyTrialsAreRefused();
};

void TestProtocol::trialIsReceivedAsSent()
{
    const sweep::TrialRecord sent = fullTrial();
    const Expected<Message> message = protocol::decode(protocol::encode(protocol::TrialsChanged{3, {sent}}));
    QVERIFY2(message.has_value(), message ? "" : message.error().message.c_str());
    const auto &changed = std::get<protocol::TrialsChanged>(*message);
    QCOMPARE(changed.sweepId, 3);
    QCOMPARE(changed.trials.size(), 1U);
    const sweep::TrialRecord &got = changed.trials.front();
    QCOMPARE(got.sweepId, 3);
    QCOMPARE(got.number, 7);
    QVERIFY(got.state == sweep::TrialState::Running);
    QVERIFY2(got.parameters == sent.parameters, "1 stays an integer, 1.0 a float");
    QCOMPARE(got.seed, sent.seed);
    QCOMPARE(got.ranks, 2);
    QVERIFY(got.enqueued);
    QCOMPARE(got.attempts, 3);
    QCOMPARE(got.devices, sent.devices);
    QVERIFY(std::isnan(got.objectiveLast->value));
    QCOMPARE(got.objectiveLast->step, 40);
    QCOMPARE(got.metrics.size(), 2U);
    QVERIFY(sweep::isSame(got.metrics, sent.metrics));
    QCOMPARE(got.objectiveBest->value, 0.25);
    QCOMPARE(got.started, sent.started);
    QCOMPARE(got.attemptStarted, sent.attemptStarted);
    QCOMPARE(got.paused, sent.paused);
    QCOMPARE(got.firstAttempt, sent.firstAttempt);
    QCOMPARE(got.ran, sent.ran);
    QCOMPARE(got.attemptEnded, sent.attemptEnded);
    QCOMPARE(got.pausedSince, sent.pausedSince);
    QVERIFY(!got.ended);
    QCOMPARE(got.step, 41);
    QCOMPARE(got.progress, 0.5);
    QVERIFY(got.reason == sent.reason);
    QVERIFY(got.mark == sent.mark);
}

void TestProtocol::removalIsReceivedAsSent()
{
    const auto removed = protocol::decode(protocol::encode(protocol::SweepRemoved{12}));
    QVERIFY2(removed.has_value(), removed ? "" : removed.error().message.c_str());
    QCOMPARE(std::get<protocol::SweepRemoved>(*removed).sweepId, 12);
    QVERIFY(!protocol::decode(protocol::encode(protocol::SweepRemoved{0})).has_value());
}

void TestProtocol::requestToContinueIsReceivedAsSent()
{
    const protocol::ContinueRequest sent{4, 12, {3, 7}, {{"epochs", "60"}, {"name", "größe"}}};
    const auto message = protocol::decode(protocol::encode(sent));
    QVERIFY2(message.has_value(), message ? "" : message.error().message.c_str());
    const auto &got = std::get<protocol::ContinueRequest>(*message);
    QCOMPARE(got.job, sent.job);
    QCOMPARE(got.sweepId, sent.sweepId);
    QVERIFY(got.trials == sent.trials);
    QVERIFY(got.changes == sent.changes);
    for (const std::vector<int> &trials : {std::vector<int>{}, std::vector<int>{0}})
        QVERIFY(!protocol::decode(protocol::encode(protocol::ContinueRequest{4, 12, trials, {}})).has_value());
}

void TestProtocol::requestToJoinIsReceivedAsSent()
{
    const protocol::JoinRequest sent{4, {3, 7}, u"größe"_s, u"loss"_s};
    const auto message = protocol::decode(protocol::encode(sent));
    QVERIFY2(message.has_value(), message ? "" : message.error().message.c_str());
    const auto &got = std::get<protocol::JoinRequest>(*message);
    QCOMPARE(got.job, sent.job);
    QVERIFY(got.sweepIds == sent.sweepIds);
    QCOMPARE(got.name, sent.name);
    QCOMPARE(got.objective, sent.objective);
    for (const std::vector<std::int64_t> &sweeps : {std::vector<std::int64_t>{0}, std::vector<std::int64_t>{3, 3}})
        QVERIFY(!protocol::decode(protocol::encode(protocol::JoinRequest{4, sweeps, {}, {}})).has_value());
}

void TestProtocol::requestToImportIsReceivedAsSent()
{
    const auto message = protocol::decode(protocol::encode(protocol::ImportRequest{4, u"import-7"_s}));
    QVERIFY2(message.has_value(), message ? "" : message.error().message.c_str());
    QCOMPARE(std::get<protocol::ImportRequest>(*message).job, std::uint64_t{4});
    QCOMPARE(std::get<protocol::ImportRequest>(*message).folder, u"import-7"_s);
}

void TestProtocol::deviceIsReceivedAsSent()
{
    DeviceStatus plain;
    plain.id = QStringLiteral("cpu:0");
    DeviceStatus sent;
    sent.id = QStringLiteral("GPU-a");
    sent.gpu = true;
    sent.simulated = true;
    sent.index = 3;
    sent.pciBusId = QStringLiteral("00000000:3B:00.0");
    sent.offered = false;
    sent.conditions = {facts::Fact(facts::Code::GpuLost).with(facts::Field::Index, 3)};
    sent.lease = facts::Code::GpuLeased;
    sent.nearCpus = QStringLiteral("0-31");
    sent.connections = {{QStringLiteral("GPU-b"), QStringLiteral("NV12")},
                        {QStringLiteral("GPU-c"), QStringLiteral("SYS")}};
    sent.processes = {{4711, QStringLiteral("anna"), {}, 1e10, false}, {4712, {}, {}, {}, {}}};
    const auto message = protocol::decode(protocol::encode(protocol::DevicesChanged{{plain, sent}, {}}));
    QVERIFY2(message.has_value(), message ? "" : message.error().message.c_str());
    const auto &devices = std::get<protocol::DevicesChanged>(*message).devices;
    QCOMPARE(devices.size(), 2U);
    QVERIFY2(devices[0].offered && devices[0].conditions.empty() && devices[0].processes.empty() && !devices[0].lease,
             "what is left out is nothing");
    const DeviceStatus &got = devices[1];
    QVERIFY(got.simulated && !got.offered);
    QCOMPARE(got.index, 3);
    QCOMPARE(got.pciBusId, sent.pciBusId);
    QVERIFY(got.conditions == sent.conditions && got.lease == sent.lease);
    QCOMPARE(got.nearCpus, sent.nearCpus);
    QCOMPARE(got.connections, sent.connections);
    QVERIFY(devices[0].nearCpus.isEmpty() && devices[0].connections.isEmpty());
    QCOMPARE(got.processes.size(), 2U);
    QCOMPARE(got.processes[0].pid, 4711);
    QCOMPARE(got.processes[0].user, sent.processes[0].user);
    QCOMPARE(got.processes[0].memoryBytes, std::optional(1e10));
    QVERIFY2(!got.processes[1].memoryBytes, "unknown is not 0");
    QCOMPARE(got.processes[0].ours, std::optional(false));
    QVERIFY2(!got.processes[1].ours, "unknown is not foreign");
}

void TestProtocol::machineIsReceivedAsSent()
{
    DeviceStatus core;
    core.id = QStringLiteral("cpu:3@gpu1");
    core.holders = {{7, QStringLiteral("digits"), 2}};
    MachineStatus sent;
    sent.name = QStringLiteral("gpu1");
    sent.address = QStringLiteral("ann@gpu1.lab");
    sent.isUsed = true;
    sent.since = 1'700'000'000'000'000'000;
    sent.unavailable = facts::Fact(facts::Code::MachineUnreachable).with(facts::Field::Detail, "timed out");
    sent.limit = 4;
    sent.cpus = 64;
    sent.memoryBytes = 2.5e11;
    sent.freeBytes = 1e12;
    sent.clockOffset = -0.25;
    sent.clockError = 0.001;
    sent.isCluster = true;
    sent.jobs = 3;
    sent.note = QStringLiteral("no GPU");
    sent.devices = {core};
    const auto message = protocol::decode(protocol::encode(protocol::DevicesChanged{{}, {}, {MachineStatus(), sent}}));
    QVERIFY2(message.has_value(), message ? "" : message.error().message.c_str());
    const auto &machines = std::get<protocol::DevicesChanged>(*message).machines;
    QCOMPARE(machines.size(), 2U);
    const MachineStatus &got = machines[1];
    QCOMPARE(got.name, sent.name);
    QCOMPARE(got.address, sent.address);
    QVERIFY(got.isUsed && !got.isConnected && !machines[0].isUsed);
    QCOMPARE(got.since, sent.since);
    QVERIFY(got.unavailable == sent.unavailable && !machines[0].unavailable);
    QCOMPARE(got.limit, 4);
    QCOMPARE(got.cpus, 64);
    QCOMPARE(got.memoryBytes, sent.memoryBytes);
    QCOMPARE(got.freeBytes, sent.freeBytes);
    QCOMPARE(got.clockOffset, sent.clockOffset);
    QCOMPARE(got.clockError, sent.clockError);
    QVERIFY(got.isCluster);
    QCOMPARE(got.jobs, 3);
    QCOMPARE(protocol::useOf(got).trials, protocol::useOf(got.devices).trials + 3);
    QCOMPARE(got.note, sent.note);
    QCOMPARE(got.devices.size(), 1U);
    QCOMPARE(got.devices[0].id, core.id);
    QVERIFY(got.devices[0].holders == core.holders);
}

void TestProtocol::sweepIsReceivedAsSent()
{
    sweep::SweepRecord sent;
    sent.id = 12;
    sent.name = "digits";
    sent.folder = "0012-digits";
    sent.state = sweep::SweepState::Stopping;
    sent.objective = "val_loss";
    sent.goal = sweep::Goal::Maximize;
    sent.parameterNames = {"lr", "hidden"};
    sent.toml = "[sweep]\n";
    sent.baseFolder = "/data";
    sent.trialsTotal = 12;
    sent.stopMode = sweep::StopMode::Checkpoint;
    sent.priority = -3;
    sent.edits = 2;
    sent.archived = true;
    sent.created = 5;
    sent.ended = 6;
    sent.rested = 4;
    sent.deviceTime = 7;
    sent.warnings = {facts::Fact(facts::Code::DiskExhausted).with(facts::Field::Device, "/data")};
    sent.held = sweep::HeldTrial{3, facts::Fact(facts::Code::ConcurrencyLimit).with(facts::Field::Limit, 2)};
    const Expected<Message> message = protocol::decode(protocol::encode(protocol::SweepChanged{sent}));
    QVERIFY(message.has_value());
    const sweep::SweepRecord &got = std::get<protocol::SweepChanged>(*message).sweep;
    QCOMPARE(got.id, 12);
    QCOMPARE(got.folder, sent.folder);
    QCOMPARE(got.deviceTime, sent.deviceTime);
    QVERIFY(got.state == sent.state);
    QCOMPARE(got.edits, 2);
    QVERIFY(got.archived);
    QCOMPARE(got.goal, sent.goal);
    QCOMPARE(got.parameterNames, sent.parameterNames);
    QCOMPARE(got.toml, sent.toml);
    QCOMPARE(got.baseFolder, sent.baseFolder);
    QCOMPARE(got.trialsTotal, 12);
    QVERIFY(got.stopMode == sweep::StopMode::Checkpoint);
    QCOMPARE(got.priority, -3);
    QCOMPARE(got.ended, sent.ended);
    QCOMPARE(got.rested, 4);
    QVERIFY(got.warnings == sent.warnings);
    QVERIFY(got.held == sent.held);
}

void TestProtocol::requestsAndAnswersKeepTheirJob()
{
    const auto launch =
        protocol::decode(protocol::encode(protocol::LaunchRequest{9, QStringLiteral("x"), QStringLiteral("/b")}));
    QVERIFY(launch.has_value());
    QCOMPARE(std::get<protocol::LaunchRequest>(*launch).job, 9U);
    QCOMPARE(std::get<protocol::LaunchRequest>(*launch).baseFolder, QStringLiteral("/b"));

    sweep::Control control;
    control.action = sweep::Control::Action::Pause;
    control.trials = {3, 7};
    control.stopMode = sweep::StopMode::Kill;
    control.priority = sweep::highestPriority;
    control.mark = {true, {"good"}, {"bad", "odd"}, "why"};
    control.steps = 25;
    const auto asked = protocol::decode(protocol::encode(protocol::ControlRequest{11, 4, control}));
    QVERIFY(asked.has_value());
    const auto &got = std::get<protocol::ControlRequest>(*asked);
    QCOMPARE(got.job, 11U);
    QCOMPARE(got.sweepId, 4);
    QVERIFY(got.control.action == control.action);
    QCOMPARE(got.control.trials, control.trials);
    QVERIFY(got.control.stopMode == control.stopMode);
    QCOMPARE(got.control.priority, control.priority);
    QVERIFY(got.control.mark == control.mark);
    QCOMPARE(got.control.steps, 25);

    const auto refused =
        protocol::decode(protocol::encode(protocol::DefinitionRefused{10, {{"run.ranks", "too many", 3, 4, 5}}}));
    QVERIFY(refused.has_value());
    const auto &problem = std::get<protocol::DefinitionRefused>(*refused).problems.at(0);
    QCOMPARE(problem.field, std::string("run.ranks"));
    QCOMPARE(problem.line, 3);
    QCOMPARE(problem.column, 4);
    QCOMPARE(problem.position, 5);

    const auto failed = protocol::decode(
        protocol::encode(protocol::Failed{11, facts::Fact(facts::Code::NoSuchSweep).with(facts::Field::Number, 4)}));
    QVERIFY(failed.has_value());
    QVERIFY(std::get<protocol::Failed>(*failed).reason
            == facts::Fact(facts::Code::NoSuchSweep).with(facts::Field::Number, 4));

    const facts::Facts reply{facts::Code::NoFurtherTrials,
                             facts::Fact(facts::Code::QueuedStopped).with(facts::Field::Count, 7)};
    const auto done = protocol::decode(protocol::encode(protocol::Done{12, reply}));
    QVERIFY(done.has_value());
    QVERIFY(std::get<protocol::Done>(*done).reply == reply);
}

void TestProtocol::historyIsReceivedAsSent()
{
    const auto watch = protocol::decode(protocol::encode(protocol::WatchRequest{true}));
    QVERIFY(watch && std::get<protocol::WatchRequest>(*watch).devices);
    const auto ping = protocol::decode(protocol::encode(protocol::Ping{}));
    QVERIFY(ping && std::holds_alternative<protocol::Ping>(*ping));
    const protocol::LookRequest seen{{{3, 7, 1}, {4, 1, 2}}};
    const auto look = protocol::decode(protocol::encode(seen));
    QVERIFY(look && std::get<protocol::LookRequest>(*look).attempts == seen.attempts);
    QVERIFY(!protocol::decode(protocol::encode(protocol::LookRequest{{{3, 0, 1}}})));
    const auto arrived = protocol::decode(protocol::encode(protocol::FilesArrived{3, 7}));
    QVERIFY(arrived && std::get<protocol::FilesArrived>(*arrived).trial == 7);
    const auto mirror = protocol::decode(protocol::encode(protocol::Hello{6, {}, 1, {}, true, true, true, true}));
    QVERIFY(mirror && std::get<protocol::Hello>(*mirror).mirror);
    const auto pong = protocol::decode(protocol::encode(protocol::Pong{}));
    QVERIFY(pong && std::holds_alternative<protocol::Pong>(*pong));
    const auto request = protocol::decode(protocol::encode(protocol::HistoryRequest{12, 3, 7}));
    QVERIFY(request.has_value());
    QCOMPARE(std::get<protocol::HistoryRequest>(*request).job, 12U);
    QCOMPARE(std::get<protocol::HistoryRequest>(*request).sweepId, 3);
    QCOMPARE(std::get<protocol::HistoryRequest>(*request).trial, 7);

    sweep::TrialHistory sent;
    sent.entries = {
        {5, 7, "", "queued", {}},
        {6, 7, "queued", "failed", facts::Fact(facts::Code::RankExited).with(facts::Field::Detail, "läuft nicht")}};
    sweep::AttemptRecord bare;
    bare.trial = 7;
    bare.number = 1;
    bare.created = 5;
    sweep::AttemptRecord full = bare;
    full.number = 2;
    full.ended = 9;
    full.outcome = "failed";
    full.failure = "exit_code";
    full.reason = facts::Fact(facts::Code::NotRetried).dueTo(facts::Code::TimedOut);
    full.launch = sweep::AttemptLaunch{{"python3", "a b.py"},
                                       "/code",
                                       {{"cpu:0"}, {"cpu:1", "cpu:2"}, {}},
                                       facts::Fact(facts::Code::GpusConnected).with(facts::Field::Count, 2),
                                       {"0-1", "", "2"},
                                       4,
                                       {{"A", "1"}, {"B", ""}},
                                       sweep::SourceState{"c0ffee", "main", true, "7a44", "exp", "too large"}};
    sent.attempts = {bare, full};
    const auto answer = protocol::decode(protocol::encode(protocol::HistoryAnswer{12, 3, 7, sent}));
    QVERIFY2(answer.has_value(), answer ? "" : answer.error().message.c_str());
    const sweep::TrialHistory &got = std::get<protocol::HistoryAnswer>(*answer).history;
    QCOMPARE(got.entries.size(), 2U);
    QVERIFY(got.entries[0].before.empty() && !got.entries[0].reason);
    QCOMPARE(got.entries[1].time, 6);
    QCOMPARE(got.entries[1].after, std::string("failed"));
    QVERIFY(got.entries[1].reason == sent.entries[1].reason);
    QCOMPARE(got.attempts.size(), 2U);
    QVERIFY2(!got.attempts[0].ended && !got.attempts[0].launch, "what is left out is nothing");
    QCOMPARE(got.attempts[1].ended, full.ended);
    QCOMPARE(got.attempts[1].outcome, full.outcome);
    QCOMPARE(got.attempts[1].failure, full.failure);
    QVERIFY(got.attempts[1].reason == full.reason);
    QCOMPARE(got.attempts[1].launch->command, full.launch->command);
    QCOMPARE(got.attempts[1].launch->folder, full.launch->folder);
    QCOMPARE(got.attempts[1].launch->devices, full.launch->devices);
    QVERIFY(got.attempts[1].launch->deviceGroup == full.launch->deviceGroup);
    QCOMPARE(got.attempts[1].launch->cpus, full.launch->cpus);
    QCOMPARE(got.attempts[1].launch->threads, 4);
    QCOMPARE(got.attempts[1].launch->environment, full.launch->environment);
    QVERIFY(got.attempts[1].launch->source == full.launch->source);
}

void TestProtocol::wrongHistoryIsRefused()
{
    const QCborMap good = mapOf(protocol::HistoryAnswer{1, 1, 1, {{{5, 1, "", "queued", {}}}, {}}});
    QVERIFY(protocol::decode(payloadOf(good)).has_value());
    const std::pair<const char *, QCborValue> wrong[] = {
        {"trial", 0},
        {"entries", QCborArray{1}},
        {"entries", QCborArray{QCborMap{{QLatin1String("time"), QLatin1String("noon")}}}},
        {"attempts", QCborArray{QCborMap{{QLatin1String("number"), 0}}}},
        {"attempts", QCborArray{QCborMap{{QLatin1String("trial"), 1},
                                         {QLatin1String("number"), 1},
                                         {QLatin1String("created"), 1},
                                         {QLatin1String("launch"), 7}}}},
    };
    for (const auto &[key, value] : wrong) {
        QCborMap map = good;
        map.insert(QLatin1String(key), value);
        QVERIFY2(!protocol::decode(payloadOf(map)).has_value(), key);
    }
}

void TestProtocol::wrongFieldIsRefused_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QCborValue>("value");
    const auto row = [](const char *name, const char *key, const QCborValue &value) {
        QTest::newRow(name) << QString::fromLatin1(key) << value;
    };
    row("number zero", "number", 0);
    row("number negative", "number", -1);
    row("number beyond any sweep", "number", qint64(1) << 40);
    row("number missing", "number", QCborValue());
    row("state unknown", "state", QLatin1String("dancing"));
    row("ranks as text", "ranks", QLatin1String("2"));
    row("parameters without a value", "parameters", QCborArray{QLatin1String("lr")});
    row("parameter with a list", "parameters", QCborArray{QLatin1String("lr"), QCborArray{}});
    row("parameter without a name", "parameters", QCborArray{1, 2});
    row("objective without a step", "objectiveLast", QCborArray{1.0});
    row("metric without its range", "metrics", QCborArray{QLatin1String("loss"), 1.0, 3});
    row("metric without a name", "metrics", QCborArray{7, 1.0, 3, 1.0, 1.0});
    row("metric at half a step", "metrics", QCborArray{QLatin1String("loss"), 1.0, 3.5, 1.0, 1.0});
    row("metrics that are a word", "metrics", QLatin1String("loss"));
    row("progress above one", "progress", 1.5);
    row("progress no number", "progress", std::numeric_limits<double>::quiet_NaN());
    row("devices of numbers", "devices", QCborArray{1});
}

void TestProtocol::wrongFieldIsRefused()
{
    QFETCH(QString, key);
    QFETCH(QCborValue, value);
    QCborMap message = mapOf(protocol::TrialsChanged{3, {fullTrial()}});
    QCborArray trials = message.value(QLatin1String("trials")).toArray();
    QCborMap trial = trials.at(0).toMap();
    trial.insert(key, value);
    trials[0] = trial;
    message.insert(QLatin1String("trials"), trials);
    const Expected<Message> decoded = protocol::decode(payloadOf(message));
    QVERIFY(!decoded.has_value());
    QCOMPARE(decoded.error().code, ErrorCode::Corrupt);
    QVERIFY(!decoded.error().message.empty());
}

void TestProtocol::garbageIsRefusedWithoutHarm()
{
    std::mt19937 random(20'261'120);
    std::uniform_int_distribution<int> byte(0, 255);
    const QByteArray good = protocol::encode(protocol::TrialsChanged{3, {fullTrial(), fullTrial()}});
    for (int round = 0; round < 3000; ++round) {
        QByteArray bytes = round % 2 == 0 ? good : QByteArray(round % 97, '\0');
        const int changes = round % 2 == 0 ? 1 + round % 5 : static_cast<int>(bytes.size());
        for (int i = 0; i < changes && !bytes.isEmpty(); ++i) {
            const auto at = round % 2 == 0 ? static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size())) : i;
            bytes[at] = static_cast<char>(byte(random));
        }
        if (const Expected<Message> decoded = protocol::decode(bytes); !decoded)
            QVERIFY(!decoded.error().message.empty());
    }
    QVERIFY(!protocol::decode(QByteArray()).has_value());
    QVERIFY(!protocol::decode(QByteArray(5000, '\x81')).has_value());  // deeply nested arrays
    QVERIFY(!protocol::decode(QByteArray("\x9b\x7f\xff\xff\xff\xff\xff\xff\xff", 9)).has_value());  // 2^63 items
    QVERIFY(!protocol::decode(good + QByteArray(1, '\0')).has_value());  // more than one item
    QVERIFY(!protocol::decode(payloadOf({{QLatin1String("type"), QLatin1String("sing")}})).has_value());
}

void TestProtocol::everyTruncatedMessageIsRefused()
{
    const QByteArray good = protocol::encode(protocol::TrialsChanged{3, {fullTrial()}});
    for (qsizetype size = 0; size < good.size(); ++size)
        QVERIFY2(!protocol::decode(good.left(size)).has_value(), QByteArray::number(size).constData());
}

void TestProtocol::tooManyTrialsAreRefused()
{
    const std::vector<sweep::TrialRecord> trials(protocol::maxTrialsPerMessage + 1, fullTrial());
    QVERIFY(!protocol::decode(protocol::encode(protocol::TrialsChanged{3, trials})).has_value());
}

QTEST_GUILESS_MAIN(TestProtocol)
#include "tst_protocol.moc"
