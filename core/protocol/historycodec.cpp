#include "protocol/historycodec.h"

#include "protocol/cborfields.h"

namespace sweepscope::protocol {

namespace {

void putText(QCborMap &map, const char *key, const std::string &value)
{
    if (!value.empty())
        map.insert(QLatin1String(key), text(value));
}

/// Returns an empty string if the field is missing.
std::string optionalUtf8(CborFields &fields, const char *key)
{
    return fields.value(key).isUndefined() ? std::string() : fields.utf8(key);
}

QCborMap sourceToCbor(const sweep::SourceState &source)
{
    QCborMap map;
    putText(map, "revision", source.revision);
    putText(map, "branch", source.branch);
    map.insert(QLatin1String("changed"), source.isChanged);
    putText(map, "tree", source.tree);
    putText(map, "below", source.below);
    putText(map, "problem", source.problem);
    return map;
}

QCborMap launchToCbor(const sweep::AttemptLaunch &launch)
{
    QCborArray devices;
    for (const std::vector<std::string> &rank : launch.devices)
        devices.append(texts(rank));
    QCborArray environment;
    for (const auto &[name, value] : launch.environment) {
        environment.append(text(name));
        environment.append(text(value));
    }
    QCborMap map;
    map.insert(QLatin1String("command"), texts(launch.command));
    map.insert(QLatin1String("folder"), text(launch.folder));
    map.insert(QLatin1String("devices"), devices);
    if (launch.deviceGroup)
        map.insert(QLatin1String("deviceGroup"), toCbor(launch.deviceGroup));
    map.insert(QLatin1String("cpus"), texts(launch.cpus));
    map.insert(QLatin1String("threads"), launch.threads);
    map.insert(QLatin1String("environment"), environment);
    if (launch.source)
        map.insert(QLatin1String("source"), sourceToCbor(*launch.source));
    return map;
}

Expected<sweep::SourceState> sourceFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "the source of an attempt");
    sweep::SourceState source{optionalUtf8(fields, "revision"), optionalUtf8(fields, "branch"),
                              fields.boolean("changed"),        optionalUtf8(fields, "tree"),
                              optionalUtf8(fields, "below"),    optionalUtf8(fields, "problem")};
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return source;
}

void readDevices(CborFields &fields, sweep::AttemptLaunch &launch)
{
    for (const QCborValue &rank : fields.optionalArray("devices")) {
        std::vector<std::string> devices;
        if (!rank.isArray())
            fields.fail("has a rank whose devices are not a list");
        for (const QCborValue &device : rank.toArray()) {
            if (!device.isString())
                fields.fail("has a device that is not a string");
            devices.push_back(device.toString().toStdString());
        }
        launch.devices.push_back(std::move(devices));
    }
}

Expected<sweep::AttemptLaunch> launchFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "what an attempt ran");
    sweep::AttemptLaunch launch;
    launch.command = fields.optionalTexts("command");
    launch.folder = fields.utf8("folder");
    readDevices(fields, launch);
    launch.deviceGroup = fields.fact("deviceGroup");
    launch.cpus = fields.optionalTexts("cpus");
    launch.threads = static_cast<int>(fields.integer("threads", 1, maxInt));
    const std::vector<std::string> environment = fields.optionalTexts("environment");
    if (environment.size() % 2 != 0)
        fields.fail("has a variable without a value");
    for (std::size_t i = 0; i + 1 < environment.size(); i += 2)
        launch.environment.insert_or_assign(environment[i], environment[i + 1]);
    if (const QCborValue source = fields.value("source"); !source.isUndefined()) {
        if (Expected<sweep::SourceState> read = sourceFromCbor(source))
            launch.source = std::move(*read);
        else
            fields.fail(read.error().message);
    }
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return launch;
}

}  // namespace

QCborMap toCbor(const sweep::HistoryEntry &entry)
{
    QCborMap map;
    map.insert(QLatin1String("time"), static_cast<qint64>(entry.time));
    map.insert(QLatin1String("trial"), entry.trial);
    putText(map, "before", entry.before);
    map.insert(QLatin1String("after"), text(entry.after));
    if (entry.reason)
        map.insert(QLatin1String("reason"), toCbor(entry.reason));
    return map;
}

Expected<sweep::HistoryEntry> historyEntryFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "an entry of the history");
    sweep::HistoryEntry entry;
    entry.time = fields.integer("time");
    entry.trial = static_cast<int>(fields.integer("trial", 0, maxInt));
    entry.before = optionalUtf8(fields, "before");
    entry.after = fields.utf8("after");
    entry.reason = fields.fact("reason");
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return entry;
}

QCborMap toCbor(const sweep::AttemptRecord &attempt)
{
    QCborMap map;
    map.insert(QLatin1String("trial"), attempt.trial);
    map.insert(QLatin1String("number"), attempt.number);
    map.insert(QLatin1String("created"), static_cast<qint64>(attempt.created));
    if (attempt.ended)
        map.insert(QLatin1String("ended"), static_cast<qint64>(*attempt.ended));
    putText(map, "outcome", attempt.outcome);
    putText(map, "failure", attempt.failure);
    if (attempt.reason)
        map.insert(QLatin1String("reason"), toCbor(attempt.reason));
    if (attempt.launch)
        map.insert(QLatin1String("launch"), launchToCbor(*attempt.launch));
    return map;
}

Expected<sweep::AttemptRecord> attemptFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "an attempt");
    sweep::AttemptRecord attempt;
    attempt.trial = static_cast<int>(fields.integer("trial", 1, maxInt));
    attempt.number = static_cast<int>(fields.integer("number", 1, maxInt));
    attempt.created = fields.integer("created");
    attempt.ended = fields.optionalInteger("ended");
    attempt.outcome = optionalUtf8(fields, "outcome");
    attempt.failure = optionalUtf8(fields, "failure");
    attempt.reason = fields.fact("reason");
    if (const QCborValue launch = fields.value("launch"); !launch.isUndefined()) {
        if (Expected<sweep::AttemptLaunch> read = launchFromCbor(launch))
            attempt.launch = std::move(*read);
        else
            fields.fail(read.error().message);
    }
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return attempt;
}

}  // namespace sweepscope::protocol
