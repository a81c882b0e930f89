// SPDX-License-Identifier: MIT
#include "feed/logwriter.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "feed/feedreader.h"
#include "feed/logfile.h"
#include "feed/logtable.h"
#include "feed/recordencoding.h"
#include "feed/seriesids.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sweepscope::feed {

namespace {

/// What waits for a disk that is full; past this, points are dropped and counted like in a full ring.
constexpr std::size_t maxWaitingBytes = 4 * 1024 * 1024;

struct ByteSink {
    std::string bytes;
    void put(std::uint64_t word) { bytes.append(reinterpret_cast<const char *>(&word), sizeof word); }
};

/// What an existing log says that its next writer must know.
struct Existing final : public RecordVisitor {
    LogTable table;
    std::uint64_t end = 0;
    void series(const SeriesDeclaration &declaration) override { table.series.push_back(declaration); }
};

/// How many tables may be missing or damaged before the log is read from its start.
constexpr int tablesToTry = 4;

/// The last table of a log, and where it is. None in a short log.
std::optional<std::pair<std::uint64_t, LogTable>> lastTable(LogFile &log, std::uint64_t size)
{
    std::vector<unsigned char> untrusted(maxRecordBytes);
    std::uint64_t at = size / tableDistance * tableDistance;
    for (int tries = 0; tries < tablesToTry && at > 0; ++tries, at -= tableDistance) {
        const auto got = log.read(at, untrusted);
        if (!got)
            return std::nullopt;
        if (auto table = decodeTable(std::span(untrusted).first(*got)))
            return std::pair(at, std::move(*table));
    }
    return std::nullopt;
}

/// Read on from the last table, so that a log of any length is opened in no time.
Expected<Existing> readExisting(const std::filesystem::path &logPath)
{
    Existing existing;
    auto log = LogFile::open(logPath);
    if (!log)
        return tl::unexpected(log.error());
    if (log->packed())
        return makeError(ErrorCode::BadInput, logPath.string() + " is finished and compressed; write to a new one");
    RecordVisitor nobody;
    if (auto begins = FeedReader(logPath, {}).poll(nobody, 1); !begins)
        return tl::unexpected(begins.error());

    FeedReader reader(logPath, {});
    const auto size = log->size();
    if (auto table = size ? lastTable(*log, *size) : std::nullopt) {
        StreamPosition from{table->first, table->second.stepBase, {}};
        for (const SeriesDeclaration &one : table->second.series)
            from.declared.push_back(one.id);
        existing.table = std::move(table->second);
        reader.startAt(from);
    }
    for (;;) {
        const auto records = reader.poll(existing);
        if (!records)
            return tl::unexpected(records.error());
        if (*records == 0)
            break;
    }
    existing.table.stepBase = reader.position().stepBase;
    existing.end = reader.offset();
    return existing;
}

}  // namespace

struct LogWriter::State {
    /// Call before every record of `bytes`: a table comes where one has to be.
    void begin(std::size_t bytes)
    {
        const std::uint64_t end = saved + waiting.bytes.size();
        const std::uint64_t boundary = (end + tableDistance - 1) / tableDistance * tableDistance;
        if (end == 0 || (end != boundary && end + bytes <= boundary))
            return;
        if (end != boundary)
            encoding::putPadding(waiting, boundary - end);
        waiting.bytes += encodeTable(said);
    }

    std::filesystem::path path;
    FileDescriptor file;
    SeriesIds ids;
    ByteSink waiting;
    std::uint64_t saved = 0;  ///< of the stream, what is in the file
    LogTable said;
    std::uint64_t dropped = 0;  ///< since the last gap record
};

LogWriter::LogWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}
LogWriter::LogWriter(LogWriter &&) noexcept = default;
LogWriter &LogWriter::operator=(LogWriter &&) noexcept = default;

LogWriter::~LogWriter()
{
    if (m_state)
        (void)flush();  // the caller who wants to know flushes before
}

Expected<LogWriter> LogWriter::open(const std::filesystem::path &logPath, const Preamble &preamble)
{
    if (encoding::preambleBytes(preamble.attemptId) > maxPreambleBytes
        || preamble.attemptId.find('\0') != std::string::npos)
        return makeError(ErrorCode::BadInput, "the attempt id is too long for a feed, or contains a zero byte");
    auto state = std::make_unique<State>();
    state->path = logPath;
    auto file = openRegularFile(logPath, O_WRONLY | O_CREAT | O_APPEND, Links::Follow);
    if (!file)
        return makeError(file.error().code, "cannot write telemetry: " + file.error().message);
    state->file = std::move(*file);

    auto existing = readExisting(logPath);
    if (!existing)
        return makeError(existing.error().code, existing.error().message + "; move the file away to start a new one");
    for (const SeriesDeclaration &one : existing->table.series)
        state->ids.adopt(one.name, one.id);
    state->said = std::move(existing->table);
    state->saved = existing->end;
    if (::ftruncate(state->file.get(), static_cast<off_t>(state->saved)) != 0)
        return makeErrnoError("cannot write the telemetry log " + logPath.string(), errno);
    if (state->saved == 0)
        encoding::putPreamble(state->waiting, preamble);
    return LogWriter(std::move(state));
}

std::uint16_t LogWriter::declare(std::string_view name, std::string_view unit)
{
    State &s = *m_state;
    const SeriesIds::Given given = s.ids.idOf(name);
    if (given.isNew) {
        name = encoding::cutText(name, maxNameBytes);
        unit = encoding::cutText(unit, maxUnitBytes);
        s.begin(encoding::seriesBytes(name, unit));
        encoding::putSeries(s.waiting, given.id, name, unit);
        s.said.series.push_back({given.id, std::string(name), std::string(unit)});
    }
    return given.id;
}

void LogWriter::write(std::uint16_t series, std::int64_t step, std::int64_t timeNs, double value)
{
    State &s = *m_state;
    if (series >= s.ids.next() || s.waiting.bytes.size() > maxWaitingBytes) {
        ++s.dropped;
        return;
    }
    if (s.dropped != 0) {
        s.begin(encoding::gapBytes);
        encoding::putGap(s.waiting, timeNs, s.dropped);
        s.dropped = 0;
    }
    const std::int64_t base = encoding::stepBaseOf(step);
    if (base != s.said.stepBase) {
        s.begin(encoding::stepBaseBytes);
        encoding::putStepBase(s.waiting, base);
        s.said.stepBase = base;
    }
    s.begin(pointBytes);
    encoding::putPoint(s.waiting, {series, step, timeNs, value});
}

void LogWriter::event(const Event &event)
{
    const std::string_view text = encoding::cutText(event.text, maxEventTextBytes);
    m_state->begin(encoding::eventBytes(text));
    encoding::putEvent(m_state->waiting, event.kind, event.timeNs, event.step, text);
}

Expected<void> LogWriter::flush()
{
    std::string &bytes = m_state->waiting.bytes;
    while (!bytes.empty()) {
        const ssize_t put = ::write(m_state->file.get(), bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return makeErrnoError("cannot save telemetry to " + m_state->path.string(), put < 0 ? errno : ENOSPC);
        // The bytes that did not fit on a full disk stay; the next flush continues in the middle of the record.
        bytes.erase(0, static_cast<std::size_t>(put));
        m_state->saved += static_cast<std::uint64_t>(put);
    }
    return {};
}

}  // namespace sweepscope::feed
