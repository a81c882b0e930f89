#include "diagnosis/batchprobe.h"

#include "base/agentfolders.h"
#include "wording/sentence.h"

#include "diagnosis/attemptfiles.h"
#include "diagnosis/words.h"
#include "series/feedseries.h"
#include "sweep/probe.h"
#include "sweep/steppace.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::diagnosis {

namespace {

/// Libraries are loaded and kernels chosen in the first steps: so much of each curve is left out, five steps at least.
constexpr double warmUpShare = 0.2;
constexpr std::size_t warmUpSteps = 5;
constexpr std::size_t stepsToMeasure = 3;

struct MeasuredPart {
    std::size_t first = 0;
    std::size_t end = 0;
};

std::optional<MeasuredPart> measuredPart(const series::Series &series)
{
    const std::size_t size = series.size();
    const auto first = std::max(warmUpSteps, static_cast<std::size_t>(warmUpShare * static_cast<double>(size)));
    if (size < first + stepsToMeasure)
        return std::nullopt;
    return MeasuredPart{first, size};
}

/// All samples by all the time of their steps: the last batch of an epoch may be a small one.
std::optional<double> rateOf(const series::Series *rates, const series::Series *times)
{
    const auto part = rates != nullptr && times != nullptr ? measuredPart(*rates) : std::nullopt;
    if (!part)
        return std::nullopt;
    double samples = 0;
    double seconds = 0;
    for (std::size_t i = part->first; i < std::min(part->end, times->size()); ++i) {
        const double taken = times->sample(i).value;
        const double got = rates->sample(i).value * taken;
        if (!(taken > 0) || !std::isfinite(got))
            continue;
        samples += got;
        seconds += taken;
    }
    return seconds > 0 ? std::optional(samples / seconds) : std::nullopt;
}

std::optional<double> meanOf(const series::Series *series)
{
    const auto part = series != nullptr ? measuredPart(*series) : std::nullopt;
    if (!part)
        return std::nullopt;
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = part->first; i < part->end; ++i) {
        const double value = series->sample(i).value;
        if (!(value > 0) || !std::isfinite(value))
            continue;
        sum += value;
        ++count;
    }
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

/// The curve that has the most points; null if there is none.
const series::Series *longestOf(const RankEvidence &rank)
{
    const series::Series *longest = nullptr;
    for (const series::Series *curve : rank.curves) {
        if (longest == nullptr || curve->size() > longest->size())
            longest = curve;
    }
    return longest;
}

/// Of the longest curve: how many points it got in a second.
std::optional<double> pointsPerSecond(const RankEvidence &rank)
{
    const series::Series *longest = longestOf(rank);
    const auto part = longest != nullptr ? measuredPart(*longest) : std::nullopt;
    if (!part)
        return std::nullopt;
    const auto taken = longest->sample(part->end - 1).timeNs - longest->sample(part->first).timeNs;
    return taken > 0
               ? std::optional(static_cast<double>(part->end - 1 - part->first) * 1e9 / static_cast<double>(taken))
               : std::nullopt;
}

/// Of its longest curve; 0 if it is not known.
double paceError(const RankEvidence &rank)
{
    const series::Series *longest = longestOf(rank);
    sweep::StepPace pace;
    for (std::size_t i = 0; longest != nullptr && i < longest->size(); ++i) {
        const series::Sample sample = longest->sample(i);
        pace.add(sample.step, sample.timeNs);
    }
    return pace.relativeError().value_or(0);
}

void fillThroughput(BatchMeasurement &measurement, const AttemptEvidence &evidence)
{
    double sum = 0;
    for (const RankEvidence &rank : evidence.ranks) {
        const auto throughput = throughputOf(rank, measurement.value);
        if (!throughput) {
            measurement.remark = "rank " + std::to_string(rank.rank) + " has reported too few steps";
            return;
        }
        sum += throughput->samplesPerSecond;
        measurement.error = std::max(measurement.error, paceError(rank));
        measurement.remark = throughput->countedBy;
    }
    if (sum > 0)
        measurement.samplesPerSecond = sum;
}

void fillGpus(BatchMeasurement &measurement, const AttemptEvidence &evidence)
{
    std::vector<double> utilization;
    for (const GpuEvidence &gpu : evidence.gpus) {
        std::optional<WallNs> from;
        for (const RankEvidence &rank : evidence.ranks) {
            if (rank.rank == gpu.rank && !rank.curves.empty() && !rank.curves.front()->empty())
                from = rank.curves.front()->front().timeNs;
        }
        for (const GpuRow &row : gpu.rows) {
            if (row.utilization && from && row.time >= *from)
                utilization.push_back(*row.utilization);
            if (row.memory && *row.memory > measurement.memory.value_or(-1)) {
                measurement.memory = row.memory;
                measurement.memoryTotal = row.memoryTotal;
            }
        }
    }
    if (!utilization.empty())
        measurement.utilization = medianOf(std::move(utilization));
}

/// Without GPUs: what the agent has sampled of the ranks.
void fillHost(BatchMeasurement &measurement, const AttemptLayout &layout, std::size_t ranks)
{
    std::vector<double> busy;
    double memory = 0;
    for (const AttemptLayout &agent : agentFolders(layout)) {
        series::FeedSeries feed({agent.hostFeed(), {}, {}});
        while (feed.poll().value_or(0) > 0) {
        }
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const std::string prefix = "rank" + std::to_string(rank);
            if (const series::Series *cpu = feed.find(prefix + ".cpu"); cpu != nullptr) {
                for (std::size_t i = 1; i < cpu->size(); ++i)  // the first one has no time before it
                    busy.push_back(cpu->sample(i).value);
            }
            double most = 0;
            if (const series::Series *resident = feed.find(prefix + ".memory"); resident != nullptr) {
                for (std::size_t i = 0; i < resident->size(); ++i)
                    most = std::max(most, resident->sample(i).value);
            }
            memory += most;
        }
    }
    if (!busy.empty())
        measurement.utilization = medianOf(std::move(busy));
    if (memory > 0)
        measurement.memory = memory;
}

