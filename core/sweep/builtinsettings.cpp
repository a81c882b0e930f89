#include "sweep/builtinsettings.h"

#include <algorithm>

namespace sweepscope::sweep {

const std::vector<BuiltinSetting> &builtinSettings()
{
    static const std::vector<BuiltinSetting> settings{
        {"dataset",
         SettingType::Choice,
         std::string("digits"),
         {},
         {},
         {"digits", "mnist"},
         "what to learn: 1,797 handwritten digits of 8x8 pixels that come along, or MNIST from data_folder"},
        {"data_folder",
         SettingType::Text,
         std::string(),
         {},
         {},
         {},
         "folder with the four IDX files of MNIST, plain or gzipped"},
        {"model",
         SettingType::Choice,
         std::string("mlp"),
         {},
         {},
         {"linear", "mlp", "cnn"},
         "network: softmax regression, fully connected, or small convolutional"},
        {"epochs", SettingType::Integer, std::int64_t{10}, 1, 100'000, {}, "passes over the training data"},
        {"batch_size", SettingType::Integer, std::int64_t{32}, 1, 1'000'000, {}, "samples per step and rank"},
        {"optimizer", SettingType::Choice, std::string("sgd"), {}, {}, {"sgd", "adam", "adamw"}, "update rule"},
        {"lr", SettingType::Float, 0.01, 0, 1000, {}, "learning rate"},
        {"momentum", SettingType::Float, 0.0, 0, 1, {}, "momentum of sgd; adam and adamw do not use it"},
        {"weight_decay", SettingType::Float, 0.0, 0, 10, {}, "weight decay (L2 for sgd and adam, decoupled for adamw)"},
        {"hidden", SettingType::Integer, std::int64_t{64}, 1, 65'536, {}, "width of the mlp's hidden layers"},
        {"layers", SettingType::Integer, std::int64_t{1}, 1, 64, {}, "number of the mlp's hidden layers"},
        {"dropout", SettingType::Float, 0.0, 0, 0.99, {}, "share of activations dropped while training"},
        {"validation_fraction",
         SettingType::Float,
         0.15,
         0.01,
         0.9,
         {},
         "share of the training data kept for validation"},
        {"test_fraction",
         SettingType::Float,
         0.15,
         0.01,
         0.9,
         {},
         "share of digits kept for the test; MNIST has a test set of its own"},
        {"train_samples",
         SettingType::Integer,
         std::int64_t{0},
         0,
         1'000'000'000,
         {},
         "use only so many training samples; 0 = all"},
        {"threads",
         SettingType::Integer,
         std::int64_t{0},
         0,
         1024,
         {},
         "compute threads per rank; 0 = from OMP_NUM_THREADS"},
    };
    return settings;
}

const BuiltinSetting *findBuiltinSetting(const std::string &name)
{
    const auto &all = builtinSettings();
    const auto found =
        std::find_if(all.begin(), all.end(), [&name](const auto &setting) { return setting.name == name; });
    return found == all.end() ? nullptr : &*found;
}

const std::vector<std::string> &builtinObjectives()
{
    static const std::vector<std::string> names{"val_loss", "val_accuracy", "test_loss", "test_accuracy",     "loss",
                                                "accuracy", "step_time",    "data_wait", "samples_per_second"};
    return names;
}

}  // namespace sweepscope::sweep
