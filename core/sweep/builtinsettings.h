#pragma once

#include "sweep/parameter.h"

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::sweep {

enum class SettingType { Integer, Float, Boolean, Choice, Text };

/// One thing that the built-in worker can be told, in [run] or as a dimension of [space]. The sweep file's validation,
/// the window's form and the worker itself read the same table.
struct BuiltinSetting {
    std::string name;
    SettingType type;
    ParameterValue defaultValue;
    std::optional<double> minimum;     ///< inclusive
    std::optional<double> maximum;     ///< inclusive
    std::vector<std::string> choices;  ///< Choice
    std::string description;           ///< one line for help and tool tips
};

/// In the order in which help and form show them: data, model, training, execution.
const std::vector<BuiltinSetting> &builtinSettings();
const BuiltinSetting *findBuiltinSetting(const std::string &name);

/// Whether a setting's text is a path; a relative one starts in the sweep file's folder.
bool isPathSetting(const std::string &name);

/// Series that the built-in worker reports and that can be an objective: val_loss, val_accuracy, test_accuracy, …
const std::vector<std::string> &builtinObjectives();

}  // namespace sweepscope::sweep
