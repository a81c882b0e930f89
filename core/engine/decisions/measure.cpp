#include "engine/decisions/measure.h"

#include "sweep/probe.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

Decision stopBeyondMemory(const SweepView &view, WallNs now)
{
    Decision decision;
    if (!view.spec.probe)
        return decision;
    const sweep::ProbeSection &probe = *view.spec.probe;
    std::optional<double> bound;
    for (const TrialRow &row : view.trials) {
        const std::optional<double> value = sweep::probedValue(probe, row.record.parameters);
        if (value && sweep::isProbesUpperBound(row.record))
            bound = std::min(bound.value_or(*value), *value);
    }
    if (!bound)
        return decision;
    for (const TrialRow &row : view.trials) {
        const std::optional<double> value = sweep::probedValue(probe, row.record.parameters);
        if (row.record.state != sweep::TrialState::Queued || !value || *value < *bound)
            continue;
        TrialChange change{row, {}, {}};
        change.apply(TrialEvent::Stopped, facts::Fact(facts::Code::BeyondMemory)
                                              .with(facts::Field::Value, *bound)
                                              .with(facts::Field::Parameter, probe.parameter));
        change.row.record.ended = now;
        decision.trials.push_back(std::move(change));
    }
    return decision;
}

}  // namespace sweepscope::engine