/// With a comma before each three digits.
std::string grouped(std::int64_t number)
{
    std::string digits = std::to_string(number);
    for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3)
        digits.insert(static_cast<std::size_t>(place), 1, ',');
    return digits;
}

std::string rate(double perSecond)
{
    constexpr double large = 1000;
    return perSecond < large ? number(perSecond) : grouped(std::llround(perSecond));
}

/// " ± 3%"; empty if the error is not known or negligible.
std::string margin(double error)
{
    constexpr double negligible = 0.005;
    return error < negligible ? std::string() : " ± " + percent(error);
}

std::string text(double value)
{
    return grouped(std::llround(value));
}

bool isDip(const std::vector<BatchMeasurement> &measurements, std::size_t i)
{
    if (i == 0 || i + 1 >= measurements.size())
        return false;
    const auto &before = measurements[i - 1].samplesPerSecond;
    const auto &here = measurements[i].samplesPerSecond;
    const auto &behind = measurements[i + 1].samplesPerSecond;
    return before && here && behind && *here < dipShare * std::min(*before, *behind);
}

}  // namespace

std::optional<Throughput> throughputOf(const RankEvidence &rank, double batch)
{
    if (const auto rate = rateOf(rank.find("samples_per_second"), rank.find("step_time")))
        return Throughput{*rate, {}};
    if (const auto rate = meanOf(rank.find("samples_per_second")))
        return Throughput{*rate, {}};
    if (const auto seconds = meanOf(rank.find("step_time")))
        return Throughput{batch / *seconds, "from step_time, assuming one batch per rank"};
    if (const auto steps = pointsPerSecond(rank))
        return Throughput{batch * *steps, "assuming one report per step and one batch per rank"};
    return std::nullopt;
}

