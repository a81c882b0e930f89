#include "launch/printedoutput.h"

#include "base/files.h"
#include "base/logtimes.h"
#include "feed/feedreader.h"
#include "feed/logwriter.h"
#include "launch/loglines.h"
#include "launch/metricspicker.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope::launch {

namespace {

constexpr std::size_t logChunkBytes = 64 * 1024;
constexpr std::uint64_t feedChunkBytes = 64 * 1024;
constexpr std::uint64_t pointsBetweenFlushes = 100'000;

/// Calls `take(line, time)` for each line. Of a line, the time is that of its end.
template <typename Take>
void readLines(int log, const LogTimes &times, WallNs started, Take &&take)
{
    LogLines lines;
    std::vector<char> buffer(logChunkBytes);
    std::int64_t offset = 0;
    WallNs time = started;
    const auto takeLine = [&](std::string_view line) { take(line, time); };
    while (offset < mostLogBytes) {
        const ssize_t got = ::pread(log, buffer.data(), buffer.size(), offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        std::string_view rest(buffer.data(), static_cast<std::size_t>(got));
        while (!rest.empty()) {
            const std::size_t line = std::min(rest.find_first_of("\r\n"), rest.size() - 1) + 1;
            offset += static_cast<std::int64_t>(line);
            time = std::max(time, times.writtenAt(offset - 1).value_or(time));
            lines.add(rest.substr(0, line), takeLine);
            rest.remove_prefix(line);
        }
    }
    lines.finish(takeLine);
}

/// What a rank reported until its first point.
struct Reported final : feed::RecordVisitor {
    std::vector<feed::Event> events;
    bool hasPoints = false;
    void event(const feed::Event &event) override { events.push_back(event); }
    void point(const feed::Point &) override { hasPoints = true; }
};

Reported reportedIn(const std::filesystem::path &feed)
{
    Reported reported;
    feed::FeedReader reader(feed, {});
    while (!reported.hasPoints && reader.poll(reported, feedChunkBytes).value_or(0) > 0) {
    }
    return reported;
}

}  // namespace

bool hasPoints(const std::filesystem::path &feed)
{
    return reportedIn(feed).hasPoints;
}

std::vector<std::string> printedMetrics(std::string_view untrustedText)
{
    std::vector<std::string> names;
    MetricsPicker::Sink sink;
    sink.declare = [&names](const std::string &series) {
        names.push_back(series);
        return static_cast<std::uint16_t>(names.size() - 1);
    };
    sink.write = [](std::uint16_t, std::int64_t, double) {};
    sink.complain = [](const std::string &) {};
    auto picker =
        MetricsPicker::create({.format = output::OutputFormat::Auto, .step = {}, .series = {}}, std::move(sink));
    if (!picker)
        return names;
    LogLines lines;
    const auto pick = [&picker](std::string_view line) { picker->pick(line); };
    lines.add(untrustedText, pick);
    lines.finish(pick);
    return names;
}

Expected<std::uint64_t> writeFeedOfLog(const output::MetricsSection &metrics, const PrintedLog &printed,
                                       const std::filesystem::path &feed)
{
    const Reported reported = reportedIn(feed);
    if (reported.hasPoints)
        return makeError(ErrorCode::AlreadyExists, feed.string() + " exists");
    std::error_code error;
    const auto log = openRegularFile(printed.log, O_RDONLY);
    if (!log)
        return tl::unexpected(log.error());
    const std::filesystem::path part = feed.string() + ".part";
    std::filesystem::remove(part, error);
    auto writer = feed::LogWriter::open(part, {printed.rank, printed.worldSize, printed.started, printed.attemptId});
    if (!writer)
        return tl::unexpected(writer.error());
    WallNs now = printed.started;
    MetricsPicker::Sink sink;
    sink.declare = [&writer](const std::string &series) { return writer->declare(series); };
    sink.write = [&](std::uint16_t id, std::int64_t step, double value) { writer->write(id, step, now, value); };
    sink.complain = [](const std::string &) {};
    auto picker = MetricsPicker::create(metrics, std::move(sink));
    if (!picker)
        return tl::unexpected(picker.error());
    for (const feed::Event &event : reported.events)
        writer->event(event);
    std::uint64_t flushed = 0;
    readLines(log->get(), readLogTimes(printed.times), printed.started, [&](std::string_view line, WallNs time) {
        now = time;
        picker->pick(line);
        if (picker->points() / pointsBetweenFlushes != flushed) {
            flushed = picker->points() / pointsBetweenFlushes;
            (void)writer->flush();  // the last one tells of an error
        }
    });
    Expected<void> written = writer->flush();
    if (written && picker->points() > 0 && std::rename(part.c_str(), feed.c_str()) != 0)
        written = makeError(ErrorCode::Io, "cannot rename " + part.string());
    std::filesystem::remove(part, error);
    if (!written)
        return tl::unexpected(written.error());
    return picker->points();
}

}  // namespace sweepscope::launch
