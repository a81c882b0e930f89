#pragma once

#include "base/clock.h"
#include "sweep/sweepspec.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

/// Short notations for sweeps in tests.
namespace sweepscope::sweep::testing {

inline constexpr WallNs second = 1'000'000'000;

inline Dimension numbers(std::string name, std::initializer_list<double> values, std::string when = {})
{
    Dimension dimension;
    dimension.name = std::move(name);
    for (const double value : values)
        dimension.values.emplace_back(value);
    dimension.when = std::move(when);
    return dimension;
}

inline Dimension choice(std::string name, std::initializer_list<const char *> values, std::string when = {})
{
    Dimension dimension;
    dimension.name = std::move(name);
    dimension.kind = DimensionKind::Choice;
    for (const char *value : values)
        dimension.values.emplace_back(std::string(value));
    dimension.when = std::move(when);
    return dimension;
}

inline Dimension integers(std::string name, double low, double high, std::int64_t step = 1, std::string when = {})
{
    Dimension dimension;
    dimension.name = std::move(name);
    dimension.kind = DimensionKind::Integer;
    dimension.low = low;
    dimension.high = high;
    dimension.step = step;
    dimension.when = std::move(when);
    return dimension;
}

inline Dimension range(DimensionKind kind, std::string name, double low, double high, int points, std::string when = {})
{
    Dimension dimension = integers(std::move(name), low, high, 1, std::move(when));
    dimension.kind = kind;
    dimension.points = points;
    return dimension;
}

/// A sweep whose command uses every parameter, so that parameters may have any name.
inline SweepSpec commandSweep(std::vector<Dimension> space, std::vector<Constraint> constraints = {})
{
    SweepSpec spec;
    spec.name = "test";
    spec.objective = "loss";
    spec.run.worker = WorkerKind::Command;
    spec.run.command = {"true"};
    for (const Dimension &dimension : space)
        spec.run.command.push_back("{" + dimension.name + "}");
    spec.space = std::move(space);
    spec.constraints = std::move(constraints);
    return spec;
}

inline SweepSpec randomSweep(std::uint64_t trials, std::uint64_t seed, std::vector<Dimension> space,
                             std::vector<Constraint> constraints = {})
{
    SweepSpec spec = commandSweep(std::move(space), std::move(constraints));
    spec.method = SearchMethod::Random;
    spec.trials = trials;
    spec.seed = seed;
    return spec;
}

/// Returns, for example, "lr=0.1 opt=sgd".
inline std::string text(const ParameterSet &parameters)
{
    std::string result;
    for (const auto &[name, value] : parameters)
        result += (result.empty() ? "" : " ") + name + "=" + toText(value);
    return result;
}

}  // namespace sweepscope::sweep::testing
