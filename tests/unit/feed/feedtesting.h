#pragma once

#include "base/clock.h"
#include "feed/feedreader.h"
#include "feed/records.h"
#include "feed/ring.h"

#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdlib.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

/// Shared by the feed tests: a temporary folder, a recording visitor, and more.
namespace feedtesting {

struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder()
    {
        std::string name = sweepscope::feed::ringFolder() / "sweepscope-feed-test-XXXXXX";
        path = ::mkdtemp(name.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    std::filesystem::path operator/(const char *name) const { return path / name; }
};

/// Limits the size of this process's files during its lifetime: write() fails as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        struct rlimit limit = m_before;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
    struct rlimit m_before {};
    void (*m_handler)(int) = nullptr;
};

/// Records everything that a reader returns; `trace` has one line per record, to compare whole streams.
class Recorder final : public sweepscope::feed::RecordVisitor {
public:
    std::vector<sweepscope::feed::Preamble> preambles;
    std::vector<sweepscope::feed::SeriesDeclaration> declarations;
    std::vector<sweepscope::feed::Point> points;
    std::vector<sweepscope::feed::Event> events;
    std::vector<sweepscope::feed::Gap> gaps;
    std::vector<std::string> trace;

    void preamble(const sweepscope::feed::Preamble &value) override
    {
        preambles.push_back(value);
        trace.push_back("preamble " + value.attemptId);
    }
    void series(const sweepscope::feed::SeriesDeclaration &value) override
    {
        declarations.push_back(value);
        trace.push_back("series " + std::to_string(value.id) + " " + value.name + " [" + value.unit + "]");
    }
    void point(const sweepscope::feed::Point &value) override
    {
        points.push_back(value);
        trace.push_back("point " + std::to_string(value.series) + " " + std::to_string(value.step) + " "
                        + std::to_string(value.value));
    }
    void event(const sweepscope::feed::Event &value) override
    {
        events.push_back(value);
        trace.push_back("event " + std::to_string(static_cast<int>(value.kind)) + " " + std::to_string(value.step) + " "
                        + value.text);
    }
    void gap(const sweepscope::feed::Gap &value) override
    {
        gaps.push_back(value);
        trace.push_back("gap " + std::to_string(value.dropped));
    }
    std::uint64_t droppedInGaps() const
    {
        std::uint64_t sum = 0;
        for (const auto &one : gaps)
            sum += one.dropped;
        return sum;
    }
};

/// Polls until no more data arrives. Returns the error that ended it, if any.
inline sweepscope::Expected<void> readAll(sweepscope::feed::FeedReader &reader,
                                          sweepscope::feed::RecordVisitor &visitor,
                                          std::uint64_t maxBytes = 16 * 1024 * 1024)
{
    for (;;) {
        const auto records = reader.poll(visitor, maxBytes);
        if (!records)
            return tl::unexpected(records.error());
        if (*records == 0)
            return {};
    }
}

inline std::string contentOf(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeContent(const std::filesystem::path &path, std::string_view content)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
}

inline sweepscope::feed::Preamble somePreamble()
{
    return {1, 2, 1'700'000'000'000'000'000, "attempt-7/1"};
}

/// For streams that get damaged: recovery accepts only records whose time is near the preamble's, which is now.
inline sweepscope::feed::Preamble presentPreamble()
{
    sweepscope::feed::Preamble preamble = somePreamble();
    preamble.createdNs = sweepscope::wallNow();
    return preamble;
}

}  // namespace feedtesting
