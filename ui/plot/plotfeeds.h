#pragma once

#include "ui/plot/plotframe.h"
#include "ui/plot/trialsource.h"

#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// The source of plots: the feeds of one attempt, or of several that are compared. Lives in one thread, which may block
/// on files.
class PlotFeeds {
public:
    virtual ~PlotFeeds() = default;

    /// The same files, with newer data about the attempts.
    virtual void updateSources(const std::vector<TrialSource> &sources) = 0;
    /// Reads a bounded amount of new data; returns true if there was any.
    virtual bool poll() = 0;
    virtual PlotFrame frame(const PlotRequest &request) = 0;
    /// The files that change with new data, except for data in rings.
    virtual QStringList watchedFiles() const = 0;
    virtual bool hasRings() const = 0;
};

}  // namespace sweepscope::ui