void suggestBatch(BatchProbe &probe)
{
    const BatchMeasurement *fastest = nullptr;
    for (const BatchMeasurement &measurement : probe.measurements) {
        if (measurement.outOfMemory)
            probe.upperBound = std::min(probe.upperBound.value_or(measurement.value), measurement.value);
        if (measurement.samplesPerSecond && !measurement.outOfMemory
            && (fastest == nullptr || *measurement.samplesPerSecond > *fastest->samplesPerSecond))
            fastest = &measurement;
    }
    const std::string bound =
        probe.upperBound ? probe.parameter + " " + text(*probe.upperBound) + " runs out of memory" : std::string();
    if (fastest == nullptr) {
        probe.sentence = "nothing was measured" + (bound.empty() ? "" : ": " + bound);
        return;
    }
    probe.fastest = fastest->value;
    const auto knee =
        std::find_if(probe.measurements.begin(), probe.measurements.end(), [&](const BatchMeasurement &measurement) {
            return measurement.samplesPerSecond && !measurement.outOfMemory
                   && *measurement.samplesPerSecond >= kneeShare * *fastest->samplesPerSecond;
        });
    probe.knee = knee->value;
    probe.sentence = "suggested " + probe.parameter + " " + text(knee->value) + ": "
                     + percent(*knee->samplesPerSecond / *fastest->samplesPerSecond) + " of peak throughput ("
                     + rate(*fastest->samplesPerSecond) + " samples/s" + margin(fastest->error) + " at "
                     + text(fastest->value) + ")";
    if (knee->memory && knee->memoryTotal && *knee->memoryTotal > 0)
        probe.sentence += " with " + percent(*knee->memory / *knee->memoryTotal) + " of the GPU's memory";
    if (fastest == &probe.measurements.back() && &*knee == fastest)
        probe.sentence += "; larger values were not tried and may be faster";
    else if (!bound.empty())
        probe.sentence += "; " + bound;
    const auto rival = std::find_if(probe.measurements.begin(), knee, [&](const BatchMeasurement &measurement) {
        const double error = std::sqrt(measurement.error * measurement.error + fastest->error * fastest->error);
        return measurement.samplesPerSecond && !measurement.outOfMemory
               && *measurement.samplesPerSecond * (1 + 2 * error) >= kneeShare * *fastest->samplesPerSecond;
    });
    if (rival != knee) {
        probe.rival = rival->value;
        probe.sentence += "; " + text(rival->value) + " may be as good ("
                          + percent(*rival->samplesPerSecond / *fastest->samplesPerSecond) + margin(rival->error) + ")";
    }
    for (std::size_t i = 0; i < probe.measurements.size() && probe.measurements[i].value < *probe.knee; ++i) {
        if (isDip(probe.measurements, i))
            probe.dip = probe.measurements[i].value;
    }
    if (probe.dip)
        probe.sentence +=
            "; " + text(*probe.dip) + " is slower than its neighbors, which may be noise; measure it again";
}

BatchProbe readBatchProbe(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                          const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials,
                          DeviceHistories &devices, WallNs now)
{
    BatchProbe probe;
    probe.parameter = spec.probe->parameter;
    for (const sweep::TrialRecord &trial : trials) {
        const std::optional<double> value = sweep::probedValue(*spec.probe, trial.parameters);
        if (!value)
            continue;
        BatchMeasurement measurement;
        measurement.trial = trial.number;
        measurement.value = *value;
        measurement.state = trial.state;
        measurement.outOfMemory = sweep::isProbesUpperBound(trial);
        const AttemptPlace place{workspace.attempt(sweep.folder, trial.number, trial.attempts), trial.number,
                                 trial.attempts, trial.state == sweep::TrialState::Running};
        const auto files = trial.attempts > 0
                               ? AttemptFiles::read(place, devices, now)
                               : Expected<AttemptFiles>(makeError(ErrorCode::NotFound, "the trial has no attempt"));
        if (files) {
            const AttemptEvidence &evidence = files->evidence();
            fillThroughput(measurement, evidence);
            probe.onGpus = probe.onGpus || !evidence.gpus.empty();
            for (const GpuEvidence &gpu : evidence.gpus)
                probe.simulated = probe.simulated || gpu.simulated;
            if (evidence.gpus.empty())
                fillHost(measurement, place.layout, evidence.ranks.size());
            else
                fillGpus(measurement, evidence);
        }
        if (trial.state != sweep::TrialState::Completed)
            measurement.remark = wording::sentence(trial.reason);
        probe.measurements.push_back(std::move(measurement));
    }
    std::sort(probe.measurements.begin(), probe.measurements.end(),
              [](const BatchMeasurement &a, const BatchMeasurement &b) { return a.value < b.value; });
    suggestBatch(probe);
    return probe;
}

}  // namespace sweepscope::diagnosis
