#pragma once

#include "ui/plot/trialfeeds.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The feeds of several trials, each drawn as one curve: the mean of its ranks. Trials in groups are drawn as the median
/// of each group with its quartiles. On a time axis all begin at zero.
///
/// A sweep may have thousands of trials. Then only those that run stay open. A trial that has ended is read once for
/// each metric, axis and smoothing, and its curve stays, at a resolution that depends on the number of trials. A frame
/// contains what is read by then, at first a sample of all trials, and poll() returns true until all are read. The same
/// holds for the finer curves of a part.
class ComparedFeeds : public PlotFeeds {
public:
    explicit ComparedFeeds(const std::vector<TrialSource> &sources) { updateSources(sources); }

    /// Trials come and go; those that stay are not read again.
    void updateSources(const std::vector<TrialSource> &sources) override;
    bool poll() override;
    PlotFrame frame(const PlotRequest &request) override;
    QStringList watchedFiles() const override;
    bool hasRings() const override;

    /// So many trials stay open, and have a column for each pixel.
    static constexpr std::size_t mostOpen = 64;

private:
    /// What a curve depends on.
    struct Question {
        QString series;
        series::XAxis axis = series::XAxis::Step;
        double smoothing = 0;
        int columns = 0;
        std::optional<std::pair<double, double>> part;  ///< nullopt: all of it

        bool operator==(const Question &) const = default;
        bool isOfSameCurve(const Question &other) const;
    };
    struct Trial {
        TrialSource source;
        std::unique_ptr<TrialFeeds> feeds{};  ///< null: closed
        bool isRead = false;
        bool hasChanged = false;  ///< since the answer
        QStringList names{};      ///< of its series
        std::optional<Question> answered{};
        PlotCurve curve{};
        QString unit{};
        std::pair<double, double> range{};  ///< of all of the curve
        std::vector<AttemptEnd> ends{};
        bool isExact = false;  ///< no two points share a column
        qint64 droppedRecords = 0;
        qint64 missingBytes = 0;
        QString problem{};
    };
    bool isMissing(const Trial &trial, const Question &question) const;
    bool mayClose(const Trial &trial) const;
    void putAside(std::map<std::pair<qint64, int>, Trial> &trials);
    void read(Trial &trial) const;
    void answer(Trial &trial, const Question &question, const PlotRequest &request) const;
    QStringList seriesNames() const;
    QString chooseSeries(const QString &wanted, const QStringList &names) const;
    void addCurve(PlotFrame &frame, const Trial &trial, int color) const;
    void addMedians(PlotFrame &frame, const std::vector<const Trial *> &trials) const;

    std::vector<Trial> m_trials;
    /// Ended ones of the same sweep that are not shown, such as those that a filter hides: they may come again.
    std::map<std::pair<qint64, int>, Trial> m_aside;
    std::size_t m_next = 0;  ///< counts the trials looked at, in the order in which they are read
    int m_missing = 1;       ///< curves that the last frame lacked, or showed coarser than requested
};

}  // namespace sweepscope::ui
