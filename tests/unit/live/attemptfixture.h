#pragma once

#include "feed/feedwriter.h"
#include "feed/logwriter.h"
#include "feed/ring.h"
#include "ui/plot/trialsource.h"

#include <QTemporaryDir>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// The files of a trial's attempts as their agents, their ranks and the engine's sampler leave them, written with the
/// real writers.
class AttemptFixture {
public:
    static constexpr WallNs start = 1'763'674'200'000'000'000;  // 2025-11-20 21:30:00 UTC
    static constexpr WallNs second = 1'000'000'000;

    explicit AttemptFixture(int ranks, WallNs begun = start);

    /// Writes from now on belong to the next attempt, which continues the previous ones.
    void beginNextAttempt();

    /// Writes one value of a rank's series directly into its log.
    void rank(int rank, const std::string &series, std::int64_t step, WallNs time, double value);
    void host(const std::string &series, WallNs time, double value, const std::string &unit = "%");
    /// The same of the agent on another machine, which runs these ranks.
    void hostOf(int firstRank, int lastRank, const std::string &series, WallNs time, double value);
    void device(const std::string &series, WallNs time, double value, const std::string &unit = "%",
                const std::string &machine = {});
    void flush();

    /// An attempt with 2 ranks on two cores, started at `start`.
    TrialSource source() const;
    /// `machine`: empty for the engine's.
    std::filesystem::path devicesFeed(const std::string &machine = {}) const;

private:
    struct Feed {
        std::optional<feed::LogWriter> writer;
        std::map<std::string, std::uint16_t> ids;
        std::int64_t samples = 0;
    };
    void write(const std::filesystem::path &file, int rank, const std::string &series, const std::string &unit,
               std::optional<std::int64_t> step, WallNs time, double value);

    QTemporaryDir m_folder;
    int m_attempt = 1;
    int m_ranks;
    WallNs m_begun;
    std::map<std::filesystem::path, Feed> m_feeds;
};

inline constexpr WallNs t0 = AttemptFixture::start;
inline constexpr WallNs second = AttemptFixture::second;

}  // namespace sweepscope::ui
