#include "search/repeats.h"

#include "sweep/point.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace sweepscope::search {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// The significance of a difference that ends a point's race.
constexpr double significance = 0.05;
/// With fewer degrees of freedom the deviation says nothing yet.
constexpr int fewestDegrees = 3;

/// Whether the run is part of its point's mean. Repeats rank by one objective.
bool counts(const Observation &run)
{
    return run.outcome == Outcome::Complete && !run.values.empty() && std::isfinite(run.values.front());
}

}  // namespace

Observation Repeats::set(Observation trial)
{
    sweep::ParameterSet key = sweep::canonical(trial.parameters);
    Observation point;
    point.parameters = std::move(trial.parameters);
    trial.parameters = sweep::ParameterSet();
    Point &known = m_points[std::move(key)];
    if (known.runs.empty())
        known.parameters = point.parameters;
    const auto place = std::ranges::lower_bound(known.runs, trial.number, {}, &Observation::number);
    m_pending += trial.outcome == Outcome::Pending ? 1 : 0;
    if (place != known.runs.end() && place->number == trial.number) {
        m_pending -= place->outcome == Outcome::Pending ? 1 : 0;
        *place = std::move(trial);
    } else {
        known.runs.insert(place, std::move(trial));
    }
    update(known);

    const Observation &first = known.runs.front();
    const auto completed = std::ranges::find_if(known.runs, counts);
    const auto pending = std::ranges::find(known.runs, Outcome::Pending, &Observation::outcome);
    const Observation &shown = completed != known.runs.end() ? *completed
                               : pending != known.runs.end() ? *pending
                                                             : first;
    point.number = first.number;
    point.outcome = shown.outcome;
    point.values = known.completed > 0 ? std::vector<double>{known.mean} : shown.values;
    point.step = shown.step;
    point.violation = shown.violation;
    point.rungs = first.rungs;
    return point;
}

void Repeats::update(Point &point)
{
    point.mean = point.squares = 0;
    point.completed = 0;
    point.isPending = point.isBroken = false;
    for (const Observation &run : point.runs) {
        point.isPending = point.isPending || run.outcome == Outcome::Pending;
        point.isBroken =
            point.isBroken || (!counts(run) && run.outcome != Outcome::Pending && run.outcome != Outcome::Unknown);
        if (!counts(run))
            continue;
        ++point.completed;
        const double distance = run.values.front() - point.mean;
        point.mean += distance / point.completed;
        point.squares += distance * (run.values.front() - point.mean);
    }
}

std::optional<Suggestion> Repeats::due(const sweep::SearchSpace &space, Method method) const
{
    double squares = 0;
    int degrees = 0;
    const Point *best = nullptr;
    for (const auto &[key, point] : m_points) {
        if (point.completed == 0)
            continue;
        squares += point.squares;
        degrees += point.completed - 1;
        if (point.completed > 1 && (best == nullptr || point.mean < best->mean))
            best = &point;
    }
    const bool isDecidable = best != nullptr && degrees >= fewestDegrees;
    const double quantile =
        isDecidable ? boost::math::quantile(boost::math::students_t(static_cast<double>(degrees)), 1 - significance / 2)
                    : 0;
    const auto hasLost = [&](const Point &point) {
        if (!isDecidable || best == &point)
            return false;
        const double error = std::sqrt(squares / degrees * (1.0 / point.completed + 1.0 / best->completed));
        return point.mean - best->mean > quantile * error;
    };
    const Point *next = nullptr;
    for (const auto &[key, point] : m_points) {
        const bool isDue = point.completed > 0 && !point.isPending && !point.isBroken
                           && point.completed < m_spec->repeats
                           && point.runs.size() < 2 * static_cast<std::size_t>(m_spec->repeats)
                           && sweep::isInSpace(*m_spec, space, point.parameters);
        if (!isDue || hasLost(point))
            continue;
        const auto order = [](const Point &one) { return std::pair(one.mean, one.runs.front().number); };
        if (next == nullptr || order(point) < order(*next))
            next = &point;
    }
    if (next == nullptr)
        return std::nullopt;
    return Suggestion{next->parameters, method,
                      Fact(Code::ChosenToRepeat)
                          .with(Field::Trial, next->runs.front().number)
                          .with(Field::Number, next->completed + 1)
                          .with(Field::Count, m_spec->repeats)};
}

bool Repeats::hasRoom(int number) const
{
    if (m_spec->trials == 0 || number == 1)
        return true;
    const auto next = static_cast<std::uint64_t>(number);
    return next <= m_spec->trials && m_spec->trials - next + 1 >= static_cast<std::uint64_t>(m_spec->repeats);
}

Repeats::Choice Repeats::suggest(const sweep::SearchSpace &space, Method method, int number,
                                 const std::function<Choice()> &chooseNew) const
{
    const bool beginsWithAll = method == Method::Grid;
    if (!beginsWithAll) {
        if (auto repeat = due(space, method))
            return *std::move(repeat);
    }
    const auto next = static_cast<std::uint64_t>(number);
    const std::uint64_t left = m_spec->trials >= next ? m_spec->trials - next + 1 : 0;
    const Choice tooFew = tl::unexpected(Fact(Code::RepeatsDone).with(Field::Count, static_cast<std::int64_t>(left)));
    Choice fresh = beginsWithAll || hasRoom(number) ? chooseNew() : tooFew;
    if (fresh)
        return fresh;
    if (beginsWithAll) {
        if (auto repeat = due(space, method))
            return *std::move(repeat);
    }
    if (m_pending > 0)
        return tl::unexpected<Fact>(Code::ResultsAwaited);
    if (beginsWithAll && fresh.error().code == Code::PointsExhausted)
        return tl::unexpected<Fact>(Code::RepeatsDone);
    return fresh;
}

}  // namespace sweepscope::search
