#include "sweep/sweepfilewriter.h"

#include "sweep/duration.h"
#include "sweep/keytext.h"
#include "sweep/sweepfile.h"
#include "sweep/tomltext.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sweepscope::sweep {

namespace {

struct WrittenTable {
    std::string name;
    std::vector<WrittenKey> keys;

    void add(const std::string &key, std::string value) { keys.push_back({name, tomlKey(key), std::move(value)}); }
};

std::string wholeDigits(double number)
{
    std::array<char, 512> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed, 0).ptr;
    return {buffer.data(), end};
}

std::string listOf(const std::vector<ParameterValue> &values)
{
    std::string text;
    for (const ParameterValue &value : values)
        text += (text.empty() ? "" : ", ") + tomlValue(value);
    return "[" + text + "]";
}

std::string written(const Dimension &dimension)
{
    const std::string when = dimension.when.empty() ? "" : ", when = " + tomlString(dimension.when);
    const std::string points = dimension.points == 0 ? "" : ", points = " + std::to_string(dimension.points);
    const std::string range = "[" + tomlFloat(dimension.low) + ", " + tomlFloat(dimension.high) + "]";
    switch (dimension.kind) {
    case DimensionKind::List:
    case DimensionKind::Choice:
        return when.empty() ? listOf(dimension.values) : "{ values = " + listOf(dimension.values) + when + " }";
    case DimensionKind::Linear:
        return "{ float = " + range + points + when + " }";
    case DimensionKind::Log:
        return "{ log = " + range + points + when + " }";
    case DimensionKind::Integer:
        return "{ int = [" + wholeDigits(dimension.low) + ", " + wholeDigits(dimension.high) + "]"
               + (dimension.step == 1 ? "" : ", step = " + std::to_string(dimension.step)) + when + " }";
    case DimensionKind::LogInteger:
        return "{ int = [" + wholeDigits(dimension.low) + ", " + wholeDigits(dimension.high) + "], log = true" + points
               + when + " }";
    case DimensionKind::Normal:
    case DimensionKind::LogNormal:
        return std::string(dimension.kind == DimensionKind::Normal ? "{ normal = [" : "{ log_normal = [")
               + tomlFloat(dimension.mean) + ", " + tomlFloat(dimension.deviation) + "]" + points + when + " }";
    case DimensionKind::Stepped:
        return "{ float = " + range + ", step = " + tomlFloat(dimension.spacing) + when + " }";
    }
    return {};
}

std::string written(const RetryRule &rule)
{
    const std::string times = std::to_string(rule.times);
    return rule.wait ? "{ times = " + times + ", wait = " + tomlString(toText(*rule.wait)) + " }" : times;
}

/// The simple keys that say something.
WrittenTable simpleKeys(const std::string &section, const SweepSpec &spec)
{
    WrittenTable table{section, {}};
    for (const Key &key : keysOf(section)) {
        if (key.type == KeyType::Table)
            continue;
        const KeyValue value = getValue(key, spec);
        const bool isSaid = key.isSetting() || key.isAlwaysWritten || value != defaultOf(key);
        if (isSaid && !std::holds_alternative<std::monostate>(value))
            table.add(key.name, tomlOf(key, value));
    }
    return table;
}

/// A command says by itself what the worker is; without either it is the built-in one.
void writeWorker(WrittenTable &run, const SweepSpec &spec)
{
    const bool followsFromCommand = spec.run.worker == WorkerKind::Command && !spec.run.command.empty();
    std::erase_if(run.keys, [](const WrittenKey &key) { return key.name == "worker"; });
    if (!followsFromCommand) {
        const Key &worker = *findKey("run.worker");
        run.keys.insert(run.keys.begin(), {run.name, worker.name, tomlOf(worker, getValue(worker, spec))});
    }
}

template <typename Entries, typename Write>
void addTable(std::vector<WrittenTable> &tables, const std::string &name, const Entries &entries, Write write)
{
    if (entries.empty())
        return;
    WrittenTable table{name, {}};
    for (const auto &[key, entry] : entries)
        table.add(key, write(entry));
    tables.push_back(std::move(table));
}

std::vector<WrittenTable> writtenTables(const SweepSpec &spec)
{
    std::vector<WrittenTable> tables;
    const auto asString = [](const std::string &text) { return tomlString(text); };
    for (const std::string &section : keySections()) {
        if (!hasSection(spec, section))
            continue;
        tables.push_back(simpleKeys(section, spec));
        if (section == "sweep") {
            std::vector<std::pair<std::string, std::string>> goals;
            for (const Objective &objective : spec.objectives)
                goals.emplace_back(objective.name, objective.goal == Goal::Maximize ? "maximize" : "minimize");
            addTable(tables, "objectives", goals, asString);
        }
        if (section == "search") {
            tables.push_back({"space", {}});
            for (const Dimension &dimension : spec.space)
                tables.back().add(dimension.name, written(dimension));
            std::vector<std::pair<std::string, std::string>> constraints;
            for (const Constraint &constraint : spec.constraints)
                constraints.emplace_back(constraint.name, constraint.expression);
            addTable(tables, "constraints", constraints, asString);
            std::vector<std::pair<std::string, std::string>> outcomes;
            for (const Constraint &constraint : spec.outcomeConstraints)
                outcomes.emplace_back(constraint.name, constraint.expression);
            addTable(tables, "outcome_constraints", outcomes, asString);
        } else if (section == "run") {
            writeWorker(tables.back(), spec);
            addTable(tables, "run.environment", spec.run.environment, asString);
            addTable(tables, "run.retry", spec.run.policy.retry, [](const RetryRule &rule) { return written(rule); });
        } else if (section == "run.metrics") {
            addTable(tables, "run.metrics.series", spec.run.metrics->series, asString);
        }
    }
    return tables;
}

}  // namespace

std::string toToml(const SweepSpec &spec)
{
    std::string text;
    for (const WrittenTable &table : writtenTables(spec)) {
        text += (text.empty() ? "[" : "\n[") + table.name + "]\n";
        for (const WrittenKey &key : table.keys)
            text += key.name + " = " + key.value + "\n";
    }
    return text;
}

std::vector<WrittenKey> writtenKeys(const SweepSpec &spec)
{
    std::vector<WrittenKey> keys;
    for (WrittenTable &table : writtenTables(spec))
        std::ranges::move(table.keys, std::back_inserter(keys));
    return keys;
}

const WrittenKey *findKey(const std::vector<WrittenKey> &keys, const WrittenKey &like)
{
    const auto found = std::ranges::find_if(
        keys, [&like](const WrittenKey &key) { return key.table == like.table && key.name == like.name; });
    return found != keys.end() ? &*found : nullptr;
}

}  // namespace sweepscope::sweep
