// Reads trials as JSON from standard input; writes the share of each parameter as JSON to standard output.
#include "analysis/importance.h"

#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

using namespace sweepscope;
using nlohmann::json;

int main()
{
    const json question = json::parse(std::cin);
    analysis::TrialValues values;
    values.target.goal = question.at("maximize").get<bool>() ? sweep::Goal::Maximize : sweep::Goal::Minimize;
    values.values = question.at("values").get<std::vector<double>>();
    for (std::size_t row = 0; row < values.values.size(); ++row) {
        values.trials.push_back(static_cast<int>(row) + 1);
        values.states.push_back(sweep::TrialState::Completed);
        values.standings.push_back(analysis::Standing::MayBeBest);
        values.ended.push_back(static_cast<WallNs>(row));
    }
    for (const json &asked : question.at("parameters")) {
        analysis::Parameter parameter;
        parameter.name = asked.at("name").get<std::string>();
        const std::string scale = asked.at("scale").get<std::string>();
        parameter.scale = scale == "log"          ? analysis::Scale::Log
                          : scale == "categories" ? analysis::Scale::Categories
                                                  : analysis::Scale::Linear;
        parameter.low = asked.at("low").get<double>();
        parameter.high = asked.at("high").get<double>();
        if (parameter.scale == analysis::Scale::Categories)
            for (int i = 0; i <= static_cast<int>(parameter.high); ++i)
                parameter.categories.push_back(std::to_string(i));
        parameter.values = asked.at("values").get<std::vector<double>>();
        values.parameters.push_back(std::move(parameter));
    }
    std::cout << json(analysis::importanceOf(values).shares) << '\n';
}
