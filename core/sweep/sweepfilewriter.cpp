#include "sweep/sweepfile.h"

#include "sweep/bytesize.h"
#include "sweep/duration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace sweepscope::sweep {

namespace {

std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (code < 0x20 || code == 0x7f) {
            std::array<char, 8> escaped{};
            std::snprintf(escaped.data(), escaped.size(), "\\u%04X", code);
            result += escaped.data();
        } else {
            result += c;
        }
    }
    return result + "\"";
}

/// As it is, where TOML can: an expression full of backslashes stays readable.
std::string literal(const std::string &text)
{
    const bool isPlain = std::none_of(text.begin(), text.end(), [](char c) {
        const auto code = static_cast<unsigned char>(c);
        return c == '\'' || code < 0x20 || code == 0x7f;
    });
    return isPlain ? "'" + text + "'" : quoted(text);
}

std::string key(const std::string &name)
{
    const bool isBare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    return isBare ? name : quoted(name);
}

/// A float that TOML reads as a float: with a point or an exponent.
std::string real(double value)
{
    std::string text = toText(ParameterValue(value));
    if (text.find_first_of(".einf") == std::string::npos)
        text += ".0";
    return text == "-nan" ? "nan" : text;
}

std::string value(const ParameterValue &parameter)
{
    if (const auto *number = std::get_if<double>(&parameter))
        return real(*number);
    if (const auto *text = std::get_if<std::string>(&parameter))
        return quoted(*text);
    return toText(parameter);
}

template <typename Values, typename Write>
std::string list(const Values &values, Write write)
{
    std::string text;
    for (const auto &element : values)
        text += (text.empty() ? "" : ", ") + write(element);
    return "[" + text + "]";
}

std::string whole(double number)
{
    std::array<char, 512> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed, 0).ptr;
    return {buffer.data(), end};
}

std::string dimension(const Dimension &dimension)
{
    const std::string when = dimension.when.empty() ? "" : ", when = " + quoted(dimension.when);
    const std::string points = dimension.points == 0 ? "" : ", points = " + std::to_string(dimension.points);
    const std::string range = "[" + real(dimension.low) + ", " + real(dimension.high) + "]";
    switch (dimension.kind) {
    case DimensionKind::List:
    case DimensionKind::Choice:
        return when.empty() ? list(dimension.values, value)
                            : "{ values = " + list(dimension.values, value) + when + " }";
    case DimensionKind::Linear:
        return "{ float = " + range + points + when + " }";
    case DimensionKind::Log:
        return "{ log = " + range + points + when + " }";
    case DimensionKind::Integer:
        return "{ int = [" + whole(dimension.low) + ", " + whole(dimension.high) + "]"
               + (dimension.step == 1 ? "" : ", step = " + std::to_string(dimension.step)) + when + " }";
    }
    return {};
}

std::string line(const std::string &name, const std::string &written)
{
    return key(name) + " = " + written + "\n";
}

std::string metricsSection(const MetricsSection &metrics)
{
    const bool isText = metrics.format == OutputFormat::Text;
    std::string text = "\n[run.metrics]\n";
    text += line("format", isText ? "\"text\"" : "\"json\"");
    if (metrics.everyRank)
        text += line("ranks", "\"all\"");
    if (!metrics.step.empty())
        text += line("step", isText ? literal(metrics.step) : quoted(metrics.step));
    if (!metrics.series.empty()) {
        text += "\n[run.metrics.series]\n";
        for (const auto &[name, what] : metrics.series)
            text += line(name, isText ? literal(what) : quoted(what));
    }
    return text;
}

std::string policyLines(const AttemptPolicy &policy)
{
    const AttemptPolicy defaults;
    std::string text;
    if (policy.hangFactor != defaults.hangFactor)
        text += line("hang_factor", real(policy.hangFactor));
    if (policy.hangAfter != defaults.hangAfter)
        text += line("hang_after", quoted(toText(policy.hangAfter)));
    if (policy.exitGrace != defaults.exitGrace)
        text += line("exit_grace", quoted(toText(policy.exitGrace)));
    return text;
}

std::string retrySection(const std::map<std::string, RetryRule> &retry)
{
    std::string text = "\n[run.retry]\n";
    for (const auto &[kind, rule] : retry) {
        const std::string times = std::to_string(rule.times);
        text += line(kind, rule.wait ? "{ times = " + times + ", wait = " + quoted(toText(*rule.wait)) + " }" : times);
    }
    return text;
}

