#pragma once

#include "ui/live/trialfeeds.h"

#include <deque>

namespace sweepscope::ui {

/// The feeds of the attempt that is shown, and of those that charts are pinned to: these stand on its axis, at the clock
/// where they ran, and otherwise from their start.
class ChartFeeds : public PlotFeeds {
public:
    /// The first one is shown.
    explicit ChartFeeds(const std::vector<TrialSource> &sources);

    /// The first one is of the same files; of the others those that stay are not read again.
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
