#include "engine/objectivetracker.h"

#include "sweep/objectiveorder.h"
#include "sweep/trialchain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sweepscope::engine {

ObjectiveTracker::ObjectiveTracker(std::string objective, sweep::Goal goal, std::optional<pruning::Rungs> rungs,
                                   ReportedPast past)
    : m_objective(std::move(objective)),
      m_goal(goal),
      m_past(std::move(past)),
      m_last(m_past.last),
      m_best(m_past.best),
      m_metrics(m_past.metrics),
      m_step(m_past.step),
      m_firstStep(m_past.firstStep),
      m_objectiveReached(m_past.objectiveReached),
      m_beganAtAnother(m_past.isOfAnother),
      m_rungs(std::move(rungs))
{}

void ObjectiveTracker::series(const feed::SeriesDeclaration &declaration)
{
    const std::size_t id = declaration.id;
    if (m_roles.size() <= id)
        m_roles.resize(id + 1);
    m_roles[id] = Role::Other;  // it may have been another series before
    if (declaration.name == m_objective)
        m_roles[id] = Role::Objective;
    else if (declaration.name == "total_steps")
        m_roles[id] = Role::TotalSteps;
    else
        m_metrics.series(declaration);
}

void ObjectiveTracker::point(const feed::Point &point)
{
    const Role role = point.series < m_roles.size() ? m_roles[point.series] : Role::Other;
    if (role == Role::TotalSteps) {
        m_totalSteps = point.value;
        return;
    }
    if (!m_firstReport) {
        m_firstReport = point.timeNs;
        meetPast(point.step);
    }
    m_step = point.step;
    m_pace.add(point.step, point.timeNs);
    if (role != Role::Objective) {
        m_metrics.point(point);
        return;
    }
    const sweep::ObjectiveValue value{point.value, point.step};
    m_last = value;
    for (std::optional<sweep::ObjectiveValue> *best : {&m_best, &m_ownBest}) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        if (sweep::isBetterObjective(value.value, *best ? (*best)->value : none, m_goal))
            *best = value;
    }
    noteRung(value.step);
    m_objectiveReached = std::max(m_objectiveReached.value_or(value.step), value.step);
}

/// Decides at the attempt's first reported step whether it continues its past.
void ObjectiveTracker::meetPast(std::int64_t step)
{
    if (sweep::continuesChain(step, m_past.firstStep))
        return;
    m_startedAnew = true;
    m_droppedPast = m_past.firstStep.has_value();
    m_past = {};
    m_last.reset();
    m_best.reset();
    m_metrics.dropPast();
    m_firstStep = step;
    m_objectiveReached.reset();
}

void ObjectiveTracker::noteRung(std::int64_t step)
{
    if (!m_rungs)
        return;
    // A rung before the first step of a resumed attempt was not reached by it. A trial that continues another is compared
    // when it has trained for as long as others have at their first rung.
    if (!m_lastRung && m_past.objectiveReached)
        m_lastRung = m_rungs->upTo(std::min(*m_past.objectiveReached, step - 1)).value_or(0);
    else if (!m_lastRung)
        m_lastRung = m_beganAtAnother ? m_rungs->upTo(*m_firstStep + m_rungs->interval() - 2).value_or(0) : 0;
    const std::optional<std::int64_t> rung = m_rungs->upTo(step);
    if (!rung || *rung <= *m_lastRung)
        return;
    m_lastRung = *rung;
    const bool pastReachedIt = m_past.objectiveReached && *m_past.objectiveReached >= *rung;
    const std::optional<sweep::ObjectiveValue> &best = pastReachedIt ? m_ownBest : m_best;
    m_reached.push_back({*rung, best ? best->value : std::numeric_limits<double>::quiet_NaN(), m_last->value});
}

double ObjectiveTracker::progress() const
{
    if (!(m_totalSteps > 0))
        return m_past.progress;
    if (m_step <= 0)
        return 0;
    return std::min(1.0, static_cast<double>(m_step) / m_totalSteps);
}

}  // namespace sweepscope::engine
