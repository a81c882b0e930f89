#include "search/outsidesampler.h"

#include "search/pointbuilder.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace sweepscope::search {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;
using Json = nlohmann::ordered_json;

constexpr int mostHandedBack = 20;

Fact failed(const std::string &what)
{
    return Fact(Code::SamplerFailed).with(Field::Detail, what);
}

/// The category number or coordinate of a value in an answer; nullopt if the parameter cannot have it.
std::optional<double> coordinateOf(const Axis &axis, const Json &value)
{
    if (value.is_boolean())
        return axis.coordinate(value.get<bool>());
    if (value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() >> 63U != 0))
        return axis.coordinate(value.get<std::int64_t>());
    if (value.is_number())
        return axis.coordinate(value.get<double>());
    if (value.is_string())
        return axis.coordinate(value.get<std::string>());
    return std::nullopt;
}

}  // namespace

std::vector<std::string> samplerCommand(const sweep::SweepSpec &spec)
{
    if (spec.method == sweep::SearchMethod::Optuna)
        return {"python3", "-m", "sweepscope.optuna", spec.sampler};
    return spec.searchCommand;
}

OutsideSampler::OutsideSampler(const sweep::SweepSpec &spec, const OutsideProgram::Surroundings &surroundings,
                               const std::atomic<bool> &cancelled)
    : m_spec(&spec), m_program(spec, samplerCommand(spec), surroundings, cancelled)
{}

tl::expected<Suggestion, Fact> OutsideSampler::ask(const SearchHistory &history, int number)
{
    const PointBuilder builder(history.spec(), history.space(), history.axes());
    for (int asked = 0; asked < mostHandedBack; ++asked) {
        const Expected<std::string> line = m_program.ask(Json{{"ask", number}}.dump());
        if (!line)
            return tl::unexpected(failed(line.error().message));
        const Json answer = Json::parse(*line, nullptr, false);
        const Json params = answer.is_object() ? answer.value("params", Json()) : Json();
        if (!params.is_object())
            return tl::unexpected(failed(m_program.end("its answer is not a point: " + startOf(*line))));
        std::string wrong;
        const auto point = builder.build([&](std::size_t i) {
            const sweep::Dimension &dimension = history.spec().space[i];
            const Json value = params.value(dimension.name, Json());
            const std::optional<double> coordinate = coordinateOf(history.axes()[i], value);
            if (!coordinate && wrong.empty())
                wrong = value.is_null() ? "its point has no value for " + dimension.name
                                        : dimension.name + " cannot be " + value.dump();
            return coordinate.value_or(history.axes()[i].low());
        });
        if (!wrong.empty())
            return tl::unexpected(failed(m_program.end(wrong)));
        if (point && !history.contains(point->parameters)) {
            const Json why = answer.value("why", Json());
            const std::string by = why.is_string()                                 ? why.get<std::string>()
                                   : m_spec->method == sweep::SearchMethod::Optuna ? m_spec->sampler
                                                                                   : m_spec->searchCommand.front();
            return Suggestion{point->parameters, Method::Command, Fact(Code::ChosenByCommand).with(Field::Detail, by)};
        }
        if (asked == 0) {  // perhaps there is no other
            auto any = suggest(history, Method::Random, number);
            if (!any)
                return any;
        }
        m_program.handBack(Json{{"number", number}, {"state", "rejected"}}.dump());
    }
    auto instead = suggest(history, Method::Random, number);
    if (instead)
        instead->why = std::move(instead->why).dueTo(Fact(Code::AnswersRejected).with(Field::Count, mostHandedBack));
    return instead;
}

}  // namespace sweepscope::search
