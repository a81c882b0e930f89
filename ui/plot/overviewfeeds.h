#pragma once

#include "ui/plot/trialfeeds.h"

#include <map>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The feeds of concurrent trials, for small pictures: one curve of each, the mean of its ranks, over its own time.
/// Trials come and go; those that stay are not read again.
class OverviewFeeds : public PlotFeeds {
public:
    explicit OverviewFeeds(const std::vector<TrialSource> &sources) { updateSources(sources); }

    /// The sources may have different files.
    void updateSources(const std::vector<TrialSource> &sources) override;
    bool poll() override;
    PlotFrame frame(const PlotRequest &request) override;
    QStringList watchedFiles() const override;
    bool hasRings() const override;

    /// Returns the name of a trial's curve in the frame.
    static QString curveName(qint64 sweepId, int trial);

private:
    using Key = std::pair<qint64, int>;  ///< sweep and trial

    std::map<Key, TrialFeeds> m_trials;
};

}  // namespace sweepscope::ui
