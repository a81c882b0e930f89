#pragma once

#include "base/error.h"
#include "feed/feedreader.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sweepscope::exporting {

/// One feed, read series by series in memory that does not grow with the feed.
///
/// A feed is a stream with all series mixed, and the export wants them one after the other. So it is read several
/// times: once to see which series there are and how long each is, then once for every handful of series that fit into
/// the budget together. A series larger than the whole budget is handed out while it is read. What a living rank adds
/// meanwhile is left out.
class FeedCurves {
public:
    struct Curve {
        std::string name;
        std::uint64_t points = 0;
    };
    /// Called with the share of the work done, 0 to 1; false: stop.
    using Progress = std::function<bool(double)>;
    using PointSink = std::function<void(const Curve &, const feed::Point &)>;

    /// `budgetPoints`: the most points held at once.
    FeedCurves(std::filesystem::path logPath, std::filesystem::path ringPath, std::uint64_t budgetPoints = 4'000'000);

    /// False: stopped by `progress`. A damaged feed is read as far as it goes, see damage().
    bool scan(const Progress &progress);
    /// Only the curves that the first `bytes` tell of; for who does not read() them.
    void scanUpTo(std::uint64_t bytes);
    /// read() hands out these alone; empty: all.
    void readOnly(std::set<std::string> names) { m_only = std::move(names); }
    /// Every point that scan() counted: curves in declared order, points in the order of the feed.
    bool read(const PointSink &sink, const Progress &progress);

    const std::vector<Curve> &curves() const { return m_curves; }
    const std::vector<feed::Gap> &gaps() const { return m_gaps; }
    /// The highest step of any point; 0 without one.
    std::int64_t lastStep() const { return m_lastStep; }
    /// What is wrong with the feed; empty = nothing.
    const std::string &damage() const { return m_damage; }

private:
    class Scanner;
    class Collector;
    /// Of a curve of this name; their number: there is none.
    std::size_t indexOf(const std::string &name) const;
    bool pass(feed::RecordVisitor &visitor, const Progress &progress, std::uint64_t upTo);
    void noteCut();
    bool isWanted(const Curve &curve) const { return m_only.empty() || m_only.contains(curve.name); }

    std::filesystem::path m_logPath;
    std::filesystem::path m_ringPath;
    std::uint64_t m_budgetPoints;
    std::vector<Curve> m_curves;
    std::unordered_map<std::string, std::size_t> m_indexByName;  ///< of m_curves
    std::vector<feed::Gap> m_gaps;
    std::int64_t m_lastStep = 0;
    std::string m_damage;
    std::uint64_t m_scannedBytes = 0;
    std::set<std::string> m_only;
};

}  // namespace sweepscope::exporting
