#include "importing/study.h"

#include "importing/listedvalues.h"
#include "sweep/command.h"
#include "sweep/dimensionvalues.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <utility>

namespace sweepscope::importing {

namespace {

using StudyJson = nlohmann::json;
using sweep::Dimension;
using sweep::DimensionKind;
using sweep::ParameterValue;

std::optional<double> finiteAt(const StudyJson &json, const char *key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number() || !std::isfinite(found->get<double>()))
        return std::nullopt;
    return found->get<double>();
}

ParameterValue categoryOf(const StudyJson &json)
{
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    return json.is_string() ? json.get<std::string>() : json.is_null() ? std::string("None") : json.dump();
}

/// The distribution of one parameter of one trial; values of `choices` in their order.
Expected<Dimension> dimensionOf(std::string_view untrustedText)
{
    const StudyJson json = StudyJson::parse(untrustedText, nullptr, false);
    const auto name = json.is_object() ? json.find("name") : json.end();
    const auto attributes = json.is_object() ? json.find("attributes") : json.end();
    if (!json.is_object() || name == json.end() || !name->is_string() || attributes == json.end()
        || !attributes->is_object())
        return makeError(ErrorCode::Corrupt, "has a distribution that is not Optuna's");
    const auto kind = name->get<std::string>();
    Dimension dimension;
    if (kind == "CategoricalDistribution") {
        dimension.kind = DimensionKind::Choice;
        const auto choices = attributes->find("choices");
        if (choices == attributes->end() || !choices->is_array() || choices->empty())
            return makeError(ErrorCode::Corrupt, "has a CategoricalDistribution without choices");
        for (const StudyJson &choice : *choices)
            dimension.values.push_back(categoryOf(choice));
        return dimension;
    }
    const std::optional<double> low = finiteAt(*attributes, "low");
    const std::optional<double> high = finiteAt(*attributes, "high");
    if (!low || !high)
        return makeError(ErrorCode::Unsupported, "has the distribution " + kind + " without low and high");
    const auto log = attributes->find("log");
    const bool isLog = (log != attributes->end() && *log == true) || kind.find("Log") != std::string::npos;
    const std::optional<double> step = finiteAt(*attributes, kind == "DiscreteUniformDistribution" ? "q" : "step");
    dimension.low = *low;
    dimension.high = *high;
    if (kind.starts_with("Int")) {
        dimension.kind = isLog ? DimensionKind::LogInteger : DimensionKind::Integer;
        if (!isLog && step && *step >= 1 && *step <= sweep::largestExactInteger)
            dimension.step = static_cast<std::int64_t>(*step);
    } else {
        dimension.kind = step ? DimensionKind::Stepped : isLog ? DimensionKind::Log : DimensionKind::Linear;
        dimension.spacing = step.value_or(0);
    }
    return dimension;
}

/// Makes `known` wide enough for `other`, too.
void widen(Dimension &known, const Dimension &other)
{
    for (const ParameterValue &value : other.values) {
        if (std::ranges::find(known.values, value) == known.values.end())
            known.values.push_back(value);
    }
    const bool hasOtherSteps = known.spacing != other.spacing || known.step != other.step || known.low != other.low;
    known.low = std::min(known.low, other.low);
    known.high = std::max(known.high, other.high);
    if (!hasOtherSteps)
        return;
    // Values of both need not be on one grid.
    known.step = 1;
    if (known.kind == DimensionKind::Stepped && known.spacing != other.spacing) {
        known.kind = DimensionKind::Linear;
        known.spacing = 0;
    }
}

/// 0 if `text` is not a number with this count of digits.
int digitsAt(std::string_view text, std::size_t begin, std::size_t count)
{
    int number = 0;
    for (std::size_t i = begin; i < begin + count; ++i) {
        if (i >= text.size() || text[i] < '0' || text[i] > '9')
            return 0;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

}  // namespace

void StudyBuilder::addObjective(sweep::Goal goal)
{
    const std::size_t place = m_study.objectives.size() + 1;
    m_study.objectives.push_back({place == 1 ? "objective" : "objective_" + std::to_string(place), goal});
}

StudyTrial &StudyBuilder::addTrial()
{
    return m_study.trials.emplace_back();
}

Expected<void> StudyBuilder::setParameter(StudyTrial &trial, const std::string &name, double stored,
                                          std::string_view distribution)
{
    const Expected<Dimension> read = dimensionOf(distribution);
    if (!read)
        return makeError(read.error().code, "the parameter " + name + " " + read.error().message);
    const auto [place, isNew] = m_places.emplace(name, m_study.space.size());
    if (isNew) {
        m_study.space.push_back(*read);
        m_study.space.back().name = m_names.nameFor(name);
        if (m_study.space.back().name != name)
            m_study.notes.push_back("The parameter " + name + " is called " + m_study.space.back().name + ".");
    }
    Dimension &dimension = m_study.space[place->second];
    const bool isList = read->kind == DimensionKind::Choice;
    if (isList != (dimension.kind == DimensionKind::Choice)
        || sweep::isWhole(read->kind) != sweep::isWhole(dimension.kind))
        return makeError(ErrorCode::Unsupported,
                         "the parameter " + name + " has distributions of several types, which a sweep cannot have");
    if (!isNew)
        widen(dimension, *read);
    ParameterValue value = stored;
    if (isList) {
        if (!(stored >= 0) || stored >= static_cast<double>(read->values.size()))
            return makeError(ErrorCode::Corrupt, "the parameter " + name + " has a category that does not exist");
        value = read->values[static_cast<std::size_t>(stored)];
    } else if (!std::isfinite(stored) || std::fabs(stored) > 1e300) {
        return makeError(ErrorCode::Corrupt, "the parameter " + name + " has a value that is not a number");
    } else if (sweep::isWhole(read->kind)) {
        value = static_cast<std::int64_t>(
            std::clamp(std::round(stored), -sweep::largestExactInteger, sweep::largestExactInteger));
    }
    trial.parameters.emplace_back(dimension.name, std::move(value));
    return {};
}

void StudyBuilder::setTrialAttribute(StudyTrial &trial, const std::string &key, std::string_view untrustedJson)
{
    const StudyJson json = StudyJson::parse(untrustedJson, nullptr, false);
    if (key == "state" && json.is_string()) {
        trial.exportedState = json.get<std::string>();
    } else if (key == "seed" && json.is_number_unsigned()) {
        trial.seed = json.get<std::uint64_t>();
    } else if (key == "starred" && json == true) {
        trial.mark.starred = true;
    } else if (key == "note" && json.is_string()) {
        trial.mark.note = json.get<std::string>();
    } else if (key == "tags" && json.is_array()) {
        for (const StudyJson &tag : json) {
            if (tag.is_string())
                trial.mark.tags.push_back(tag.get<std::string>());
        }
    } else if (json.is_number() && std::isfinite(json.get<double>())) {
        const double value = json.get<double>();
        constexpr std::string_view ours = "metric.";
        constexpr std::string_view lowest = "metric_min.";
        constexpr std::string_view highest = "metric_max.";
        const auto metricNamed = [&trial](const std::string &name) -> sweep::MetricValue & {
            const auto found = std::ranges::find(trial.metrics, name, &sweep::MetricValue::name);
            if (found != trial.metrics.end())
                return *found;
            return trial.metrics.emplace_back(sweep::MetricValue{.name = name, .last = std::nan("")});
        };
        constexpr std::string_view exported[] = {"trial",
                                                 "seed",
                                                 "ranks",
                                                 "attempts",
                                                 "objective_last",
                                                 "objective_best",
                                                 "objective_mean",
                                                 "objective_runs",
                                                 "objective_last_step",
                                                 "objective_best_step"};
        if (key.starts_with(lowest))
            metricNamed(key.substr(lowest.size())).lowest = value;
        else if (key.starts_with(highest))
            metricNamed(key.substr(highest.size())).highest = value;
        else if (key.starts_with(ours))
            metricNamed(key.substr(ours.size())).last = value;
        else if (trial.metrics.size() < sweep::mostMetrics && std::ranges::find(exported, key) == std::end(exported)) {
            sweep::MetricValue &metric = metricNamed(key);
            metric.last = metric.lowest = metric.highest = value;
        }
    }
}

void StudyBuilder::setTrialSystemAttribute(const std::string &key)
{
    m_hasConstraints = m_hasConstraints || key == "constraints";
}

void StudyBuilder::setStudySystemAttribute(const std::string &key, std::string_view untrustedJson)
{
    if (key != "study:metric_names")
        return;
    m_metricNames.clear();
    const StudyJson json = StudyJson::parse(untrustedJson, nullptr, false);
    for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
        if (json[i].is_string())
            m_metricNames.push_back(json[i].get<std::string>());
    }
}

Study StudyBuilder::finish()
{
    if (m_study.objectives.empty())
        addObjective(sweep::Goal::Minimize);
    for (std::size_t i = 0; i < m_metricNames.size() && m_metricNames.size() == m_study.objectives.size(); ++i)
        m_study.objectives[i].name = m_metricNames[i];
    if (m_hasConstraints)
        m_study.notes.emplace_back("Constraints of trials were left out.");
    for (Dimension &dimension : m_study.space) {
        if (dimension.kind != DimensionKind::Choice) {
            if (dimension.low == dimension.high) {
                dimension.values = {sweep::isWhole(dimension.kind)
                                        ? ParameterValue(static_cast<std::int64_t>(std::clamp(
                                            dimension.low, -sweep::largestExactInteger, sweep::largestExactInteger)))
                                        : ParameterValue(dimension.low)};
                dimension.kind = DimensionKind::List;
            }
            continue;
        }
        const auto isString = [](const ParameterValue &value) { return std::holds_alternative<std::string>(value); };
        const ListedValues listed = listedValues(dimension.values);
        const bool becomeStrings =
            std::ranges::any_of(listed.values, isString) && !std::ranges::all_of(dimension.values, isString);
        dimension.kind = listed.kind;
        dimension.values = listed.values;
        if (!becomeStrings)
            continue;
        m_study.notes.push_back("The values of " + dimension.name + " are strings.");
        for (StudyTrial &trial : m_study.trials) {
            for (auto &[name, value] : trial.parameters) {
                if (name == dimension.name)
                    value = sweep::toText(value);
            }
        }
    }
    // Tables show parameters in the order of the space.
    for (StudyTrial &trial : m_study.trials)
        std::ranges::sort(trial.parameters, {}, [this](const auto &parameter) {
            return std::ranges::find(m_study.space, parameter.first, &Dimension::name) - m_study.space.begin();
        });
    return std::move(m_study);
}

std::optional<WallNs> studyTime(std::string_view text)
{
    std::tm parts{};
    parts.tm_year = digitsAt(text, 0, 4) - 1900;
    parts.tm_mon = digitsAt(text, 5, 2) - 1;
    parts.tm_mday = digitsAt(text, 8, 2);
    parts.tm_hour = digitsAt(text, 11, 2);
    parts.tm_min = digitsAt(text, 14, 2);
    parts.tm_sec = digitsAt(text, 17, 2);
    parts.tm_isdst = -1;
    if (text.size() < 19 || parts.tm_year < 70 || parts.tm_mon < 0 || parts.tm_mday < 1)
        return std::nullopt;
    std::int64_t nanoseconds = 0;
    std::size_t end = 19;
    if (end < text.size() && text[end] == '.') {
        std::int64_t unit = 100'000'000;
        for (++end; end < text.size() && text[end] >= '0' && text[end] <= '9'; ++end, unit /= 10)
            nanoseconds += (text[end] - '0') * unit;
    }
    const std::string_view offset = text.substr(std::min(end, text.size()));
    std::time_t seconds = 0;
    if (offset == "Z" || offset.starts_with('+') || offset.starts_with('-')) {
        const int minutes = digitsAt(offset, 1, 2) * 60 + digitsAt(offset, 4, 2);
        seconds = ::timegm(&parts) - (offset.starts_with('-') ? -1 : 1) * minutes * 60;
    } else {
        seconds = std::mktime(&parts);
    }
    if (seconds < 0 || seconds > 9'000'000'000)
        return std::nullopt;
    return static_cast<WallNs>(seconds) * 1'000'000'000 + nanoseconds;
}

ImportedSweep sweepOf(const Study &study)
{
    ImportedSweep imported;
    sweep::SweepSpec &spec = imported.spec;
    spec.name = sweepNameOf(study.name);
    spec.objective = study.objectives.front().name;
    spec.goal = study.objectives.front().goal;
    spec.objectives.assign(study.objectives.begin() + 1, study.objectives.end());
    spec.space = study.space;
    spec.method = sweep::SearchMethod::Random;
    setTrials(imported, std::max<std::size_t>(1, study.trials.size()));
    imported.notes.clear();
    spec.run.worker = sweep::WorkerKind::Command;
    spec.run.command = sweep::commandOfResults();
    imported.note({}, study.origin);
    imported.note("run.command", "The results do not name their program.");
    for (const std::string &note : study.notes)
        imported.note({}, note);
    return imported;
}

}  // namespace sweepscope::importing
