#pragma once

#include "ui/plot/trialfeeds.h"

#include <deque>

namespace sweepscope::ui {

/// The feeds of the shown attempt and of pinned ones. The latter use its axis: at the clock times when they ran, or
/// from their own start.
class ChartFeeds : public PlotFeeds {
public:
    /// The first source is the shown one.
    explicit ChartFeeds(const std::vector<TrialSource> &sources);

    /// The first source must have the same files; pinned ones that stay are not read again.
    void updateSources(const std::vector<TrialSource> &sources) override;
    bool poll() override;
    PlotFrame frame(const PlotRequest &request) override;
    QStringList watchedFiles() const override;
    bool hasRings() const override;

private:
    TrialFeeds *pinned(const TrialChoice &trial);
    PlotRequest forAll(const PlotRequest &request) const;
    void addPinned(std::vector<PlotPanel> &panels, const Chart &chart, const PlotFrame &frame,
                   const PlotRequest &request);

    TrialFeeds m_shown;
    std::deque<TrialFeeds> m_pinned;
};

}  // namespace sweepscope::ui
