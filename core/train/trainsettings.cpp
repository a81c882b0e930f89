#include "train/trainsettings.h"

#include "sweep/keys.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace sweepscope::train {

namespace {

using sweep::Key;
using sweep::KeyType;
using sweep::ParameterValue;

std::string join(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

template <typename Number>
std::optional<ParameterValue> parseNumber(const std::string &text)
{
    Number value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return ParameterValue(value);
}

/// An integer may be written as a float (64.0): a linear range over an integer setting yields such values.
std::optional<ParameterValue> parseInteger(const std::string &text)
{
    if (auto value = parseNumber<std::int64_t>(text))
        return value;
    const auto value = parseNumber<double>(text);
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (!value || std::get<double>(*value) != std::floor(std::get<double>(*value))
        || std::abs(std::get<double>(*value)) > exact)
        return std::nullopt;
    return ParameterValue(static_cast<std::int64_t>(std::get<double>(*value)));
}

std::optional<ParameterValue> parseValue(const Key &setting, const std::string &text)
{
    switch (setting.type) {
    case KeyType::Integer:
        return parseInteger(text);
    case KeyType::Float:
        return parseNumber<double>(text);
    case KeyType::Boolean:
        if (text == "true" || text == "false")
            return ParameterValue(text == "true");
        return std::nullopt;
    case KeyType::Choice:
        if (std::find(setting.choices.begin(), setting.choices.end(), text) != setting.choices.end())
            return ParameterValue(text);
        return std::nullopt;
    default:
        return ParameterValue(text);
    }
}

bool inRange(const Key &setting, const ParameterValue &value)
{
    double number = 0;
    if (const auto *integer = std::get_if<std::int64_t>(&value))
        number = static_cast<double>(*integer);
    else if (const auto *real = std::get_if<double>(&value))
        number = *real;
    else
        return true;
    return std::isfinite(number) && (!setting.minimum || number >= *setting.minimum)
           && (!setting.maximum || number <= *setting.maximum);
}

std::string expectation(const Key &setting)
{
    const auto number = [](double value) { return sweep::toText(ParameterValue(value)); };
    std::string text;
    switch (setting.type) {
    case KeyType::Integer:
        text = "an integer";
        break;
    case KeyType::Float:
        text = "a number";
        break;
    case KeyType::Boolean:
        return "true or false";
    case KeyType::Choice:
        return "one of " + join(setting.choices);
    default:
        return "a string";
    }
    if (setting.minimum)
        text += " of at least " + number(*setting.minimum);
    if (setting.maximum)
        text += std::string(setting.minimum ? " and" : " of") + " at most " + number(*setting.maximum);
    return text;
}

/// All settings by name, each of its declared type.
using Values = std::map<std::string, ParameterValue>;

std::int64_t integerOf(const Values &values, const std::string &name)
{
    return std::get<std::int64_t>(values.at(name));
}
double floatOf(const Values &values, const std::string &name)
{
    return std::get<double>(values.at(name));
}
std::string textOf(const Values &values, const std::string &name)
{
    return std::get<std::string>(values.at(name));
}
bool booleanOf(const Values &values, const std::string &name)
{
    return std::get<bool>(values.at(name));
}

TrainSettings toSettings(const Values &values)
{
    TrainSettings settings;
    settings.dataset = textOf(values, "dataset");
    settings.dataFolder = textOf(values, "data_folder");
    settings.dataFile = textOf(values, "data_file");
    settings.targetFile = textOf(values, "target_file");
    settings.target = textOf(values, "target");
    settings.task = textOf(values, "task");
    settings.inMemory = booleanOf(values, "in_memory");
    settings.standardize = booleanOf(values, "standardize");
    settings.augment = textOf(values, "augment");
    settings.context = integerOf(values, "context");
    settings.sampling = textOf(values, "sampling");
    settings.dropLast = booleanOf(values, "drop_last");
    settings.dropLastBatch = booleanOf(values, "drop_last_batch");
    settings.splitSeed = integerOf(values, "split_seed");
    settings.validationFraction = floatOf(values, "validation_fraction");
    settings.testFraction = floatOf(values, "test_fraction");
    settings.trainSamples = integerOf(values, "train_samples");
    settings.loaderThreads = integerOf(values, "loader_threads");
    settings.model = textOf(values, "model");
    settings.modelFile = textOf(values, "model_file");
    settings.hidden = integerOf(values, "hidden");
    settings.layers = integerOf(values, "layers");
    settings.heads = integerOf(values, "heads");
    settings.dropout = floatOf(values, "dropout");
    settings.syncBatchNorm = booleanOf(values, "sync_batch_norm");
    settings.activationCheckpointing = booleanOf(values, "activation_checkpointing");
    settings.epochs = integerOf(values, "epochs");
    settings.maxSteps = integerOf(values, "max_steps");
    settings.valEvery = integerOf(values, "val_every");
    settings.batchSize = integerOf(values, "batch_size");
    settings.accumulate = integerOf(values, "accumulate");
    settings.optimizer = textOf(values, "optimizer");
    settings.learningRate = floatOf(values, "lr");
    settings.momentum = floatOf(values, "momentum");
    settings.weightDecay = floatOf(values, "weight_decay");
    settings.decayNormAndBias = booleanOf(values, "decay_norm_and_bias");
    settings.nesterov = booleanOf(values, "nesterov");
    settings.beta1 = floatOf(values, "beta1");
    settings.beta2 = floatOf(values, "beta2");
    settings.epsilon = floatOf(values, "eps");
    settings.schedule = textOf(values, "schedule");
    settings.warmupSteps = integerOf(values, "warmup_steps");
    settings.decayEpochs = integerOf(values, "decay_epochs");
    settings.decayFactor = floatOf(values, "decay_factor");
    settings.clipNorm = floatOf(values, "clip_norm");
    settings.labelSmoothing = floatOf(values, "label_smoothing");
    settings.earlyStop = integerOf(values, "early_stop");
    settings.bestBy = textOf(values, "best_by");
    settings.emaDecay = floatOf(values, "ema_decay");
    settings.device = textOf(values, "device");
    settings.precision = textOf(values, "precision");
    settings.matmulPrecision = textOf(values, "matmul_precision");
    settings.deterministic = booleanOf(values, "deterministic");
    settings.channelsLast = booleanOf(values, "channels_last");
    settings.nanPolicy = textOf(values, "nan_policy");
    settings.parallel = textOf(values, "parallel");
    settings.stages = integerOf(values, "stages");
    settings.microBatches = integerOf(values, "micro_batches");
    settings.bucketMb = floatOf(values, "bucket_mb");
    settings.findUnused = booleanOf(values, "find_unused");
    settings.checkEvery = integerOf(values, "check_every");
    settings.peerTimeout = floatOf(values, "peer_timeout");
    settings.exchangePrecision = textOf(values, "exchange_precision");
    settings.checkpoints = booleanOf(values, "checkpoints");
    settings.keepBest = integerOf(values, "keep_best");
    settings.checkpointEvery = integerOf(values, "checkpoint_every");
    settings.resume = booleanOf(values, "resume");
    settings.threads = integerOf(values, "threads");
    return settings;
}

}  // namespace

Expected<TrainSettings> parseSettings(const std::vector<std::string> &assignments, std::uint64_t seed)
{
    Values values;
    std::vector<std::string> names;
    for (const Key &setting : sweep::builtinSettings()) {
        values[setting.name] = setting.defaultValue;
        names.push_back(setting.name);
    }
    for (const std::string &assignment : assignments) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos)
            return makeError(ErrorCode::BadInput, "--set " + assignment + ": expected KEY=VALUE");
        const std::string name = assignment.substr(0, equals);
        const std::string text = assignment.substr(equals + 1);
        const Key *setting = sweep::findBuiltinSetting(name);
        if (setting == nullptr)
            return makeError(ErrorCode::BadInput, "--set " + assignment + ": unknown setting " + name
                                                      + "; known settings are " + join(names));
        const std::optional<ParameterValue> value = parseValue(*setting, text);
        if (!value || !inRange(*setting, *value))
            return makeError(ErrorCode::BadInput,
                             "--set " + assignment + ": " + name + " must be " + expectation(*setting));
        values[name] = *value;
    }

    TrainSettings settings = toSettings(values);
    settings.seed = seed;
    for (const auto &[name, value] : values)
        settings.texts[name] = sweep::toText(value);
    return settings;
}

}  // namespace sweepscope::train
