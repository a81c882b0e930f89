#include "sweep/probe.h"

#include "sweep/builtinsettings.h"
#include "sweep/command.h"
#include "sweep/dimensionvalues.h"
#include "sweep/duration.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sweepscope::sweep {

namespace {

constexpr std::int64_t smallestBatch = 8;
constexpr std::int64_t largestBatch = 65'536;
/// The most that the worker takes: it is ended long before.
constexpr std::int64_t endlessEpochs = 100'000;

const Dimension *find(const SweepSpec &spec, const std::string &name)
{
    const auto found = std::find_if(spec.space.begin(), spec.space.end(),
                                    [&](const Dimension &dimension) { return dimension.name == name; });
    return found != spec.space.end() ? &*found : nullptr;
}

/// Training samples of the built-in worker's data set, at most; nullopt if its files have to be read for it.
std::optional<std::int64_t> samplesOf(const SweepSpec &spec)
{
    const auto setting = [&spec](const char *name) {
        const auto found = spec.run.settings.find(name);
        return found != spec.run.settings.end() ? found->second : findBuiltinSetting(name)->defaultValue;
    };
    const auto limit = std::get<std::int64_t>(setting("train_samples"));
    const std::pair<const char *, std::int64_t> sizes[] = {
        {"digits", 1'797}, {"mnist", 60'000}, {"fashion_mnist", 60'000}, {"cifar10", 50'000}};
    for (const auto &[name, size] : sizes) {
        if (setting("dataset") == ParameterValue(std::string(name)))
            return limit > 0 ? std::min(limit, size) : size;
    }
    return limit > 0 ? std::optional(limit) : std::nullopt;
}

bool risesAboveZero(const DimensionValues &values)
{
    double before = 0;
    for (std::uint64_t i = 0; i < values.size(); ++i) {
        const std::optional<double> value = numberOf(values.at(i));
        if (!value || *value <= before)
            return false;
        before = *value;
    }
    return true;
}

}  // namespace

void checkProbe(const SweepSpec &spec, std::vector<Problem> &problems)
{
    const ProbeSection &probe = *spec.probe;
    if (spec.method != SearchMethod::Grid)
        problems.push_back({"search.method", "must be \"grid\" for a probe: its values are tried in their order"});
    if (spec.prune)
        problems.push_back({"prune", "a probe measures every value for the same time: remove [prune] or [probe]"});
    if (spec.devices.concurrent != 1)
        problems.push_back(
            {"devices.concurrent", "must be 1 for a probe: concurrent trials would affect each other's measurement"});
    const Dimension *probed = find(spec, probe.parameter);
    if (probed == nullptr)
        problems.push_back({"probe.parameter", "[space] has no parameter '" + probe.parameter + "'"});
    for (const Dimension &dimension : spec.space) {
        const std::string field = "space." + dimension.name;
        if (!checkDimension(dimension, true).empty())
            continue;  // reported by the check of the space
        const DimensionValues values(dimension);
        if (&dimension != probed && values.size() > 1)
            problems.push_back({field, "must have one value in a probe of '" + probe.parameter + "'"});
        if (&dimension == probed && !(dimension.when.empty() && risesAboveZero(values)))
            problems.push_back({field, "must be numbers above 0 in ascending order, without a condition: the first "
                                       "that runs out of memory ends the probe"});
    }
}

std::optional<double> probedValue(const ProbeSection &probe, const ParameterSet &parameters)
{
    for (const auto &[name, value] : parameters) {
        if (name == probe.parameter)
            return numberOf(value);
    }
    return std::nullopt;
}

bool isProbesUpperBound(const TrialRecord &trial)
{
    return trial.state == TrialState::Stopped && trial.reason.code == facts::Code::ProbeOutOfMemory;
}

std::string probeName(const std::string &sweepName)
{
    return sweepName + "-probe";
}

