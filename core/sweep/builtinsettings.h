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

/// dataset (digits|mnist), data_folder, model (linear|mlp|cnn), epochs, batch_size (per rank), optimizer
/// (sgd|adam|adamw), lr, momentum, weight_decay, hidden (mlp width), layers (mlp depth), dropout, validation_fraction,
/// test_fraction, train_samples (0 = all), threads (per rank, 0 = from OMP_NUM_THREADS).
const std::vector<BuiltinSetting> &builtinSettings();
const BuiltinSetting *findBuiltinSetting(const std::string &name);

/// Series that the built-in worker reports and that can be an objective: val_loss, val_accuracy, test_accuracy, …
const std::vector<std::string> &builtinObjectives();

}  // namespace sweepscope::sweep
