#include "search/asktell.h"

#include <algorithm>
#include <utility>

namespace sweepscope::search {

AskTell::AskTell(const sweep::SweepSpec &spec, const sweep::SearchSpace &space, Method method,
                 const OutsideProgram::Surroundings &surroundings, const std::atomic<bool> &cancelled)
    : m_history(spec, space), m_method(method)
{
    if (spec.repeats > 1)
        m_repeats.emplace(spec);
    if (method == Method::Command)
        m_sampler.emplace(spec, surroundings, cancelled);
}

void AskTell::warmStart(std::vector<Observation> results)
{
    for (Observation &result : results)
        m_history.set(std::move(result));
}

void AskTell::tell(Observation trial)
{
    m_lastNumber = std::max(m_lastNumber, trial.number);
    if (m_sampler)
        m_sampler->tell(trial);
    m_history.set(m_repeats ? m_repeats->set(std::move(trial)) : std::move(trial));
}

tl::expected<Suggestion, facts::Fact> AskTell::ask(int number)
{
    const auto chooseNew = [&] {
        return m_sampler ? m_sampler->ask(m_history, number) : suggest(m_history, m_method, number);
    };
    return m_repeats ? m_repeats->suggest(m_history.space(), m_method, number, chooseNew) : chooseNew();
}

}  // namespace sweepscope::search
