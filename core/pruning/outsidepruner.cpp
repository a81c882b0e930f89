#include "pruning/outsidepruner.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::pruning {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;
using Json = nlohmann::ordered_json;

std::vector<std::string> prunerCommand(const sweep::PruneSection &prune)
{
    if (prune.method == sweep::PruneMethod::Optuna)
        return {"python3", "-m", "sweepscope.optuna", "--pruner", prune.pruner};
    return prune.command;
}

Fact prunerFailed(const std::string &what)
{
    return Fact(Code::PrunerFailed).with(Field::Detail, what);
}

}  // namespace

OutsidePruner::OutsidePruner(const sweep::SweepSpec &spec, const search::OutsideProgram::Surroundings &surroundings,
                             const std::atomic<bool> &cancelled)
    : m_spec(&spec), m_program(spec, prunerCommand(*spec.prune), surroundings, cancelled)
{}

tl::expected<std::optional<Fact>, Fact> OutsidePruner::ask(int trial, const RungValue &value)
{
    const Expected<std::string> line = m_program.ask(Json{{"prune", trial}, {"step", value.rung}}.dump());
    if (!line)
        return tl::unexpected(prunerFailed(line.error().message));
    const Json answer = Json::parse(*line, nullptr, false);
    const Json verdict = answer.is_object() ? answer.value("prune", Json()) : Json();
    if (!verdict.is_boolean())
        return tl::unexpected(prunerFailed(m_program.end("its answer is not a decision: " + search::startOf(*line))));
    if (!verdict.get<bool>())
        return std::nullopt;
    const Json why = answer.value("why", Json());
    const sweep::PruneSection &prune = *m_spec->prune;
    const std::string by = why.is_string()                              ? why.get<std::string>()
                           : prune.method == sweep::PruneMethod::Optuna ? prune.pruner
                                                                        : prune.command.front();
    Fact reason = Fact(Code::PrunedByCommand).with(Field::Step, value.rung).with(Field::Detail, by);
    return std::isnan(value.last) ? reason : std::move(reason).with(Field::Value, value.last);
}

}  // namespace sweepscope::pruning
