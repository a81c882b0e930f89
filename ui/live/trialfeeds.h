#pragma once

#include "series/columnmath.h"
#include "series/feedseries.h"
#include "ui/live/devicefeed.h"
#include "ui/live/plotframe.h"
#include "ui/live/trialsource.h"
#include "ui/live/visiblecolumns.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// All feeds of one attempt: of its ranks, its processes and its devices, and the frames that plots draw from them.
/// Lives in one thread, which may block on files.
class TrialFeeds {
public:
    explicit TrialFeeds(TrialSource source);

    const TrialSource &source() const { return m_source; }
    /// The same files, with more known about the attempt.
    void updateSource(const TrialSource &source);

    /// Take what is new, a bounded amount; true when there was something.
    bool poll();
    PlotFrame frame(const PlotRequest &request);

    /// What changes when there is something new, but for what is in a ring.
    QStringList watchedFiles() const;
    bool hasRings() const;

private:
    QStringList seriesNames() const;
    std::string chooseSeries(const QString &wanted, const QStringList &names) const;
    void setRange(PlotFrame &frame, const PlotRequest &request, const std::vector<const series::Series *> &shown) const;
    void addRankCurves(PlotFrame &frame, const PlotRequest &request, const std::string &series);
    std::vector<series::Column> visible(const series::Series &series, const PlotFrame &frame,
                                        const PlotRequest &request);
    static void setColumns(PlotCurve &curve, std::vector<series::Column> columns, const PlotRequest &request,
                           double from);
    PlotCurve commonCurve(PlotFrame &frame, const PlotRequest &request,
                          const std::vector<const series::Series *> &shown);
    double startSeconds() const;
    static bool takeResult(const Expected<bool> &result, std::string &problem);

    TrialSource m_source;
    std::deque<series::FeedSeries> m_ranks;
    series::FeedSeries m_host;
    std::optional<DeviceFeed> m_devices;
    VisibleColumns m_columns;
    std::vector<std::string> m_problems;  ///< of each rank's feed, the host's and the devices'; empty: none
};

}  // namespace sweepscope::ui
