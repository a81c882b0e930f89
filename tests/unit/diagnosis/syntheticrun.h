#pragma once

#include "diagnosis/rule.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

/// A synthetic run with any number of ranks; each report is added point by point.
class SyntheticRun {
public:
    static constexpr std::int64_t start = 1'700'000'000'000'000'000;
    static constexpr std::int64_t second = 1'000'000'000;

    explicit SyntheticRun(int ranks);

    void add(int rank, const std::string &series, std::int64_t step, double seconds, double value);
    /// Adds `steps` steps of `compute` seconds in which each rank waits for the slowest one.
    void train(int steps, const std::function<double(int rank, int step)> &compute,
               const std::function<double(int rank, int step)> &dataWait = {});
    /// Adds a GPU for each rank, with one row per second for `seconds`.
    void addGpus(int seconds, const std::function<void(int rank, int second, sweepscope::diagnosis::GpuRow &)> &fill);

    sweepscope::diagnosis::AttemptEvidence &evidence() { return m_evidence; }
    sweepscope::diagnosis::Report report() const { return sweepscope::diagnosis::diagnose(m_evidence); }

private:
    std::deque<sweepscope::series::Series> m_series;
    sweepscope::diagnosis::AttemptEvidence m_evidence;
    std::int64_t m_stepsDone = 0;
    double m_secondsDone = 0;
};

/// Returns the result of one rule, which must exist.
sweepscope::diagnosis::RuleResult resultOf(const sweepscope::diagnosis::Report &report, const std::string &rule);
std::vector<sweepscope::diagnosis::Finding> findingsOf(const sweepscope::diagnosis::Report &report,
                                                       const std::string &rule);
/// Returns the rules that found something, separated by spaces.
std::string foundIn(const sweepscope::diagnosis::Report &report);

/// Returns a reproducible value between -1 and 1.
double noise(int a, int b);
