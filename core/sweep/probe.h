#pragma once

#include "base/error.h"
#include "sweep/problem.h"
#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

/// The batch-size probe: a sweep over one parameter that measures instead of training (ProbeSection).
namespace sweepscope::sweep {

/// What is wrong with spec.probe, which must be there, and with the rest of the sweep for it.
void checkProbe(const SweepSpec &spec, std::vector<Problem> &problems);

/// Returns the value of the probed parameter; empty if there is no such number.
std::optional<double> probedValue(const ProbeSection &probe, const ParameterSet &parameters);

/// A value is measured longer than `measure` while the relative error of its step time (StepPace) exceeds this.
inline constexpr double acceptedPaceError = 0.02;
/// Limit of that time, in multiples of `measure`.
inline constexpr int longestMeasurement = 3;

/// It ran out of memory, and so is the upper bound of the probe.
bool isProbesUpperBound(const TrialRecord &trial);

struct ProbeRequest {
    std::string parameter = "batch_size";
    /// In any order; empty = 8, 16, … 65536, up to the size of the data set if that is known.
    std::vector<std::int64_t> values;
    std::chrono::seconds measure = ProbeSection().measure;
};

/// The name of the probe of a sweep with this name.
std::string probeName(const std::string &sweepName);

/// The name of the sweep that a probe with this name measures; empty if it is not such a name.
std::string probedName(const std::string &probeName);

/// `spec` with one value of the probed parameter: of a sweep that was probed, or of the probe itself, which then trains as
/// usual, with default settings where the probe has its own.
SweepSpec withProbedValue(SweepSpec spec, const std::string &parameter, double value);

/// The sweep that probes what `spec` trains: every other parameter has its first value, a trial at a time is measured.
/// The built-in worker keeps no checkpoints and does not end by itself. The problem names the field that is in the way.
tl::expected<SweepSpec, Problem> probeOf(SweepSpec spec, const ProbeRequest &request);

}  // namespace sweepscope::sweep
