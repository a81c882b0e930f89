#include "launch/attemptevents.h"

#include "base/enumnames.h"
#include "base/files.h"
#include "launch/untrustedjson.h"

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
    if (event.failure)
        object["failure"] = toString(*event.failure);
    if (event.forked)
        object["forked"] = true;
    if (event.reason)
        object["reason"] = json::parse(facts::toJson(event.reason), nullptr, false);
    // A rank's last words may be any bytes.
    return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// False when it is there and no number of that type.
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
        || !takeNumber(object, "exit_code", event.exitCode) || !takeNumber(object, "signal", event.signal))
        return std::nullopt;
    const auto outcome = valueOf(outcomeNames, textOf(object, "outcome"));
    if (event.kind == AttemptEventKind::Ended && !outcome)
        return std::nullopt;
    event.outcome = outcome.value_or(event.outcome);
    event.failure = failureKindFromString(textOf(object, "failure"));
    event.forked = object.value("forked", json(false)) == json(true);
    if (const auto reason = object.find("reason"); reason != object.end())
        event.reason =
            facts::fromJson(reason->dump(-1, ' ', false, json::error_handler_t::replace)).value_or(facts::Fact());
    return event;
}

}  // namespace

AttemptEventLog::AttemptEventLog(int fd, std::filesystem::path path) : m_fd(fd), m_path(std::move(path)) {}

Expected<AttemptEventLog> AttemptEventLog::open(const std::filesystem::path &file)
{
    const int fd = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return makeErrnoError("cannot write " + file.string(), errno);
    return AttemptEventLog(fd, file);
}

AttemptEventLog::AttemptEventLog(AttemptEventLog &&other) noexcept
    : m_fd(std::exchange(other.m_fd, -1)), m_path(std::move(other.m_path))
{}

AttemptEventLog &AttemptEventLog::operator=(AttemptEventLog &&other) noexcept
{
    std::swap(m_fd, other.m_fd);
    std::swap(m_path, other.m_path);
    return *this;
}

AttemptEventLog::~AttemptEventLog()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

Expected<void> AttemptEventLog::append(const AttemptEvent &event)
{
    struct stat before {};
    const bool known = ::fstat(m_fd, &before) == 0;
    auto written = writeAll(m_fd, toLine(event), m_path);
    // Half a line (a full disk) would swallow the next one: take it back. Nobody else writes this file.
    if (!written && known && ::ftruncate(m_fd, before.st_size) != 0)
        written.error().message += "; part of the line stays in the file";
    return written;
}

AttemptEventReader::AttemptEventReader(std::filesystem::path file) : m_file(std::move(file)) {}

std::vector<AttemptEvent> AttemptEventReader::poll()
{
    std::vector<AttemptEvent> events;
    const int fd = ::open(m_file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return events;  // not there yet
    std::string pending;
    std::array<char, 16384> buffer{};
    for (std::uint64_t offset = m_offset;;) {
        const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        offset += static_cast<std::uint64_t>(got);
        pending.append(buffer.data(), static_cast<std::size_t>(got));

        std::size_t begin = 0;
        for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', begin)) {
            const std::string_view line = std::string_view(pending).substr(begin, end - begin);
            if (auto event = fromLine(line))
                events.push_back(std::move(*event));
            else
                ++m_skipped;
            begin = end + 1;
        }
        pending.erase(0, begin);
        m_offset += begin;
    }
    ::close(fd);
    return events;
}

}  // namespace sweepscope::launch
