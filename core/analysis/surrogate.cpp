#include "analysis/surrogate.h"

#include "search/repeats.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::analysis {

namespace {

constexpr std::size_t mostResults = 200;

bool hasValue(const search::Observation &trial)
{
    using search::Outcome;
    return trial.outcome == Outcome::Complete || trial.outcome == Outcome::Pruned;
}

}  // namespace

std::vector<search::Observation>
observationsOf(const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials, const TrialValues &values)
{
    using search::Outcome;
    const search::TrialObserver observe(spec);
    const bool isObjective = values.target.kind == Target::Kind::ObjectiveBest && spec.objectives.empty();
    std::vector<search::Observation> observations;
    observations.reserve(trials.size());
    for (const sweep::TrialRecord &trial : trials) {
        search::Observation &observation = observations.emplace_back(observe(trial));
        const auto found = std::ranges::lower_bound(values.trials, trial.number);
        if (observation.outcome == Outcome::Infeasible) {
            observation.values.clear();
        } else if (found != values.trials.end() && *found == trial.number
                   && trial.state != sweep::TrialState::Stopped) {
            const auto row = static_cast<std::size_t>(found - values.trials.begin());
            const double value = values.values[row];
            observation.outcome = values.isPruned(row) ? Outcome::Pruned : Outcome::Complete;
            observation.values = {values.target.goal == sweep::Goal::Maximize ? -value : value};
        } else if (!isObjective && hasValue(observation)) {
            observation.outcome = Outcome::Unknown;
            observation.values.clear();
        }
    }
    return observations;
}

Surrogate::Surrogate(const sweep::SweepSpec &spec, sweep::Goal goal, std::vector<search::Observation> trials)
    : m_spec(spec),
      m_space(*sweep::SearchSpace::compile(m_spec)),
      m_history(m_spec, m_space),
      m_builder(m_spec, m_space, m_history.axes()),
      m_goal(goal),
      m_trials(std::move(trials))
{}

std::shared_ptr<const Surrogate> Surrogate::fit(const sweep::SweepSpec &spec, sweep::Goal goal,
                                                std::vector<search::Observation> trials)
{
    if (!sweep::SearchSpace::compile(spec)
        || std::ranges::count_if(trials, hasValue) < static_cast<std::ptrdiff_t>(fewestResults))
        return nullptr;
    const std::shared_ptr<Surrogate> surrogate(new Surrogate(spec, goal, std::move(trials)));
    surrogate->addTrials();
    surrogate->m_model = search::fitGpModel(surrogate->m_history, mostResults);
    const bool isUsable =
        surrogate->m_model && surrogate->m_model->resultCount >= fewestResults && surrogate->findBest();
    return isUsable ? surrogate : nullptr;
}

void Surrogate::addTrials()
{
    std::optional<search::Repeats> repeats;
    if (m_spec.repeats > 1)
        repeats.emplace(m_spec);
    for (const search::Observation &trial : m_trials)
        m_history.set(repeats ? repeats->set(trial) : trial);
}

/// Returns whether there is one.
bool Surrogate::findBest()
{
    const auto isInSpace = [this](const search::Observation &trial) {
        for (std::size_t i = 0; i < axes().size(); ++i) {
            const sweep::ParameterValue *value = sweep::find(trial.parameters, m_spec.space[i].name);
            if (value != nullptr && !axes()[i].coordinate(*value))
                return false;
        }
        return true;
    };
    bool isFound = false;
    for (std::size_t i = 0; i < m_trials.size(); ++i) {
        const search::Observation &trial = m_trials[i];
        const bool isCandidate = hasValue(trial) && !trial.values.empty() && std::isfinite(trial.values.front());
        if (!isCandidate || (isFound && trial.values.front() >= best().values.front()) || !isInSpace(trial))
            continue;
        m_best = i;
        isFound = true;
    }
    return isFound;
}

std::vector<Surrogate::Prediction> Surrogate::predict(const std::vector<search::Coordinates> &points) const
{
    const search::GpPosterior::Prediction predicted = m_model->posterior.predict(inputsOf(points));
    std::vector<Prediction> predictions;
    for (Eigen::Index i = 0; i < predicted.means.size(); ++i) {
        const double mean = predicted.means[i];
        const double deviation = predicted.deviations[i];
        // Where the warp bends, half the way from one deviation below to one above is still of the right size.
        const double width = std::fabs(toTarget(mean + deviation) - toTarget(mean - deviation));
        predictions.push_back({toTarget(mean), width / 2});
    }
    return predictions;
}

search::GpInputs Surrogate::inputsOf(const std::vector<search::Coordinates> &points) const
{
    search::GpInputs inputs(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(axes().size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        inputs.row(static_cast<Eigen::Index>(i)) = search::gpInput(m_history, points[i]);
    return inputs;
}

std::optional<Eigen::MatrixXd> Surrogate::drawResults(const std::vector<search::Coordinates> &points,
                                                      const Eigen::MatrixXd &normals) const
{
    const search::GpModel &model = *m_model;
    search::GpData data = model.data;
    const search::GpInputs none(0, data.inputs.cols());
    const search::GpPosterior centred(data, none, model.parameters);
    if (!centred.isValid())
        return std::nullopt;
    // The mean of the results is better than that of the space, because a search prefers good points.
    const double mean = centred.likeliestMean();
    data.values.array() -= mean;
    auto draws = search::GpPosterior(std::move(data), none, model.parameters).drawResults(inputsOf(points), normals);
    if (draws)
        draws->array() += mean;
    return draws;
}

double Surrogate::toTarget(double predicted) const
{
    const double value = m_model->warp.invert(predicted);
    return m_goal == sweep::Goal::Maximize ? -value : value;
}

}  // namespace sweepscope::analysis
