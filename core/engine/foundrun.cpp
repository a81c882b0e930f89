#include "engine/foundrun.h"

#include "base/files.h"
#include "base/workspacelayout.h"
#include "launch/attemptevents.h"
#include "sweep/searchspace.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sweepscope::engine {

namespace {

constexpr std::uint64_t mostRunFileBytes = 1024 * 1024;
constexpr int mostRanks = 1024;
constexpr std::size_t longestAttemptId = 64;
constexpr qsizetype mostParameters = 200;

tl::unexpected<Error> wrong(const char *field)
{
    return makeError(ErrorCode::BadInput, std::string("run.json: '") + field + "' is missing or invalid");
}

/// It becomes part of file names.
bool isAttemptId(const std::string &text)
{
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    };
    return !text.empty() && text.size() <= longestAttemptId && std::ranges::all_of(text, isPart);
}

std::optional<sweep::ParameterValue> plainValue(const QJsonValue &value)
{
    if (value.isBool())
        return value.toBool();
    if (value.isString())
        return value.toString().toStdString();
    if (!value.isDouble() || !std::isfinite(value.toDouble()))
        return std::nullopt;
    constexpr qint64 none = std::numeric_limits<qint64>::min();
    if (const qint64 whole = value.toInteger(none); whole != none)
        return std::int64_t{whole};
    return value.toDouble();
}

}  // namespace

Expected<FoundRun> parseFoundRun(std::string_view untrusted, WallNs now)
{
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray(untrusted.data(), static_cast<qsizetype>(untrusted.size()))).object();
    const auto textOf = [&object](const char *field) {
        return object.value(QLatin1String(field)).toString().toStdString();
    };
    FoundRun run;
    if (object.value(QLatin1String("version")).toInt() != 1)
        return wrong("version");
    run.attemptId = textOf("attempt_id");
    if (!isAttemptId(run.attemptId))
        return wrong("attempt_id");
    run.name = sweep::runNameOf(textOf("name"));
    for (const QJsonValue &word : object.value(QLatin1String("argv")).toArray()) {
        const std::string text = word.toString().toStdString();
        if (!word.isString() || text.find('\0') != std::string::npos)
            return wrong("argv");
        run.command.push_back(text);
    }
    if (run.command.empty() || run.command.front().empty())
        return wrong("argv");
    run.workingFolder = textOf("working_folder");
    if (!run.workingFolder.starts_with('/') || run.workingFolder.find('\0') != std::string::npos)
        return wrong("working_folder");
    run.host = textOf("host");
    run.ranks = object.value(QLatin1String("ranks")).toInt();
    if (run.ranks < 1 || run.ranks > mostRanks)
        return wrong("ranks");
    run.created = object.value(QLatin1String("created_ns")).toInteger();
    if (run.created <= 0)
        return wrong("created_ns");
    run.created = std::min<WallNs>(run.created, now);
    const QJsonObject config = object.value(QLatin1String("config")).toObject();
    for (auto entry = config.begin(); entry != config.end(); ++entry) {
        const auto value = plainValue(entry.value());
        if (value && static_cast<qsizetype>(run.config.size()) < mostParameters)
            run.config.emplace_back(entry.key().toStdString(), *value);
    }
    return run;
}

Expected<FoundRun> readFoundRun(const std::filesystem::path &folder, WallNs now)
{
    const auto read = readFile(folder / foundRunFile, mostRunFileBytes);
    if (!read)
        return tl::unexpected<Error>(read.error());
    Expected<FoundRun> run = parseFoundRun(*read, now);
    if (!run)
        return makeError(ErrorCode::BadInput, folder.string() + ": " + run.error().message);
    const std::vector<launch::AttemptEvent> events = launch::readAttemptEvents(AttemptLayout{folder}.eventsFile());
    const auto started = std::ranges::find(events, launch::AttemptEventKind::AgentStarted, &launch::AttemptEvent::kind);
    if (started == events.end())
        return makeError(ErrorCode::NotFound, folder.string() + " has no event");
    run->folder = folder;
    run->agent = {started->pid, started->startTime};
    return run;
}

sweep::SweepSpec definitionOf(const FoundRun &run)
{
    sweep::SweepSpec spec = sweep::makeRun(run.name, run.command, {});
    spec.run.ranks = run.ranks;
    spec.run.distributed = run.ranks > 1;
    for (const auto &[name, value] : run.config) {
        if (!sweep::checkParameterName(name).empty())
            continue;
        sweep::Dimension dimension;
        dimension.name = name;
        const bool isNumber = std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
        dimension.kind = isNumber ? sweep::DimensionKind::List : sweep::DimensionKind::Choice;
        dimension.values = {value};
        sweep::SweepSpec withThis = spec;
        withThis.space.push_back(std::move(dimension));
        if (sweep::parseSweep(sweep::toToml(withThis)).problems.empty())
            spec = std::move(withThis);
    }
    return spec;
}

}  // namespace sweepscope::engine
