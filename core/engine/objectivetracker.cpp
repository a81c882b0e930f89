#include "engine/objectivetracker.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::engine {

ObjectiveTracker::ObjectiveTracker(std::string objective, sweep::Goal goal)
    : m_objective(std::move(objective)), m_goal(goal)
{}

void ObjectiveTracker::series(const feed::SeriesDeclaration &declaration)
{
    const std::size_t id = declaration.id;
    if (m_roles.size() <= id)
        m_roles.resize(id + 1, Role::Other);
    if (declaration.name == m_objective)
        m_roles[id] = Role::Objective;
    else if (declaration.name == "total_steps")
        m_roles[id] = Role::TotalSteps;
}

void ObjectiveTracker::point(const feed::Point &point)
{
    const Role role = point.series < m_roles.size() ? m_roles[point.series] : Role::Other;
    if (role == Role::TotalSteps) {
        m_totalSteps = point.value;
        return;
    }
    m_step = point.step;
    if (role != Role::Objective)
        return;
    const sweep::ObjectiveValue value{point.value, point.step};
    m_last = value;
    if (std::isnan(value.value))
        return;
    const bool better =
        !m_best || (m_goal == sweep::Goal::Minimize ? value.value < m_best->value : value.value > m_best->value);
    if (better)
        m_best = value;
}

double ObjectiveTracker::progress() const
{
    if (!(m_totalSteps > 0) || m_step <= 0)
        return 0;
    return std::min(1.0, static_cast<double>(m_step) / m_totalSteps);
}

}  // namespace sweepscope::engine
