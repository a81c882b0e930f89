// SPDX-License-Identifier: MIT
#include "feed/sweepscope_feed.h"
#include "feed/feedwriter.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>

using sweepscope::feed::FeedWriter;

struct sweepscope_feed {
    FeedWriter writer;
};

namespace {

static_assert(SWEEPSCOPE_FEED_NO_SERIES == sweepscope::feed::noSeries);
static_assert(SWEEPSCOPE_FEED_ERROR == static_cast<int>(sweepscope::feed::EventKind::Error));

void copyMessage(std::string_view text, char *error, std::size_t errorBytes) noexcept
{
    if (error == nullptr || errorBytes == 0)
        return;
    const std::size_t kept = std::min(text.size(), errorBytes - 1);
    std::memcpy(error, text.data(), kept);
    error[kept] = '\0';
}

std::string_view textOrEmpty(const char *text) noexcept
{
    return text == nullptr ? std::string_view() : std::string_view(text);
}

/// No exception may reach a caller that knows of none.
template <typename Open>
sweepscope_feed *opened(Open &&open, char *error, std::size_t errorBytes) noexcept
{
    copyMessage("", error, errorBytes);
    try {
        auto writer = open();
        if (writer)
            return new sweepscope_feed{std::move(*writer)};
        copyMessage(writer.error().message, error, errorBytes);
    } catch (const std::exception &failure) {
        copyMessage(failure.what(), error, errorBytes);
    }
    return nullptr;
}

}  // namespace

sweepscope_feed *sweepscope_feed_open(char *error, std::size_t error_bytes)
{
    return opened([] { return FeedWriter::openFromEnvironment(); }, error, error_bytes);
}

sweepscope_feed *sweepscope_feed_open_ring(const char *path, char *error, std::size_t error_bytes)
{
    return opened([path] { return FeedWriter::open(textOrEmpty(path)); }, error, error_bytes);
}

void sweepscope_feed_close(sweepscope_feed *feed)
{
    delete feed;
}

std::uint16_t sweepscope_feed_declare(sweepscope_feed *feed, const char *name, const char *unit)
{
    try {
        if (feed != nullptr)
            return feed->writer.declare(textOrEmpty(name), textOrEmpty(unit));
    } catch (const std::exception &) {  // no memory: points of this series are dropped and counted
    }
    return SWEEPSCOPE_FEED_NO_SERIES;
}

void sweepscope_feed_write(sweepscope_feed *feed, std::uint16_t series, std::int64_t step, double value)
{
    if (feed != nullptr)
        feed->writer.write(series, step, value);
}

void sweepscope_feed_event(sweepscope_feed *feed, sweepscope_feed_event_kind kind, std::int64_t step, const char *text)
{
    if (feed != nullptr)
        feed->writer.event(static_cast<sweepscope::feed::EventKind>(kind), step, textOrEmpty(text));
}

int sweepscope_feed_stop_requested(const sweepscope_feed *feed)
{
    return feed != nullptr && feed->writer.stopRequested() ? 1 : 0;
}

std::uint64_t sweepscope_feed_dropped(const sweepscope_feed *feed)
{
    return feed == nullptr ? 0 : feed->writer.dropped();
}
