#pragma once

#include "ui/live/trialfeeds.h"

#include <deque>

namespace sweepscope::ui {

/// The feeds of several trials, each drawn as one curve: the mean of its ranks. On a time axis all begin at zero.
class ComparedFeeds : public PlotFeeds {
public:
    explicit ComparedFeeds(const std::vector<TrialSource> &sources);

    void updateSources(const std::vector<TrialSource> &sources) override;
    bool poll() override;
    PlotFrame frame(const PlotRequest &request) override;
    QStringList watchedFiles() const override;
    bool hasRings() const override;

private:
    QString chooseSeries(const QString &wanted, const QStringList &names) const;
    void addCurve(PlotFrame &frame, TrialFeeds &trial, PlotRequest request, double start, int color) const;

    std::deque<TrialFeeds> m_trials;
};

}  // namespace sweepscope::ui
