#pragma once

#include "ui/live/plotframe.h"
#include "ui/live/trialsource.h"

#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// What plots are drawn from: the feeds of one attempt, or of several that are compared. Lives in one thread, which may
/// block on files.
class PlotFeeds {
public:
    virtual ~PlotFeeds() = default;

    /// The same files, with more known about the attempts.
    virtual void updateSources(const std::vector<TrialSource> &sources) = 0;
    /// Take what is new, a bounded amount; true when there was something.
    virtual bool poll() = 0;
    virtual PlotFrame frame(const PlotRequest &request) = 0;
    /// What changes when there is something new, but for what is in a ring.
    virtual QStringList watchedFiles() const = 0;
    virtual bool hasRings() const = 0;
};

}  // namespace sweepscope::ui
