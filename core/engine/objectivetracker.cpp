#include "engine/objectivetracker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sweepscope::engine {

ObjectiveTracker::ObjectiveTracker(std::string objective, sweep::Goal goal, std::optional<Rungs> rungs)
    : m_objective(std::move(objective)), m_goal(goal), m_rungs(std::move(rungs))
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
    m_step = point.step;
    if (!m_firstReport)
        m_firstReport = point.timeNs;
    if (role != Role::Objective) {
        m_metrics.point(point);
        return;
    }
    const sweep::ObjectiveValue value{point.value, point.step};
    m_last = value;
    const bool better =
        !m_best || (m_goal == sweep::Goal::Minimize ? value.value < m_best->value : value.value > m_best->value);
    if (better && !std::isnan(value.value))
        m_best = value;
    noteRung(value.step);
}

void ObjectiveTracker::noteRung(std::int64_t step)
{
    const std::optional<std::int64_t> rung = m_rungs ? m_rungs->upTo(step) : std::nullopt;
    if (!rung || *rung <= m_lastRung)
        return;
    m_lastRung = *rung;
    m_reached.push_back({*rung, m_best ? m_best->value : std::numeric_limits<double>::quiet_NaN()});
}

double ObjectiveTracker::progress() const
{
    if (!(m_totalSteps > 0) || m_step <= 0)
        return 0;
    return std::min(1.0, static_cast<double>(m_step) / m_totalSteps);
}

}  // namespace sweepscope::engine
