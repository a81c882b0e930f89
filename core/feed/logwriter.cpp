// SPDX-License-Identifier: MIT
#include "feed/logwriter.h"

#include "base/filedescriptor.h"
#include "feed/feedreader.h"
#include "feed/logfile.h"
#include "feed/recordencoding.h"
#include "feed/seriesids.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace sweepscope::feed {

namespace {

/// What waits for a disk that is full; past this, points are dropped and counted like in a full ring.
constexpr std::size_t maxWaitingBytes = 4 * 1024 * 1024;

struct ByteSink {
    std::string bytes;
    void put(std::uint64_t word) { bytes.append(reinterpret_cast<const char *>(&word), sizeof word); }
};

/// What an existing log says that its next writer must know.
class Adopter final : public RecordVisitor {
public:
    explicit Adopter(SeriesIds &ids) : m_ids(ids) {}
    void series(const SeriesDeclaration &declaration) override { m_ids.adopt(declaration.name, declaration.id); }

private:
    SeriesIds &m_ids;
};

}  // namespace

struct LogWriter::State {
    std::filesystem::path path;
    FileDescriptor file;
    SeriesIds ids;
    ByteSink waiting;
    std::int64_t stepBase = 0;
    bool stepBaseKnown = false;  ///< not what an earlier writer of this log left
    std::uint64_t dropped = 0;   ///< since the last gap record
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
        return makeError(ErrorCode::BadInput, "the attempt id is too long for a feed, or has a NUL in it");
    auto state = std::make_unique<State>();
    state->path = logPath;
    state->file = FileDescriptor(::open(logPath.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!state->file)
        return makeErrnoError("cannot write the telemetry log " + logPath.string(), errno);

    if (const auto file = LogFile::open(logPath); file && file->packed())
        return makeError(ErrorCode::BadInput, logPath.string() + " is finished and compressed; write to a new one");
    FeedReader existing(logPath, {});
    Adopter adopter(state->ids);
    for (;;) {
        const auto records = existing.poll(adopter);
        if (!records)
            return makeError(records.error().code, records.error().message + "; move the file away to start a new one");
        if (*records == 0)
            break;
    }
    if (::ftruncate(state->file.get(), static_cast<off_t>(existing.offset())) != 0)
        return makeErrnoError("cannot write the telemetry log " + logPath.string(), errno);
    if (existing.offset() == 0)
        encoding::putPreamble(state->waiting, preamble);
    return LogWriter(std::move(state));
}

std::uint16_t LogWriter::declare(std::string_view name, std::string_view unit)
{
    const SeriesIds::Given given = m_state->ids.idOf(name);
    if (given.isNew)
        encoding::putSeries(m_state->waiting, given.id, encoding::cutText(name, maxNameBytes),
                            encoding::cutText(unit, maxUnitBytes));
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
        encoding::putGap(s.waiting, timeNs, s.dropped);
        s.dropped = 0;
    }
    const std::int64_t base = encoding::stepBaseOf(step);
    if (!s.stepBaseKnown || base != s.stepBase) {
        encoding::putStepBase(s.waiting, base);
        s.stepBase = base;
        s.stepBaseKnown = true;
    }
    encoding::putPoint(s.waiting, {series, step, timeNs, value});
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
        // What a full disk did not take stays, and the next flush goes on in the middle of the record.
        bytes.erase(0, static_cast<std::size_t>(put));
    }
    return {};
}

}  // namespace sweepscope::feed
