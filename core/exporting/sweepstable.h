#pragma once

#include "exporting/sweepexport.h"

#include <filesystem>
#include <vector>

namespace sweepscope::exporting {

/// A sweep with what its rows need.
struct SweepOfTable {
    const sweep::SweepRecord &sweep;
    const std::vector<sweep::TrialRecord> &trials;
    launch::SweepEnergy energy{};
};

/// One table of the trials of several sweeps, with the columns of exportTrials(): parameters and metrics of any of them, and
/// empty fields where a sweep does not have one. The column `sweep` has the name, or the folder where two sweeps have the same
/// name. As JSON: a list of what exportTrials() writes for each. Errors as of exportTrials().
Expected<void> exportSweeps(const std::vector<SweepOfTable> &sweeps, const std::filesystem::path &file,
                            const sweep::CostFactors &factors = {});

}  // namespace sweepscope::exporting
