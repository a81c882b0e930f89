#pragma once

#include "base/workspacelayout.h"

#include <filesystem>

namespace sweepscope::launch {

/// The test of the links between the GPUs of an attempt (sweep::LinkTest): the engine writes what is promised, rank 0 adds
/// what it measures. Only the first attempt on a set of GPUs has it.
inline std::filesystem::path linkTestFile(const AttemptLayout &attempt)
{
    return attempt.folder / "preflight.json";
}

}  // namespace sweepscope::launch
