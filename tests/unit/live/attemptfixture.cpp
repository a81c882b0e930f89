#include "unit/live/attemptfixture.h"

#include <QtGlobal>

#include <filesystem>

namespace sweepscope::ui {

AttemptFixture::AttemptFixture(int ranks, WallNs begun) : m_ranks(ranks), m_begun(begun)
{
    Q_ASSERT(m_folder.isValid());
    std::filesystem::create_directory(source().folder);
}

void AttemptFixture::beginNextAttempt()
{
    flush();
    ++m_attempt;
    std::filesystem::create_directory(source().folder);
}

TrialSource AttemptFixture::source() const
{
    TrialSource source;
    source.sweepId = 1;
    source.trial = 1;
    source.attempt = m_attempt;
    source.firstAttempt = m_attempt > 1 ? 1 : 0;
    const std::filesystem::path trial = m_folder.path().toStdString();
    source.folder = trial / std::to_string(m_attempt);
    source.devicesFeeds[""] = devicesFeed();
    source.ranks = m_ranks;
    for (int rank = 0; rank < m_ranks; ++rank) {
        source.devices.push_back("cpu:" + std::to_string(rank));
        source.deviceNames.push_back("core " + std::to_string(rank));
    }
    source.started = m_begun;
    return source;
}

std::filesystem::path AttemptFixture::devicesFeed(const std::string &machine) const
{
    return std::filesystem::path(m_folder.path().toStdString()) / (machine + "devices.feed");
}

void AttemptFixture::rank(int rank, const std::string &series, std::int64_t step, WallNs time, double value)
{
    write(source().files().rankFeed(rank), rank, series, series == "step_time" ? "s" : "", step, time, value);
}

void AttemptFixture::host(const std::string &series, WallNs time, double value, const std::string &unit)
{
    write(source().files().hostFeed(), -1, series, unit, std::nullopt, time, value);
}

void AttemptFixture::hostOf(int firstRank, int lastRank, const std::string &series, WallNs time, double value)
{
    const AttemptLayout agent = source().files().ofRanks(firstRank, lastRank);
    std::filesystem::create_directory(agent.folder);
    write(agent.hostFeed(), -1, series, "%", std::nullopt, time, value);
}

void AttemptFixture::device(const std::string &series, WallNs time, double value, const std::string &unit,
                            const std::string &machine)
{
    write(devicesFeed(machine), -1, series, unit, std::nullopt, time, value);
}

void AttemptFixture::write(const std::filesystem::path &file, int rank, const std::string &series,
                           const std::string &unit, std::optional<std::int64_t> step, WallNs time, double value)
{
    Feed &feed = m_feeds[file];
    if (!feed.writer) {
        auto opened = feed::LogWriter::open(file, {rank, m_ranks, m_begun, "1-1-1"});
        Q_ASSERT(opened);
        feed.writer.emplace(std::move(*opened));
    }
    const auto [id, isNew] = feed.ids.try_emplace(series, 0);
    if (isNew)
        id->second = feed.writer->declare(series, unit);
    feed.writer->write(id->second, step.value_or(feed.samples++), time, value);
}

void AttemptFixture::flush()
{
    for (auto &[file, feed] : m_feeds) {
        const auto flushed = feed.writer->flush();
        Q_ASSERT(flushed);
    }
}

}  // namespace sweepscope::ui