std::string probedName(const std::string &probeName)
{
    const std::string suffix = sweep::probeName({});
    return probeName.size() > suffix.size() && probeName.ends_with(suffix)
               ? probeName.substr(0, probeName.size() - suffix.size())
               : std::string();
}

SweepSpec withProbedValue(SweepSpec spec, const std::string &parameter, double value)
{
    const bool isInteger = value == std::floor(value);
    const ParameterValue chosen = isInteger ? ParameterValue(static_cast<std::int64_t>(value)) : ParameterValue(value);
    const auto dimension = std::ranges::find(spec.space, parameter, &Dimension::name);
    const bool isSetting = dimension == spec.space.end() && spec.run.worker == WorkerKind::Builtin;
    if (isSetting) {
        spec.run.settings[parameter] = chosen;
    } else if (dimension != spec.space.end()) {
        Dimension fixed;
        fixed.name = parameter;
        fixed.kind = DimensionKind::List;
        fixed.values = {chosen};
        fixed.when = dimension->when;
        *dimension = std::move(fixed);
    }
    if (!spec.probe)
        return spec;
    spec.probe.reset();
    if (const std::string name = probedName(spec.name); !name.empty())
        spec.name = name;
    if (spec.run.worker == WorkerKind::Builtin) {
        for (const char *setting : {"checkpoints", "epochs", "nan_policy"})
            spec.run.settings.erase(setting);
    }
    return spec;
}

tl::expected<SweepSpec, Problem> probeOf(SweepSpec spec, const ProbeRequest &request)
{
    if (std::optional<Problem> problem = missingProgram(spec))
        return tl::unexpected(std::move(*problem));
    const bool isSetting = spec.run.worker == WorkerKind::Builtin;
    if (!isSetting && find(spec, request.parameter) == nullptr)
        return tl::unexpected<Problem>(
            {"space", "has no parameter '" + request.parameter + "' for the command: add it to [space], and {"
                          + request.parameter + "} to the command, or let the script read it from SWEEPSCOPE_PARAMS"});
    Dimension probed;
    probed.name = request.parameter;
    const std::int64_t samples = isSetting ? samplesOf(spec).value_or(largestBatch) : largestBatch;
    const std::int64_t largest = std::max(smallestBatch, std::min(samples, largestBatch));
    for (std::int64_t value = smallestBatch; request.values.empty() && value <= largest; value *= 2)
        probed.values.emplace_back(value);
    for (const std::int64_t value : std::set<std::int64_t>(request.values.begin(), request.values.end()))
        probed.values.emplace_back(value);

    std::vector<Dimension> space;
    for (const Dimension &dimension : spec.space) {
        if (dimension.name == request.parameter || !checkDimension(dimension, false).empty())
            continue;
        const DimensionValues values(dimension);
        const ParameterValue first = values.size() != 0 ? values.at(0) : ParameterValue(values.sample(0.5));
        const bool isWord = std::holds_alternative<std::string>(first) || std::holds_alternative<bool>(first);
        Dimension fixed;
        fixed.name = dimension.name;
        fixed.kind = isWord ? DimensionKind::Choice : DimensionKind::List;
        fixed.values = {first};
        space.push_back(std::move(fixed));
    }
    space.push_back(std::move(probed));
    spec.space = std::move(space);
    spec.constraints.clear();
    spec.name = probeName(spec.name);
    spec.method = SearchMethod::Grid;
    spec.trials = 0;
    spec.prune.reset();
    spec.budget.reset();
    spec.devices.concurrent = 1;
    spec.run.settings.erase(request.parameter);
    if (isSetting) {
        spec.run.settings["checkpoints"] = false;
        spec.run.settings["epochs"] = endlessEpochs;
        spec.run.settings["nan_policy"] = std::string("skip");  // a loss that blows up says nothing of the speed
        spec.run.settings.erase("early_stop");
    }
    spec.probe = ProbeSection{request.parameter, request.measure};
    return spec;
}

}  // namespace sweepscope::sweep
