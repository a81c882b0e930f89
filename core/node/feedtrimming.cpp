#include "node/feedtrimming.h"

#include "feed/feedreader.h"
#include "feed/logwriter.h"

#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace sweepscope::node {

namespace {

/// Copy in pieces of this size, so that memory use does not grow with the log.
constexpr std::uint64_t pieceBytes = 64 * 1024;

/// Copies the records it visits to another log, once copying is switched on.
class Copier final : public feed::RecordVisitor {
public:
    explicit Copier(feed::LogWriter &target) : m_target(target) {}
    bool copies = false;

    void series(const feed::SeriesDeclaration &declaration) override
    {
        m_series.insert_or_assign(declaration.id, Series{declaration.name, declaration.unit, std::nullopt});
    }
    void point(const feed::Point &point) override
    {
        if (!copies)
            return;
        Series &series = m_series.at(point.series);  // the reader passes no point of an undeclared series
        if (!series.targetId)
            series.targetId = m_target.declare(series.name, series.unit);
        m_target.write(*series.targetId, point.step, point.timeNs, point.value);
    }

private:
    struct Series {
        std::string name;
        std::string unit;
        std::optional<std::uint16_t> targetId;
    };
    feed::LogWriter &m_target;
    std::map<std::uint16_t, Series> m_series;
};

struct PreambleOf final : feed::RecordVisitor {
    feed::Preamble found;
    void preamble(const feed::Preamble &preamble) override { found = preamble; }
};

Expected<void> copyTail(const std::filesystem::path &log, std::uint64_t from, feed::LogWriter &target)
{
    feed::FeedReader reader(log, {});
    Copier copier(target);
    for (;;) {
        copier.copies = reader.offset() >= from;
        const Expected<std::uint64_t> records = reader.poll(copier, pieceBytes);
        if (!records)
            return tl::unexpected<Error>(records.error());
        if (*records == 0)
            return target.flush();
        if (Expected<void> flushed = target.flush(); !flushed)
            return flushed;
    }
}

}  // namespace

Expected<void> trimFeed(const std::filesystem::path &log, std::uint64_t mostBytes, std::uint64_t keptBytes)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(log, error);
    if (error || size <= mostBytes)
        return {};
    PreambleOf start;
    feed::FeedReader reader(log, {});
    if (const auto read = reader.poll(start, pieceBytes); !read)
        return tl::unexpected<Error>(read.error());

    const std::filesystem::path shorter = log.string() + ".shorter";
    std::filesystem::remove(shorter, error);  // left by a trimming that was killed
    Expected<void> copied = feed::LogWriter::open(shorter, start.found).and_then([&](feed::LogWriter target) {
        return copyTail(log, size - keptBytes, target);
    });
    if (!copied) {
        std::filesystem::remove(shorter, error);
        return copied;
    }
    std::filesystem::rename(shorter, log, error);
    if (error)
        return makeErrnoError("cannot replace " + log.string(), error.value());
    return {};
}

}  // namespace sweepscope::node
