#include "engine/verdictdesk.h"

#include "base/installation.h"

#include <utility>

namespace sweepscope::engine {

VerdictAnswer VerdictDesk::answer(VerdictRequest request)
{
    if (request.spec) {
        m_pruner.reset();
        m_spec = std::make_unique<const sweep::SweepSpec>(*std::move(request.spec));
        m_pruner.emplace(*m_spec, search::OutsideProgram::Surroundings{request.folder, shareFolder() / "python"},
                         *m_cancelled);
    }
    for (const search::Observation &trial : request.trials)
        m_pruner->tell(trial);
    return {request.sweepId, request.trial,      request.attempt,
            request.value,   request.definition, m_pruner->ask(request.trial, request.value)};
}

}  // namespace sweepscope::engine
