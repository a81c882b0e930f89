#pragma once

#include "series/feedseries.h"
#include "ui/live/chart.h"
#include "ui/live/devicefeed.h"
#include "ui/live/plotfeeds.h"
#include "ui/live/rankcurves.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::ui {

/// The feeds of a trial's attempts that continue one another: of their ranks, and of the last one's processes and devices.
/// A curve goes through all of these attempts. Where a later attempt does steps again, it is drawn next to the earlier
/// one, and neither hides the other.
class TrialFeeds : public PlotFeeds {
public:
    explicit TrialFeeds(TrialSource source);

    const TrialSource &source() const { return m_source; }
    /// The same files, with more known about the attempt.
    void updateSource(const TrialSource &source);
    void updateSources(const std::vector<TrialSource> &sources) override { updateSource(sources.front()); }
    bool poll() override;
    PlotFrame frame(const PlotRequest &request) override;
    /// One of the other charts, over the range of the frame; none: there is nothing of it.
    std::optional<PlotPanel> panel(const Chart &chart, const PlotFrame &frame, const PlotRequest &request);
    QStringList watchedFiles() const override;
    bool hasRings() const override;

    /// After panel() without frame(): what was not asked since the last frame is forgotten.
    void endFrame() { m_columns.endFrame(); }
    /// When its first rank began; zero of relative time.
    double startSeconds() const;
    /// The one that a frame would show first.
    std::string shownSeries(const PlotRequest &request) const { return chooseSeries(request.series, seriesNames()); }

    QStringList seriesNames() const;
    /// None: no rank has reported anything.
    std::optional<TrialPace> pace() const;
    /// What a frame of this series would show, and its zero of relative time. The columns are not made.
    PlotFrame range(const PlotRequest &request, const std::string &series) const;

private:
    std::string chooseSeries(const QString &wanted, const QStringList &names) const;
    void setRange(PlotFrame &frame, const PlotRequest &request, const SeriesParts &shown) const;
    SeriesParts partsOf(std::string_view name) const;
    void addAttemptEnds(PlotPanel &panel, const SeriesParts &parts, const PlotRequest &request) const;
    void addRankCurves(PlotPanel &panel, const PlotFrame &frame, const PlotRequest &request, const std::string &series);
    PlotPanel seriesPanel(const Chart &chart, const PlotFrame &frame, const PlotRequest &request);
    PlotPanel stepPartsPanel(const PlotFrame &frame, const PlotRequest &request);
    static bool takeResult(const Expected<bool> &result, std::string &problem);

    TrialSource m_source;
    struct Attempt {
        int number = 0;
        std::deque<series::FeedSeries> ranks;
        bool isRead = false;                  ///< it is over, and nothing more comes
        std::vector<std::string> problems{};  ///< of each rank's feed; empty: none
    };
    static void save(Attempt &attempt);
    const Attempt &present() const { return m_attempts.back(); }
    /// Of all ranks, attempt by attempt.
    std::vector<const series::Series *> allSeries() const;

    std::deque<Attempt> m_attempts;  ///< never empty; the last one is that of the source
    series::FeedSeries m_host;
    std::optional<DeviceFeed> m_devices;
    VisibleColumns m_columns;
    std::string m_hostProblem;
    std::string m_devicesProblem;
};

}  // namespace sweepscope::ui
