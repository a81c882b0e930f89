#pragma once

#include "sweep/builtinsettings.h"
#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::sweep {

/// What is wrong with one value of a built-in setting; empty = fine.
std::string checkSettingValue(const BuiltinSetting &setting, const ParameterValue &value);

/// run.settings and [space] against the table of built-in settings.
void checkBuiltinSettings(const SweepSpec &spec, std::vector<Problem> &problems);

/// The parameters `ranks` and `seed`, whatever the worker.
void checkReservedParameters(const SweepSpec &spec, std::vector<Problem> &problems);

inline constexpr int maxRanks = 4096;

}  // namespace sweepscope::sweep
