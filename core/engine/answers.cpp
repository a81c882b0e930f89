#include "engine/answers.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

const QByteArray *Answers::find(std::uint64_t client, std::uint64_t job) const
{
    const auto found = std::find_if(m_answers.rbegin(), m_answers.rend(), [client, job](const Answer &answer) {
        return answer.client == client && answer.job == job;
    });
    return found == m_answers.rend() ? nullptr : &found->payload;
}

void Answers::add(std::uint64_t client, std::uint64_t job, QByteArray payload)
{
    m_answers.push_back({client, job, std::move(payload)});
    if (m_answers.size() > most)
        m_answers.pop_front();
}

}  // namespace sweepscope::engine
