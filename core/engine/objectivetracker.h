#pragma once

#include "feed/records.h"
#include "sweep/records.h"

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What the engine wants from rank 0's feed: the objective, and how far the trial is. Keeps values, not points, so that
/// an engine with hundreds of long trials stays small.
class ObjectiveTracker : public feed::RecordVisitor {
public:
    ObjectiveTracker(std::string objective, sweep::Goal goal);

    void series(const feed::SeriesDeclaration &declaration) override;
    void point(const feed::Point &point) override;

    const std::optional<sweep::ObjectiveValue> &last() const { return m_last; }
    /// Lowest or highest by the goal, the first of equals; never NaN.
    const std::optional<sweep::ObjectiveValue> &best() const { return m_best; }
    std::int64_t step() const { return m_step; }
    /// step of total_steps, 0 to 1; 0 while the trial has not said how many there are.
    double progress() const;

private:
    enum class Role : unsigned char { Other, Objective, TotalSteps };
    std::string m_objective;
    sweep::Goal m_goal;
    std::vector<Role> m_roles;  ///< by series id
    std::optional<sweep::ObjectiveValue> m_last;
    std::optional<sweep::ObjectiveValue> m_best;
    std::int64_t m_step = 0;
    double m_totalSteps = 0;
};

}  // namespace sweepscope::engine
