#pragma once

#include "analysis/trialvalues.h"
#include "search/gpmodel.h"
#include "search/observation.h"
#include "search/pointbuilder.h"
#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::analysis {

/// Fewer results than these say hardly anything about the rest of the space.
inline constexpr std::size_t fewestResults = 10;

/// Returns the observations for a model of the target, where smaller is better: those of a search, with the target's
/// value instead of the objective's. `values`: of `trials`. Costs some milliseconds for 10,000 trials.
std::vector<search::Observation>
observationsOf(const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials, const TrialValues &values);

/// A Gaussian process over the results of a sweep, the same that the search method gp would fit (search/gpmodel.h), from at
/// most 200 of them. Immutable, so that any thread can use it.
class Surrogate {
public:
    /// Takes up to a second. Null if the space is invalid, fewer than fewestResults trials with a value are in it, or the fit
    /// fails. `goal`: of the target.
    static std::shared_ptr<const Surrogate> fit(const sweep::SweepSpec &spec, sweep::Goal goal,
                                                std::vector<search::Observation> trials);
    Surrogate(const Surrogate &) = delete;
    Surrogate &operator=(const Surrogate &) = delete;

    const sweep::SweepSpec &spec() const { return m_spec; }
    const std::vector<search::Axis> &axes() const { return m_history.axes(); }
    const search::PointBuilder &builder() const { return m_builder; }
    const std::vector<search::Observation> &trials() const { return m_trials; }
    /// The trial with the best value among those whose points are in the space.
    const search::Observation &best() const { return m_trials[m_best]; }

    struct Prediction {
        double value = 0;      ///< in the unit of the target
        double deviation = 0;  ///< standard deviation of the value, without noise; likewise
    };
    /// Unfinished trials lower the deviation around them.
    std::vector<Prediction> predict(const std::vector<search::Coordinates> &points) const;

    /// Draws results at `points`, noise included: see GpPosterior::drawResults(). Smaller is better; toTarget() gives the
    /// values. Unfinished trials are left out.
    std::optional<Eigen::MatrixXd> drawResults(const std::vector<search::Coordinates> &points,
                                               const Eigen::MatrixXd &normals) const;
    /// Converts what the process predicts to the unit of the target. Falls where the goal is to maximize.
    double toTarget(double predicted) const;

private:
    /// `spec` has a valid space.
    Surrogate(const sweep::SweepSpec &spec, sweep::Goal goal, std::vector<search::Observation> trials);
    void addTrials();
    bool findBest();
    search::GpInputs inputsOf(const std::vector<search::Coordinates> &points) const;

    sweep::SweepSpec m_spec;
    sweep::SearchSpace m_space;
    search::SearchHistory m_history;
    search::PointBuilder m_builder;
    sweep::Goal m_goal;
    std::vector<search::Observation> m_trials;
    std::size_t m_best = 0;  ///< in m_trials
    std::optional<search::GpModel> m_model;
};

using SurrogatePtr = std::shared_ptr<const Surrogate>;

}  // namespace sweepscope::analysis
