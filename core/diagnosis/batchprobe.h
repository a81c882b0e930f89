#pragma once

#include "base/workspacelayout.h"
#include "diagnosis/devicehistory.h"
#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <optional>
#include <string>
#include <vector>

/// What a sweep with a [probe] section has measured: how fast training is at each batch size, and which one is worth it.
namespace sweepscope::diagnosis {

/// One value of the probed parameter. What is not known is empty.
struct BatchMeasurement {
    int trial = 0;
    double value = 0;
    sweep::TrialState state = sweep::TrialState::Queued;
    std::optional<double> samplesPerSecond;  ///< of all ranks together
    double error = 0;                        ///< standard error of samplesPerSecond, as a share of it; 0 if not known
    std::optional<double> utilization;       ///< per cent: median of the GPUs, or of a core per rank
    std::optional<double> memory;            ///< bytes: most of any GPU, or of all ranks in the host's memory
    std::optional<double> memoryTotal;       ///< of that GPU
    bool outOfMemory = false;
    std::string remark;  ///< why it was not measured, or by what the samples were counted
};

struct BatchProbe {
    std::string parameter;
    bool onGpus = false;
    bool simulated = false;
    std::vector<BatchMeasurement> measurements;  ///< in rising order of their values
    std::optional<double> knee;                  ///< the suggested value
    std::optional<double> fastest;               ///< with the most samples/s
    std::optional<double> upperBound;            ///< the lowest that ran out of memory
    std::optional<double> rival;                 ///< a smaller value that may be as good, within twice the errors
    std::optional<double> dip;                   ///< a value below the suggestion that was slower than both neighbours
    std::string sentence;                        ///< the suggestion, with its reason
};

/// The smallest value at which so much of the highest throughput is reached is suggested.
inline constexpr double kneeShare = 0.9;

struct Throughput {
    double samplesPerSecond = 0;
    std::string countedBy;  ///< empty: by the rank itself
};
/// Of one rank that trains with so large a batch, its first steps left out; empty when it has reported too few.
std::optional<Throughput> throughputOf(const RankEvidence &rank, double batch);

/// A measurement so much slower than both of its neighbours is probably noise of the machine.
inline constexpr double dipShare = 0.85;

/// Fills in `knee`, `fastest`, `upperBound`, `rival`, `dip` and `sentence` from the measurements.
void suggestBatch(BatchProbe &probe);

/// `spec.probe` must be there. Of each trial the last attempt counts; feeds are read as far as they can be.
BatchProbe readBatchProbe(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                          const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials,
                          DeviceHistories &devices, WallNs now);

}  // namespace sweepscope::diagnosis
