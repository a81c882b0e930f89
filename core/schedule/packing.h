#pragma once

#include "base/clock.h"
#include "facts/fact.h"
#include "schedule/gpuchoice.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

/// How trials share GPUs by measured memory (devices.per_gpu = "auto"). No driver and no clock: engine/gpupacking.h feeds
/// it with readings.
namespace sweepscope::schedule {

/// What one attempt has measured.
struct PackingSample {
    std::uint64_t peakBytes = 0;     ///< GPU memory of the rank that used most; 0: unknown
    std::optional<double> alone{};   ///< steps per second while it had its GPUs alone; nullopt: too short
    std::optional<double> shared{};  ///< steps per second while it shared one; nullopt: too short
    double trials = 1;               ///< on its GPU while it shared it, on average, itself included
};

/// As SharingMeasured, and back.
facts::Fact factOf(const PackingSample &sample);
PackingSample sampleOf(const facts::Fact &measured);

/// Measures one attempt.
class PackingMeter {
public:
    /// Of the rank that uses most now.
    void noteMemory(std::uint64_t bytes) { m_peakBytes = std::max(m_peakBytes, bytes); }
    /// `step`: the last one reported, nullopt before the first. `trials`: on its busiest GPU now, itself included.
    void noteStep(std::optional<std::int64_t> step, WallNs now, int trials);
    /// It is paused: the time until its next step does not count.
    void interrupt() { m_last.reset(); }

    std::uint64_t peakBytes() const { return m_peakBytes; }
    bool hasShared() const { return m_hasShared; }
    /// Whether it has made steps.
    bool hasTrained() const { return m_alone.steps + m_shared.steps > 0; }
    /// Whether it has trained for long enough that a higher peak is unlikely.
    bool isSettled() const;
    PackingSample sample() const;

private:
    struct Stretch {
        std::int64_t steps = 0;
        double seconds = 0;
        double trialSeconds = 0;  ///< sum of the times, each times the trials
    };
    struct Mark {
        std::int64_t step = 0;
        WallNs time = 0;
        int trials = 1;
        bool isMixed = false;  ///< the number of trials has changed since
    };

    std::uint64_t m_peakBytes = 0;
    bool m_hasShared = false;
    std::optional<Mark> m_last;  ///< when the last new step was seen
    Stretch m_alone;
    Stretch m_shared;
};

/// The throughput of shared GPUs, from several attempts.
struct SharingGain {
    double trials = 1;  ///< on a GPU, the median
    double factor = 1;  ///< their steps per second together, divided by those of one alone
};

/// Compares the medians of attempts that shared a GPU and of those that had one alone. Their parameters differ, so single
/// attempts mean little. nullopt for fewer than three that shared, or none alone.
std::optional<SharingGain> sharingGain(const std::vector<PackingSample> &samples);

/// What the ended attempts of a sweep have measured together.
class PackingRecord {
public:
    void add(const PackingSample &sample);
    /// The largest; 0: unknown.
    std::uint64_t peakBytes() const { return m_peakBytes; }
    /// SharingDoesNotPay; None while sharing pays, or is not known to. Final once three attempts have run alone.
    const facts::Fact &verdict() const { return m_verdict; }

private:
    std::vector<PackingSample> m_samples;
    std::uint64_t m_peakBytes = 0;
    facts::Fact m_verdict;
    bool m_isFinal = false;
};

/// Returns the settings of a trial that shares its GPUs with others if each rank may need `peakBytes`.
GpuWishes packedWishes(GpuWishes wishes, std::uint64_t peakBytes);
/// Returns the settings of a trial that has its GPUs alone.
GpuWishes unpackedWishes(GpuWishes wishes);

}  // namespace sweepscope::schedule
