#pragma once

#include "series/feedseries.h"
#include "ui/plot/attemptreadings.h"
#include "ui/plot/chart.h"
#include "ui/plot/plotfeeds.h"
#include "ui/plot/rankcurves.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::ui {

/// The feeds of a trial's attempts that continue one another: of their ranks, and of the last attempt's processes and
/// devices. A curve goes through all of these attempts. If a later attempt repeats steps, both are drawn, and neither
/// hides the other.
class TrialFeeds : public PlotFeeds {
public:
    /// What is read besides what ranks report.
    enum class Readings { All, None };

    explicit TrialFeeds(TrialSource source, Readings readings = Readings::All);

    const TrialSource &source() const { return m_source; }
    /// The same files, with newer data about the attempt.
    void updateSource(const TrialSource &source);
    void updateSources(const std::vector<TrialSource> &sources) override { updateSource(sources.front()); }
    bool poll() override;
    PlotFrame frame(const PlotRequest &request) override;
    /// Returns one of the other charts over the range of the frame; nullopt without data.
    std::optional<PlotPanel> panel(const Chart &chart, const PlotFrame &frame, const PlotRequest &request);
    QStringList watchedFiles() const override;
    bool hasRings() const override;

    /// Call after panel() without frame(): forgets columns that were not used since the last frame.
    void endFrame() { m_columns.endFrame(); }
    /// Start of its first rank; zero of relative time.
    double startSeconds() const;
    /// The series that a frame would show first.
    std::string shownSeries(const PlotRequest &request) const { return chooseSeries(request.series, seriesNames()); }

    QStringList seriesNames() const;
    /// The points of this series of the rank that has most, in all attempts.
    std::size_t points(std::string_view series) const;
    /// nullopt if no rank has reported anything.
    std::optional<TrialPace> pace() const;
    /// The range of a frame of this series, and its zero of relative time. Computes no columns.
    PlotFrame range(const PlotRequest &request, const std::string &series) const;

private:
    std::string chooseSeries(const QString &wanted, const QStringList &names) const;
    void setRange(PlotFrame &frame, const PlotRequest &request, const SeriesParts &shown) const;
    SeriesParts partsOf(std::string_view name) const;
    void addAttemptEnds(PlotPanel &panel, const SeriesParts &parts, const PlotRequest &request) const;
    void addRankCurves(PlotPanel &panel, const PlotFrame &frame, const PlotRequest &request, const std::string &series);
    PlotPanel seriesPanel(const Chart &chart, const PlotFrame &frame, const PlotRequest &request);
    PlotPanel stepPartsPanel(const PlotFrame &frame, const PlotRequest &request);

    TrialSource m_source;
    struct Attempt {
        int number = 0;
        std::deque<series::FeedSeries> ranks;
        bool isRead = false;                  ///< it has ended and is read completely
        qint64 missingBytes = 0;              ///< see PlotFrame
        std::vector<std::string> problems{};  ///< of each rank's feed; empty if none
    };
    static void save(Attempt &attempt);
    qint64 missingBytes(const Attempt &attempt) const;
    const Attempt &present() const { return m_attempts.back(); }
    /// Of all ranks, by attempt.
    std::vector<const series::Series *> allSeries() const;

    std::deque<Attempt> m_attempts;  ///< never empty; the last one is the source's
    bool m_hasReadings;
    AttemptReadings m_readings;
    VisibleColumns m_columns;
};

}  // namespace sweepscope::ui
