#include "schedule/packing.h"

#include "schedule/memoryestimate.h"

#include <cmath>
#include <utility>

namespace sweepscope::schedule {

using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

constexpr double leastSeconds = 30;     ///< for a throughput
constexpr double settledSeconds = 600;  ///< for a peak
constexpr std::size_t leastShared = 3;
constexpr std::size_t enoughAlone = 3;
constexpr double worthwhileGain = 1.1;
constexpr int mostPerGpu = 1024;  ///< memory is the limit

/// Of at least one value.
double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

Fact factOf(const PackingSample &sample)
{
    Fact fact = Fact(Code::SharingMeasured).with(Field::Bytes, static_cast<std::int64_t>(sample.peakBytes));
    if (sample.alone)
        fact = std::move(fact).dueTo(Fact(Code::PaceAlone).with(Field::Value, *sample.alone));
    if (sample.shared)
        fact = std::move(fact).dueTo(
            Fact(Code::PaceShared).with(Field::Value, *sample.shared).with(Field::Factor, sample.trials));
    return fact;
}

PackingSample sampleOf(const Fact &measured)
{
    PackingSample sample;
    sample.peakBytes =
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, measured.integer(Field::Bytes).value_or(0)));
    for (const Fact &pace : measured.because) {
        if (pace.code == Code::PaceAlone)
            sample.alone = pace.number(Field::Value);
        if (pace.code == Code::PaceShared) {
            sample.shared = pace.number(Field::Value);
            sample.trials = pace.number(Field::Factor).value_or(1);
        }
    }
    return sample;
}

/// Reports may be minutes apart, so time counts only from one new step to the next.
void PackingMeter::noteStep(std::optional<std::int64_t> step, WallNs now, int trials)
{
    m_hasShared = m_hasShared || trials > 1;
    if (!step)
        return;
    if (m_last && trials != m_last->trials)
        m_last->isMixed = true;
    if (m_last && *step == m_last->step)
        return;
    if (m_last && *step > m_last->step && now > m_last->time && !m_last->isMixed) {
        Stretch &stretch = trials > 1 ? m_shared : m_alone;
        const double seconds = static_cast<double>(now - m_last->time) / 1e9;
        stretch.steps += *step - m_last->step;
        stretch.seconds += seconds;
        stretch.trialSeconds += seconds * trials;
    }
    m_last = Mark{*step, now, trials, false};
}

bool PackingMeter::isSettled() const
{
    return m_alone.seconds + m_shared.seconds >= settledSeconds;
}

PackingSample PackingMeter::sample() const
{
    const auto paceOf = [](const Stretch &stretch) {
        return stretch.seconds >= leastSeconds ? std::optional(static_cast<double>(stretch.steps) / stretch.seconds)
                                               : std::nullopt;
    };
    PackingSample sample{m_peakBytes, paceOf(m_alone), paceOf(m_shared)};
    if (sample.shared)
        sample.trials = m_shared.trialSeconds / m_shared.seconds;
    return sample;
}

std::optional<SharingGain> sharingGain(const std::vector<PackingSample> &samples)
{
    std::vector<double> alone;
    std::vector<double> together;
    std::vector<double> trials;
    for (const PackingSample &sample : samples) {
        if (sample.alone)
            alone.push_back(*sample.alone);
        if (!sample.shared)
            continue;
        together.push_back(*sample.shared * sample.trials);
        trials.push_back(sample.trials);
    }
    if (alone.empty() || together.size() < leastShared || medianOf(alone) <= 0)
        return std::nullopt;
    return SharingGain{medianOf(trials), medianOf(together) / medianOf(alone)};
}

void PackingRecord::add(const PackingSample &sample)
{
    m_samples.push_back(sample);
    m_peakBytes = std::max(m_peakBytes, sample.peakBytes);
    if (m_isFinal)
        return;
    m_verdict = {};
    const std::optional<SharingGain> gain = sharingGain(m_samples);
    if (!gain || gain->factor >= worthwhileGain)
        return;
    m_verdict = Fact(Code::SharingDoesNotPay)
                    .with(Field::Factor, std::round(gain->trials * 10) / 10)
                    .with(Field::Percent, std::round(gain->factor * 100));
    m_isFinal =
        static_cast<std::size_t>(std::count_if(m_samples.begin(), m_samples.end(),
                                               [](const PackingSample &each) { return each.alone.has_value(); }))
        >= enoughAlone;
}

GpuWishes packedWishes(GpuWishes wishes, std::uint64_t peakBytes)
{
    wishes.perGpu = mostPerGpu;
    wishes.measuredBytes = std::max(peakBytes, gpuOverhead);
    return wishes;
}

GpuWishes unpackedWishes(GpuWishes wishes)
{
    wishes.perGpu = 1;
    wishes.measuredBytes = 0;
    return wishes;
}

}  // namespace sweepscope::schedule