std::string runSection(const RunSection &run)
{
    const RunSection defaults;
    std::string text = "\n[run]\n";
    if (run.worker == WorkerKind::Builtin || run.command.empty())
        text += line("worker", run.worker == WorkerKind::Builtin ? "\"builtin\"" : "\"command\"");
    if (!run.command.empty())
        text += line("command", list(run.command, quoted));
    for (const auto &[name, setting] : run.settings)
        text += line(name, value(setting));
    if (!run.workingFolder.empty())
        text += line("working_folder", quoted(run.workingFolder));
    text += line("ranks", std::to_string(run.ranks));
    text += line("backend", quoted(run.backend));
    if (run.timeout)
        text += line("timeout", quoted(toText(*run.timeout)));
    if (run.retries != defaults.retries)
        text += line("retries", std::to_string(run.retries));
    text += policyLines(run.policy);
    if (!run.environment.empty()) {
        text += "\n[run.environment]\n";
        for (const auto &[name, content] : run.environment)
            text += line(name, quoted(content));
    }
    if (!run.policy.retry.empty())
        text += retrySection(run.policy.retry);
    if (run.metrics)
        text += metricsSection(*run.metrics);
    return text;
}

std::string gpuList(const std::vector<std::string> &entries)
{
    std::string text;
    for (const std::string &entry : entries)
        text += (text.empty() ? "" : ", ") + quoted(entry);
    return "[" + text + "]";
}

std::string devicesSection(const DevicesSection &devices)
{
    const char *kind = devices.kind == DeviceKind::Gpu ? "gpu" : devices.kind == DeviceKind::Cpu ? "cpu" : "auto";
    std::string text = "\n[devices]\n";
    text += line("kind", quoted(kind));
    text += line("per_rank", std::to_string(devices.perRank));
    text += line("concurrent", std::to_string(devices.concurrent));
    if (devices.cpuSlots != 0)
        text += line("cpu_slots", std::to_string(devices.cpuSlots));
    if (devices.foreign != ForeignPolicy::Avoid)
        text += line("foreign", quoted(devices.foreign == ForeignPolicy::Share ? "share" : "ignore"));
    if (!devices.pin.empty())
        text += line("pin", gpuList(devices.pin));
    if (!devices.exclude.empty())
        text += line("exclude", gpuList(devices.exclude));
    if (devices.perGpu != 1)
        text += line("per_gpu", std::to_string(devices.perGpu));
    if (devices.memoryBytes != 0)
        text += line("memory", quoted(bytesToText(devices.memoryBytes)));
    if (devices.coresPerRank != 0)
        text += line("cores_per_rank", std::to_string(devices.coresPerRank));
    if (!devices.bindsToCores)
        text += line("cpu_affinity", quoted("off"));
    return text;
}

std::string pruneSection(const PruneSection &prune)
{
    const bool isMedian = prune.method == PruneMethod::Median;
    std::string text = "\n[prune]\n";
    text += line("method", isMedian ? "\"median\"" : "\"halving\"");
    text += line("first_step", std::to_string(prune.firstStep));
    if (prune.every != 0)
        text += line("every", std::to_string(prune.every));
    if (!isMedian || prune.factor != PruneSection().factor)
        text += line("factor", real(prune.factor));
    return text + line("min_trials", std::to_string(prune.minTrials));
}

std::string budgetSection(const BudgetSection &budget)
{
    std::string text = "\n[budget]\n";
    if (budget.time)
        text += line("time", quoted(toText(*budget.time)));
    if (budget.deviceTime)
        text += line("device_time", quoted(toText(*budget.deviceTime)));
    return text;
}

std::string probeSection(const ProbeSection &probe)
{
    return "\n[probe]\n" + line("parameter", quoted(probe.parameter)) + line("measure", quoted(toText(probe.measure)));
}

}  // namespace

std::string toToml(const SweepSpec &spec)
{
    std::string text = "[sweep]\n";
    text += line("name", quoted(spec.name));
    text += line("objective", quoted(spec.objective));
    text += line("goal", spec.goal == Goal::Minimize ? "\"minimize\"" : "\"maximize\"");
    text += "\n[search]\n";
    text += line("method", spec.method == SearchMethod::Grid ? "\"grid\"" : "\"random\"");
    text += line("seed", std::to_string(spec.seed));
    if (spec.trials != 0)
        text += line("trials", std::to_string(spec.trials));
    text += "\n[space]\n";
    for (const Dimension &parameter : spec.space)
        text += line(parameter.name, dimension(parameter));
    if (!spec.constraints.empty()) {
        text += "\n[constraints]\n";
        for (const Constraint &constraint : spec.constraints)
            text += line(constraint.name, quoted(constraint.expression));
    }
    return text + runSection(spec.run) + devicesSection(spec.devices)
           + (spec.prune ? pruneSection(*spec.prune) : std::string())
           + (spec.budget ? budgetSection(*spec.budget) : std::string())
           + (spec.probe ? probeSection(*spec.probe) : std::string());
}

}  // namespace sweepscope::sweep
