#pragma once

#include "base/workspacelayout.h"
#include "launch/attemptenvironment.h"
#include "series/feedseries.h"

#include <QString>

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

struct AttemptSource {
    std::filesystem::path folder;  ///< empty for none
    int ranks = 0;
    std::vector<std::filesystem::path> continued;  ///< of the attempts that it continues, oldest first

    bool operator==(const AttemptSource &) const = default;
};

/// A metric over the ranks that report it.
struct MetricSummary {
    QString name;
    QString unit;
    std::optional<double> last;  ///< mean over the ranks that have one
    std::optional<double> low;
    std::optional<double> high;
    quint64 points = 0;

    bool operator==(const MetricSummary &) const = default;
};

struct AttemptFile {
    QString path;  ///< relative to the attempt's folder
    qint64 bytes = 0;

    bool operator==(const AttemptFile &) const = default;
};

/// A message, a warning or an error that a rank has reported.
struct RankEvent {
    int rank = 0;
    qint64 step = 0;
    qint64 timeNs = 0;
    feed::EventKind kind = feed::EventKind::Message;
    QString text;

    bool operator==(const RankEvent &) const = default;
};

struct AttemptContents {
    std::vector<MetricSummary> metrics;                     ///< in order of declaration
    std::vector<int> reportingRanks;                        ///< with metrics, ascending
    std::vector<AttemptFile> files;                         ///< sorted by name
    std::vector<RankEvent> events;                          ///< of this attempt, newest first
    std::optional<launch::AttemptEnvironment> environment;  ///< nullopt if it was not recorded

    bool operator==(const AttemptContents &) const = default;
};

/// The content of an attempt's folder: its files, and a summary of its feeds' metrics, including those of the attempts
/// that it continues. Lives in one thread, which may block.
class AttemptFiles {
public:
    explicit AttemptFiles(AttemptSource source);

    /// Reads a bounded amount of new feed data; returns true if there was any.
    bool poll();
    AttemptContents contents();

private:
    void addMetric(std::vector<MetricSummary> &metrics, const series::Series &series) const;
    std::optional<double> lastOf(const std::string &name) const;
    std::vector<AttemptFile> files() const;
    std::vector<RankEvent> events() const;

    AttemptSource m_source;
    std::optional<launch::AttemptEnvironment> m_environment;  ///< it does not change
    std::deque<series::FeedSeries> m_feeds;                   ///< of all ranks, by attempt
};

}  // namespace sweepscope::ui
