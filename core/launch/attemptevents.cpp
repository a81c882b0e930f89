#include "launch/attemptevents.h"

#include "base/enumnames.h"
#include "base/files.h"
#include "base/printable.h"
#include "launch/untrustedjson.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::launch {

namespace {

using nlohmann::json;

/// An event has a sentence or two, and an attempt has a few events per rank.
constexpr std::size_t longestLine = 64 * 1024;
constexpr std::size_t mostBytesAtOnce = 1024 * 1024;
constexpr std::uint64_t mostBytesOfAll = 16 * 1024 * 1024;

constexpr EnumNames<AttemptEventKind, 7> kindNames{{
    {AttemptEventKind::AgentStarted, "agent_started"},
    {AttemptEventKind::RankStarted, "rank_started"},
    {AttemptEventKind::RankExited, "rank_exited"},
    {AttemptEventKind::StopRequested, "stop_requested"},
    {AttemptEventKind::TimedOut, "timed_out"},
    {AttemptEventKind::FirstError, "first_error"},
    {AttemptEventKind::Ended, "ended"},
}};

constexpr EnumNames<AttemptOutcome, 3> outcomeNames{{
    {AttemptOutcome::Completed, "completed"},
    {AttemptOutcome::Failed, "failed"},
    {AttemptOutcome::Stopped, "stopped"},
}};

std::string toLine(const AttemptEvent &event)
{
    json object = {{"time_ns", event.time}, {"kind", nameOf(kindNames, event.kind)}};
    if (event.rank >= 0)
        object["rank"] = event.rank;
    if (event.pid > 0) {
        object["pid"] = event.pid;
        object["start_time"] = event.startTime;
    }
    if (event.exitCode)
        object["exit_code"] = *event.exitCode;
    if (event.signal)
        object["signal"] = *event.signal;
    if (event.kind == AttemptEventKind::Ended)
        object["outcome"] = nameOf(outcomeNames, event.outcome);
    if (event.elapsed)
        object["elapsed_ns"] = *event.elapsed;
    if (event.failure)
        object["failure"] = toString(*event.failure);
    if (event.forked)
        object["forked"] = true;
    if (event.port)
        object["port"] = *event.port;
    if (event.reason)
        object["reason"] = json::parse(facts::toJson(event.reason), nullptr, false);
    // A rank's last words may contain any bytes.
    return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// Returns false if the field is present but not a number of that type.
template <typename Number>
bool takeNumber(const json &object, const char *name, Number &value)
{
    const auto field = object.find(name);
    if (field == object.end())
        return true;
    if (!field->is_number_integer())
        return false;
    if (field->is_number_unsigned()) {
        const auto wide = field->get<std::uint64_t>();
        if (wide > static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
            return false;
        value = static_cast<Number>(wide);
        return true;
    }
    const auto wide = field->get<std::int64_t>();
    if (wide < static_cast<std::int64_t>(std::numeric_limits<Number>::min()) || std::is_unsigned_v<Number>)
        return false;
    value = static_cast<Number>(wide);
    return true;
}

bool takeNumber(const json &object, const char *name, std::optional<int> &value)
{
    if (!object.contains(name))
        return true;
    int number = 0;
    const bool good = takeNumber(object, name, number);
    value = number;
    return good;
}

std::string textOf(const json &object, const char *name)
{
    const auto field = object.find(name);
    return field != object.end() && field->is_string() ? field->get<std::string>() : std::string();
}

/// Ranks can write events too, and their strings reach terminals.
facts::Fact withPrintableTexts(facts::Fact fact)
{
    for (auto &[field, value] : fact.fields) {
        if (auto *text = std::get_if<std::string>(&value))
            *text = printable(*text);
    }
    for (facts::Fact &cause : fact.because)
        cause = withPrintableTexts(std::move(cause));
    return fact;
}

std::optional<AttemptEvent> fromLine(std::string_view untrusted)
{
    const json object = parseUntrustedJson(untrusted);
    if (!object.is_object())
        return std::nullopt;
    const auto kind = valueOf(kindNames, textOf(object, "kind"));
    if (!kind)
        return std::nullopt;
    AttemptEvent event;
    event.kind = *kind;
    if (!takeNumber(object, "time_ns", event.time) || !takeNumber(object, "rank", event.rank)
        || !takeNumber(object, "pid", event.pid) || !takeNumber(object, "start_time", event.startTime)
        || !takeNumber(object, "exit_code", event.exitCode) || !takeNumber(object, "signal", event.signal)
        || !takeNumber(object, "port", event.port))
        return std::nullopt;
    WallNs elapsed = -1;
    if (!takeNumber(object, "elapsed_ns", elapsed))
        return std::nullopt;
    if (elapsed >= 0)
        event.elapsed = elapsed;
    const auto outcome = valueOf(outcomeNames, textOf(object, "outcome"));
    if (event.kind == AttemptEventKind::Ended && !outcome)
        return std::nullopt;
    event.outcome = outcome.value_or(event.outcome);
    event.failure = failureKindFromString(textOf(object, "failure"));
    event.forked = object.value("forked", json(false)) == json(true);
    if (const auto reason = object.find("reason"); reason != object.end())
        event.reason = withPrintableTexts(
            facts::fromJson(reason->dump(-1, ' ', false, json::error_handler_t::replace)).value_or(facts::Fact()));
    return event;
}

}  // namespace

AttemptEventLog::AttemptEventLog(FileDescriptor file, std::filesystem::path path)
    : m_file(std::move(file)), m_path(std::move(path))
{}

Expected<AttemptEventLog> AttemptEventLog::open(const std::filesystem::path &file)
{
    auto opened = openRegularFile(file, O_WRONLY | O_APPEND | O_CREAT);
    if (!opened)
        return makeError(opened.error().code, "cannot write events: " + opened.error().message);
    return AttemptEventLog(std::move(*opened), file);
}

Expected<void> AttemptEventLog::append(const AttemptEvent &event)
{
    struct stat before {};
    const bool known = ::fstat(m_file.get(), &before) == 0;
    auto written = writeAll(m_file.get(), toLine(event), m_path);
    // A partial line (a full disk) would swallow the next one: remove it. No other process writes this file.
    if (!written && known && ::ftruncate(m_file.get(), before.st_size) != 0)
        written.error().message += "; part of the line remains in the file";
    return written;
}

Expected<void> AttemptEventLog::sync()
{
    if (::fdatasync(m_file.get()) != 0)
        return makeErrnoError("cannot flush " + m_path.string() + " to disk", errno);
    return {};
}

AttemptEventReader::AttemptEventReader(std::filesystem::path file) : m_file(std::move(file)) {}

std::vector<AttemptEvent> AttemptEventReader::poll()
{
    std::vector<AttemptEvent> events;
    m_behind = false;
    if (m_fault)
        return events;
    const FileDescriptor file = openFile();
    if (!file || !isAsBefore(file.get()))
        return events;
    std::array<char, 16384> buffer{};
    for (std::size_t left = mostBytesAtOnce; left > 0;) {
        const std::size_t wanted = std::min(buffer.size(), left);
        const ssize_t got = ::pread(file.get(), buffer.data(), wanted, static_cast<off_t>(m_offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return events;
        addBytes({buffer.data(), static_cast<std::size_t>(got)}, events);
        left -= static_cast<std::size_t>(got);
    }
    m_behind = true;
    return events;
}

FileDescriptor AttemptEventReader::openFile()
{
    auto file = openRegularFile(m_file, O_RDONLY);
    m_missing = !file && file.error().code == ErrorCode::NotFound && m_identity;
    if (!file && file.error().code == ErrorCode::BadInput)
        m_fault = EventsFault::Replaced;
    return file ? std::move(*file) : FileDescriptor();
}

bool AttemptEventReader::isAsBefore(int file)
{
    struct stat info {};
    if (::fstat(file, &info) != 0)
        return false;
    const FileIdentity identity{info.st_dev, info.st_ino};
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (m_identity && *m_identity != identity)
        m_fault = EventsFault::Replaced;
    else if (size > mostBytesOfAll)
        m_fault = EventsFault::TooLarge;
    else if (size < m_lineBegin)
        m_fault = EventsFault::Cut;
    m_identity = identity;
    if (size < m_offset) {  // the agent removed a partial line that a full disk left
        m_offset = m_lineBegin;
        m_line.clear();
        m_lineIsTooLong = false;
    }
    return !m_fault;
}

void AttemptEventReader::addBytes(std::string_view bytes, std::vector<AttemptEvent> &events)
{
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view part = bytes.substr(0, end);
        m_lineIsTooLong = m_lineIsTooLong || m_line.size() + part.size() > longestLine;
        if (m_lineIsTooLong)
            m_line.clear();
        else
            m_line += part;
        m_offset += part.size();
        if (end == std::string_view::npos)
            return;
        ++m_offset;
        m_lineBegin = m_offset;
        auto event = m_lineIsTooLong ? std::nullopt : fromLine(m_line);
        if (event)
            events.push_back(std::move(*event));
        else
            ++m_skipped;
        m_line.clear();
        m_lineIsTooLong = false;
        bytes.remove_prefix(end + 1);
    }
}

std::vector<AttemptEvent> readAttemptEvents(const std::filesystem::path &file)
{
    AttemptEventReader reader(file);
    std::vector<AttemptEvent> events = reader.poll();
    while (reader.isBehind()) {
        for (AttemptEvent &event : reader.poll())
            events.push_back(std::move(event));
    }
    return events;
}

}  // namespace sweepscope::launch
