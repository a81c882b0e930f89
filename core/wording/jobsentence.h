#pragma once

#include "facts/fact.h"

#include <string>

/// Jobs of Slurm: why they wait, who can act, and how they ended.
namespace sweepscope::wording {

std::string jobClause(const facts::Fact &fact);

}  // namespace sweepscope::wording
