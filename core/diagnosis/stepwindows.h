#pragma once

#include "diagnosis/evidence.h"
#include "diagnosis/finding.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::diagnosis {

/// Neighbouring windows: [begin, end).
struct Stretch {
    int begin = 0;
    int end = 0;
    int size() const { return end - begin; }
};

/// The steps that all ranks reported, except the first ones, in windows of about a second and at least ten steps.
/// Ranks are compared by step, whatever their clocks say.
class StepWindows {
public:
    static constexpr int warmUpSteps = 5;      ///< libraries are loaded, kernels compiled (NVRx leaves out as many)
    static constexpr double leastSeconds = 8;  ///< anything shorter reflects the machine, not the run

    /// Only this much of a running attempt is examined, so that a new problem is not averaged away by its history.
    static constexpr double liveSeconds = 600;

    /// Over the steps of `series`, which every rank has. Empty when they are too few or took too short; `missing` says
    /// so.
    static std::optional<StepWindows> over(const AttemptEvidence &evidence, std::string_view series,
                                           std::string &missing);

    int count() const { return m_count; }
    /// Empty where the curve has nothing finite.
    std::vector<std::optional<double>> means(const series::Series &series) const;
    /// In steps, and in time by the clock of the rank that reported `series`.
    Window window(Stretch stretch, const series::Series &series) const;
    /// Returns the longest stretch in which `holds` is true. Windows with an unknown result neither extend nor end a
    /// stretch. Empty if no stretch has leastSeconds and three windows.
    std::optional<Stretch> longStretch(const std::function<std::optional<bool>(int)> &holds) const;

private:
    double m_from = 0;
    double m_to = 0;
    int m_count = 0;
    std::vector<double> m_seconds;  ///< how long each window took: a fault makes steps longer
};

/// Of the windows of a stretch that have a value; empty when none has.
std::optional<double> meanOver(const std::vector<std::optional<double>> &values, Stretch stretch);

/// Of a curve whose steps rise: when it came to `step`.
WallNs timeOfStep(const series::Series &series, double step);
/// Of a curve whose times rise: the number of the first sample that is not before `time`; the last one if all are.
std::size_t sampleAt(const series::Series &series, WallNs time);

}  // namespace sweepscope::diagnosis
