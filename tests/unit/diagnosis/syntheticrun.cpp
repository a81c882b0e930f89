#include "syntheticrun.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::diagnosis;

SyntheticRun::SyntheticRun(int ranks)
{
    m_evidence.trial = 7;
    m_evidence.attempt = 2;
    for (int rank = 0; rank < ranks; ++rank) {
        m_evidence.ranks.emplace_back();
        m_evidence.ranks.back().rank = rank;
    }
}

void SyntheticRun::add(int rank, const std::string &name, std::int64_t step, double seconds, double value)
{
    RankEvidence &evidence = m_evidence.ranks[static_cast<std::size_t>(rank)];
    auto found = std::find_if(evidence.curves.begin(), evidence.curves.end(),
                              [&](const series::Series *curve) { return curve->name() == name; });
    if (found == evidence.curves.end()) {
        m_series.emplace_back(name, "");
        evidence.curves.push_back(&m_series.back());
        found = std::prev(evidence.curves.end());
    }
    const_cast<series::Series *>(*found)->append({step, start + static_cast<std::int64_t>(seconds * second), value});
}

void SyntheticRun::train(int steps, const std::function<double(int, int)> &compute,
                         const std::function<double(int, int)> &dataWait)
{
    const int ranks = static_cast<int>(m_evidence.ranks.size());
    for (int step = 0; step < steps; ++step) {
        double longest = 0;
        const auto busy = [&](int rank) { return compute(rank, step) + (dataWait ? dataWait(rank, step) : 0.0001); };
        for (int rank = 0; rank < ranks; ++rank)
            longest = std::max(longest, busy(rank));
        const double whole = longest + 0.002;
        m_secondsDone += whole;
        ++m_stepsDone;
        for (int rank = 0; rank < ranks; ++rank) {
            add(rank, "compute_time", m_stepsDone, m_secondsDone, compute(rank, step));
            add(rank, "data_wait", m_stepsDone, m_secondsDone, dataWait ? dataWait(rank, step) : 0.0001);
            add(rank, "comm_wait", m_stepsDone, m_secondsDone, whole - busy(rank));
            add(rank, "step_time", m_stepsDone, m_secondsDone, whole);
        }
    }
}

void SyntheticRun::addGpus(int seconds, const std::function<void(int, int, GpuRow &)> &fill)
{
    for (const RankEvidence &rank : m_evidence.ranks) {
        GpuEvidence gpu;
        gpu.id = "GPU-" + std::to_string(rank.rank);
        gpu.rank = rank.rank;
        for (int i = 0; i < seconds; ++i) {
            GpuRow row;
            row.time = start + i * second;
            fill(rank.rank, i, row);
            gpu.rows.push_back(row);
        }
        m_evidence.gpus.push_back(std::move(gpu));
    }
}

RuleResult resultOf(const Report &report, const std::string &rule)
{
    const auto found = std::find_if(report.results.begin(), report.results.end(),
                                    [&rule](const RuleResult &result) { return result.rule == rule; });
    REQUIRE(found != report.results.end());
    return *found;
}

std::vector<Finding> findingsOf(const Report &report, const std::string &rule)
{
    std::vector<Finding> findings;
    for (const Finding &finding : report.findings) {
        if (finding.rule == rule)
            findings.push_back(finding);
    }
    return findings;
}

std::string foundIn(const Report &report)
{
    std::string names;
    for (const RuleResult &result : report.results) {
        if (result.verdict == Verdict::Found)
            names += (names.empty() ? "" : " ") + result.rule;
    }
    return names;
}

double noise(int a, int b)
{
    const auto mixed = (static_cast<std::uint32_t>(a) * 2654435761U) ^ (static_cast<std::uint32_t>(b) * 40503U + 97U);
    return static_cast<double>((mixed * 1664525U + 1013904223U) >> 8U) / static_cast<double>(1U << 23U) - 1;
}
