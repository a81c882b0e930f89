#include "launch/attemptprogress.h"

#include "launch/firsterror.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sweepscope::launch {

AttemptProgress::AttemptProgress(const LaunchSpec &spec, const AttemptLayout &layout)
    : m_layout(layout), m_exitGrace(spec.exitGrace), m_hang(spec.hangFactor, spec.hangAfter)
{}

std::optional<Standstill> AttemptProgress::checkSteps(const std::vector<RankProcess> &ranks, bool reported,
                                                      Clock::time_point now)
{
    m_reported = m_reported || reported;
    m_hang.update(reported, now);
    if (!m_hang.hangs())
        return {};
    return Standstill{FailureKind::Hang,
                      describeHang(readRankSteps(m_layout, ranks), m_hang.silence(), m_hang.longest())};
}

RankFault AttemptProgress::describeRest(const std::vector<RankProcess> &ranks, const SecretValues &secrets) const
{
    const auto left = std::ranges::find(ranks, m_firstToLeave, &RankProcess::rank);
    const std::vector<RankStep> idle = readRankSteps(m_layout, ranks);
    const std::string words =
        idle.size() == 1 ? lastOutput(m_layout.rankLog(idle.front().rank), secrets).text : std::string();
    return describeEarlyExit(readRankStep(m_layout, *left), idle, m_exitGrace, words);
}

void AttemptProgress::noteExit(const RankProcess &rank)
{
    if (!rank.failed() && m_firstToLeave < 0)
        m_firstToLeave = rank.rank;
}

std::optional<Standstill> AttemptProgress::checkRest(const std::vector<RankProcess> &ranks,
                                                     const CpuPercent &cpuPercent, const SecretValues &secrets,
                                                     Clock::time_point now)
{
    const bool isAnyAlive = std::any_of(ranks.begin(), ranks.end(), [](const RankProcess &rank) { return rank.alive; });
    if (m_firstToLeave < 0 || !isAnyAlive)
        return {};
    std::uintmax_t printed = 0;
    double percent = 0;
    bool known = static_cast<bool>(cpuPercent);
    for (const RankProcess &rank : ranks) {
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(m_layout.rankLog(rank.rank), error);
        printed += error ? 0 : bytes;
        if (rank.alive && known) {
            const std::optional<double> ofRank = cpuPercent(rank.rank);
            known = ofRank.has_value();
            percent += ofRank.value_or(0);
        }
    }
    const bool active = std::exchange(m_reported, false) || printed != std::exchange(m_printed, printed);
    if (!m_rest)
        m_rest.emplace(m_exitGrace);
    else if (known)
        m_rest->update(active, percent, now);
    else
        m_rest->skip(now);
    if (!m_rest->isOver())
        return {};
    return Standstill{FailureKind::EarlyExit, describeRest(ranks, secrets)};
}

}  // namespace sweepscope::launch
