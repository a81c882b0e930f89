#include "protocol/messages.h"

#include "protocol/cborfields.h"
#include "protocol/devicecodec.h"
#include "protocol/historycodec.h"
#include "protocol/recordcodec.h"

#include <QCborStreamReader>

#include <algorithm>
#include <array>
#include <limits>

namespace sweepscope::protocol {

namespace {

QCborMap start(const char *type)
{
    return {{QLatin1String("type"), QLatin1String(type)}};
}

void put(QCborMap &map, const char *key, const QCborValue &value)
{
    map.insert(QLatin1String(key), value);
}

template <typename Record>
QCborArray toArray(const std::vector<Record> &records)
{
    QCborArray array;
    for (const Record &record : records)
        array.append(toCbor(record));
    return array;
}

QCborArray toArray(const std::map<std::string, std::string> &texts)
{
    QCborArray pairs;
    for (const auto &[name, text] : texts) {
        pairs.append(QString::fromStdString(name));
        pairs.append(QString::fromStdString(text));
    }
    return pairs;
}

struct Encoder {
    QCborMap operator()(const Hello &hello) const
    {
        QCborMap map = start("hello");
        put(map, "version", hello.version);
        put(map, "program", hello.program);
        put(map, "pid", hello.pid);
        put(map, "workspace", hello.workspace);
        if (!hello.trials)
            put(map, "trials", false);
        if (hello.watch)
            put(map, "watch", true);
        if (hello.ping)
            put(map, "ping", true);
        if (hello.mirror)
            put(map, "mirror", true);
        if (!hello.home.isEmpty())
            put(map, "home", hello.home);
        if (hello.client != 0)
            put(map, "client", static_cast<qint64>(hello.client));
        if (hello.instance != 0)
            put(map, "instance", static_cast<qint64>(hello.instance));
        return map;
    }
    QCborMap operator()(const Refusal &refusal) const
    {
        QCborMap map = start("refusal");
        put(map, "message", refusal.message);
        if (!refusal.notInstalledOn.isEmpty())
            put(map, "notInstalledOn", refusal.notInstalledOn);
        return map;
    }
    QCborMap operator()(const LaunchRequest &request) const
    {
        QCborMap map = withJob("launch", request.job);
        put(map, "toml", request.toml);
        put(map, "baseFolder", request.baseFolder);
        return map;
    }
    QCborMap operator()(const ControlRequest &request) const
    {
        QCborMap map = withJob("control", request.job);
        put(map, "sweep", static_cast<qint64>(request.sweepId));
        put(map, "control", toCbor(request.control));
        return map;
    }
    QCborMap operator()(const EditRequest &request) const
    {
        QCborMap map = withJob("edit", request.job);
        put(map, "sweep", static_cast<qint64>(request.sweepId));
        put(map, "toml", request.toml);
        put(map, "undo", request.undo);
        put(map, "dryRun", request.dryRun);
        return map;
    }
    QCborMap operator()(const EnqueueRequest &request) const
    {
        QCborMap map = withJob("enqueue", request.job);
        put(map, "sweep", static_cast<qint64>(request.sweepId));
        put(map, "point", toArray(request.point));
        return map;
    }
    QCborMap operator()(const ContinueRequest &request) const
    {
        QCborMap map = withJob("continue", request.job);
        put(map, "sweep", static_cast<qint64>(request.sweepId));
        QCborArray trials;
        for (const int number : request.trials)
            trials.append(number);
        put(map, "trials", trials);
        put(map, "changes", toArray(request.changes));
        return map;
    }
    QCborMap operator()(const JoinRequest &request) const
    {
        QCborMap map = withJob("join", request.job);
        QCborArray sweeps;
        for (const std::int64_t id : request.sweepIds)
            sweeps.append(static_cast<qint64>(id));
        put(map, "sweeps", sweeps);
        put(map, "name", request.name);
        put(map, "objective", request.objective);
        return map;
    }
    QCborMap operator()(const ImportRequest &request) const
    {
        QCborMap map = withJob("import", request.job);
        put(map, "folder", request.folder);
        return map;
    }
    QCborMap operator()(const HistoryRequest &request) const
    {
        QCborMap map = withJob("askHistory", request.job);
        put(map, "sweep", static_cast<qint64>(request.sweepId));
        put(map, "trial", request.trial);
        return map;
    }
    QCborMap operator()(const HistoryAnswer &answer) const
    {
        QCborMap map = withJob("history", answer.job);
        put(map, "sweep", static_cast<qint64>(answer.sweepId));
        put(map, "trial", answer.trial);
        put(map, "entries", toArray(answer.history.entries));
        put(map, "attempts", toArray(answer.history.attempts));
        return map;
    }
    QCborMap operator()(const WatchRequest &request) const
    {
        QCborMap map = start("watch");
        put(map, "devices", request.devices);
        return map;
    }
    QCborMap operator()(const LookRequest &request) const
    {
        QCborMap map = start("look");
        QCborArray attempts;
        for (const LookRequest::Attempt &attempt : request.attempts)
            attempts.append(
                QCborArray{static_cast<qint64>(attempt.sweepId), attempt.trial, attempt.attempt, attempt.whole});
        put(map, "attempts", attempts);
        return map;
    }
    QCborMap operator()(const FilesArrived &arrived) const
    {
        QCborMap map = start("arrived");
        put(map, "sweep", static_cast<qint64>(arrived.sweepId));
        put(map, "trial", arrived.trial);
        return map;
    }
    QCborMap operator()(const Ping &) const { return start("ping"); }
    QCborMap operator()(const Pong &) const { return start("pong"); }
    QCborMap operator()(const Launched &launched) const
    {
        QCborMap map = withJob("launched", launched.job);
        put(map, "sweep", static_cast<qint64>(launched.sweepId));
        return map;
    }
    QCborMap operator()(const DefinitionRefused &refused) const
    {
        QCborMap map = withJob("definitionRefused", refused.job);
        put(map, "problems", toArray(refused.problems));
        return map;
    }
    QCborMap operator()(const Done &done) const
    {
        QCborMap map = withJob("done", done.job);
        put(map, "reply", toCbor(done.reply));
        return map;
    }
    QCborMap operator()(const Failed &failed) const
    {
        QCborMap map = withJob("failed", failed.job);
        put(map, "reason", toCbor(failed.reason));
        return map;
    }
    QCborMap operator()(const SweepChanged &changed) const
    {
        QCborMap map = start("sweep");
        put(map, "sweep", toCbor(changed.sweep));
        return map;
    }
    QCborMap operator()(const TrialsChanged &changed) const
    {
        QCborMap map = start("trials");
        put(map, "sweep", static_cast<qint64>(changed.sweepId));
        put(map, "trials", toArray(changed.trials));
        return map;
    }
    QCborMap operator()(const SweepRemoved &removed) const
    {
        QCborMap map = start("removed");
        put(map, "sweep", static_cast<qint64>(removed.sweepId));
        return map;
    }
    QCborMap operator()(const DevicesChanged &changed) const
    {
        QCborMap map = start("devices");
        put(map, "devices", toArray(changed.devices));
        put(map, "note", changed.note);
        if (!changed.machines.empty())
            put(map, "machines", toArray(changed.machines));
        return map;
    }
    QCborMap operator()(const Ready &) const { return start("ready"); }

private:
    static QCborMap withJob(const char *type, std::uint64_t job)
    {
        QCborMap map = start(type);
        put(map, "job", static_cast<qint64>(job));
        return map;
    }
};

std::uint64_t job(CborFields &fields)
{
    return static_cast<std::uint64_t>(fields.integer("job"));
}

/// Returns every item of the list `key`, or the error of the first invalid one.
template <typename Record, typename Decode>
std::vector<Record> list(CborFields &fields, const char *key, Decode decodeRecord)
{
    std::vector<Record> records;
    for (const QCborValue &untrusted : fields.optionalArray(key)) {
        Expected<Record> record = decodeRecord(untrusted);
        if (!record) {
            fields.fail(std::string("has a bad entry in '") + key + "': " + record.error().message);
            break;
        }
        records.push_back(std::move(*record));
    }
    return records;
}

Message decodeHello(CborFields &fields)
{
    return Hello{static_cast<int>(fields.integer("version", 0, 1'000'000)),
                 fields.text("program"),
                 fields.integer("pid", 0),
                 fields.text("workspace"),
                 fields.value("trials").toBool(true),
                 fields.value("watch").toBool(false),
                 fields.value("ping").toBool(false),
                 fields.value("mirror").toBool(false),
                 fields.value("home").toString(),
                 static_cast<std::uint64_t>(fields.value("client").toInteger()),
                 static_cast<std::uint64_t>(fields.value("instance").toInteger())};
}
Message decodeRefusal(CborFields &fields)
{
    return Refusal{fields.text("message"), fields.value("notInstalledOn").toString()};
}
Message decodeLaunch(CborFields &fields)
{
    return LaunchRequest{job(fields), fields.text("toml"), fields.text("baseFolder")};
}
Message decodeControl(CborFields &fields)
{
    ControlRequest request{job(fields), fields.integer("sweep", 1), {}};
    if (Expected<sweep::Control> control = controlFromCbor(fields.value("control")))
        request.control = std::move(*control);
    else
        fields.fail("has a bad command: " + control.error().message);
    return request;
}
Message decodeEdit(CborFields &fields)
{
    return EditRequest{job(fields), fields.integer("sweep", 1), fields.text("toml"), fields.boolean("undo"),
                       fields.boolean("dryRun")};
}
std::map<std::string, std::string> pairs(CborFields &fields, const char *key)
{
    std::map<std::string, std::string> texts;
    const std::vector<std::string> list = fields.optionalTexts(key);
    if (list.size() % 2 != 0)
        fields.fail("has a name without a value in '" + std::string(key) + "'");
    for (std::size_t i = 0; i + 1 < list.size(); i += 2)
        texts.insert_or_assign(list[i], list[i + 1]);
    return texts;
}
Message decodeEnqueue(CborFields &fields)
{
    return EnqueueRequest{job(fields), fields.integer("sweep", 1), pairs(fields, "point")};
}
Message decodeContinue(CborFields &fields)
{
    ContinueRequest request{job(fields), fields.integer("sweep", 1), {}, pairs(fields, "changes")};
    for (const QCborValue &number : fields.optionalArray("trials")) {
        if (number.toInteger() < 1 || number.toInteger() > maxInt)
            fields.fail("names an invalid trial");
        else
            request.trials.push_back(static_cast<int>(number.toInteger()));
    }
    if (request.trials.empty())
        fields.fail("names no trial");
    return request;
}
Message decodeJoin(CborFields &fields)
{
    JoinRequest request{job(fields), {}, fields.text("name"), fields.text("objective")};
    for (const QCborValue &id : fields.optionalArray("sweeps")) {
        if (id.toInteger() < 1 || std::ranges::find(request.sweepIds, id.toInteger()) != request.sweepIds.end())
            fields.fail("names an invalid sweep");
        else
            request.sweepIds.push_back(id.toInteger());
    }
    return request;
}
Message decodeImport(CborFields &fields)
{
    return ImportRequest{job(fields), fields.text("folder")};
}
int trial(CborFields &fields)
{
    return static_cast<int>(fields.integer("trial", 1, std::numeric_limits<int>::max()));
}
Message decodeHistoryRequest(CborFields &fields)
{
    return HistoryRequest{job(fields), fields.integer("sweep", 1), trial(fields)};
}
Message decodeHistoryAnswer(CborFields &fields)
{
    HistoryAnswer answer{job(fields), fields.integer("sweep", 1), trial(fields), {}};
    answer.history.entries = list<sweep::HistoryEntry>(fields, "entries", historyEntryFromCbor);
    answer.history.attempts = list<sweep::AttemptRecord>(fields, "attempts", attemptFromCbor);
    return answer;
}
Message decodeWatch(CborFields &fields)
{
    return WatchRequest{fields.boolean("devices")};
}
Message decodeLook(CborFields &fields)
{
    LookRequest request;
    for (const QCborValue &entry : fields.optionalArray("attempts")) {
        const QCborArray attempt = entry.toArray();
        const qint64 sweepId = attempt.at(0).toInteger();
        const qint64 trialNumber = attempt.at(1).toInteger();
        const qint64 number = attempt.at(2).toInteger();
        constexpr qint64 most = std::numeric_limits<int>::max();
        if (sweepId < 1 || trialNumber < 1 || number < 1 || trialNumber > most || number > most)
            fields.fail("has a bad attempt");
        else
            request.attempts.push_back(
                {sweepId, static_cast<int>(trialNumber), static_cast<int>(number), attempt.at(3).toBool()});
    }
    return request;
}
Message decodeArrived(CborFields &fields)
{
    return FilesArrived{fields.integer("sweep", 1), trial(fields)};
}
Message decodePing(CborFields &)
{
    return Ping{};
}
Message decodePong(CborFields &)
{
    return Pong{};
}
Message decodeLaunched(CborFields &fields)
{
    return Launched{job(fields), fields.integer("sweep", 1)};
}
Message decodeDefinitionRefused(CborFields &fields)
{
    return DefinitionRefused{job(fields), list<sweep::Problem>(fields, "problems", problemFromCbor)};
}
Message decodeDone(CborFields &fields)
{
    return Done{job(fields), fields.facts("reply")};
}
Message decodeFailed(CborFields &fields)
{
    return Failed{job(fields), fields.fact("reason")};
}
Message decodeSweep(CborFields &fields)
{
    Expected<sweep::SweepRecord> sweep = sweepFromCbor(fields.value("sweep"));
    if (!sweep) {
        fields.fail("has a bad record: " + sweep.error().message);
        return SweepChanged{};
    }
    return SweepChanged{std::move(*sweep)};
}
Message decodeTrials(CborFields &fields)
{
    TrialsChanged changed{fields.integer("sweep", 1), {}};
    if (fields.optionalArray("trials").size() > static_cast<qsizetype>(maxTrialsPerMessage)) {
        fields.fail("has too many trials");
        return changed;
    }
    changed.trials = list<sweep::TrialRecord>(fields, "trials", trialFromCbor);
    for (sweep::TrialRecord &trial : changed.trials)
        trial.sweepId = changed.sweepId;
    return changed;
}
Message decodeRemoved(CborFields &fields)
{
    return SweepRemoved{fields.integer("sweep", 1)};
}
Message decodeDevices(CborFields &fields)
{
    return DevicesChanged{list<DeviceStatus>(fields, "devices", deviceFromCbor), fields.text("note"),
                          list<MachineStatus>(fields, "machines", machineFromCbor)};
}
Message decodeReady(CborFields &)
{
    return Ready{};
}

struct Decoder {
    const char *type;
    Message (*decode)(CborFields &);
};
constexpr std::array decoders{
    Decoder{"hello", decodeHello},
    Decoder{"refusal", decodeRefusal},
    Decoder{"launch", decodeLaunch},
    Decoder{"control", decodeControl},
    Decoder{"edit", decodeEdit},
    Decoder{"enqueue", decodeEnqueue},
    Decoder{"continue", decodeContinue},
    Decoder{"join", decodeJoin},
    Decoder{"import", decodeImport},
    Decoder{"askHistory", decodeHistoryRequest},
    Decoder{"history", decodeHistoryAnswer},
    Decoder{"watch", decodeWatch},
    Decoder{"look", decodeLook},
    Decoder{"arrived", decodeArrived},
    Decoder{"ping", decodePing},
    Decoder{"pong", decodePong},
    Decoder{"launched", decodeLaunched},
    Decoder{"definitionRefused", decodeDefinitionRefused},
    Decoder{"done", decodeDone},
    Decoder{"failed", decodeFailed},
    Decoder{"sweep", decodeSweep},
    Decoder{"trials", decodeTrials},
    Decoder{"removed", decodeRemoved},
    Decoder{"devices", decodeDevices},
    Decoder{"ready", decodeReady},
};

}  // namespace

QByteArray encode(const Message &message)
{
    return std::visit(Encoder{}, message).toCborValue().toCbor();
}

Expected<Message> decode(const QByteArray &untrusted)
{
    QCborStreamReader reader(untrusted);
    const QCborValue value = QCborValue::fromCbor(reader);
    if (reader.lastError() != QCborError::NoError || reader.currentOffset() != untrusted.size())
        return makeError(ErrorCode::Corrupt, "invalid message: it is not one CBOR item");
    CborFields fields(value, "the message");
    const QString type = fields.text("type");
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    const auto *found = std::find_if(decoders.begin(), decoders.end(),
                                     [&](const Decoder &decoder) { return type == QLatin1String(decoder.type); });
    if (found == decoders.end())
        return makeError(ErrorCode::Corrupt,
                         "received a message of unknown type '" + type.left(40).toStdString() + "'");
    Message message = found->decode(fields);
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return message;
}

}  // namespace sweepscope::protocol
