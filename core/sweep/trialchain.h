#pragma once

#include <cstdint>
#include <optional>

/// Which attempts of a trial continue one another.
///
/// An attempt that resumes from a checkpoint begins beyond the step at which its trial began; one that starts from
/// scratch begins there again. So an attempt continues the attempts before it if the first step that its rank 0 reports
/// lies beyond the first step that they reported. Whether a pause, a retry, an edit or a killed engine lies in between
/// makes no difference, nor does the program that trains. An attempt that reports nothing changes nothing.
///
/// Attempts that continue one another form the trial's chain: always the last ones, without a hole. Best, lowest and
/// highest values are those of all points of the chain. Steps that an attempt reported and the next one did again count
/// twice: both were measured. Last value and step are the newest report's.
namespace sweepscope::sweep {

struct TrialRecord;

/// `chainFirstStep`: the first step of the attempts before it; nullopt if they reported nothing.
bool continuesChain(std::int64_t firstStep, std::optional<std::int64_t> chainFirstStep);

/// Attempts by number, both ends included.
struct AttemptRange {
    int first = 1;
    int last = 0;

    bool contains(int attempt) const { return attempt >= first && attempt <= last; }
    bool operator==(const AttemptRange &) const = default;
};

/// The present chain of a trial. Empty before its first attempt.
AttemptRange chainOf(const TrialRecord &trial);

}  // namespace sweepscope::sweep
