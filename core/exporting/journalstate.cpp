#include "exporting/journalstate.h"

#include "output/pythonjson.h"

#include <cstdlib>

namespace sweepscope::exporting {

namespace {

using Record = nlohmann::ordered_json;

const Record &memberOf(const Record &record, const char *key)
{
    static const Record none;
    const auto found = record.find(key);
    return found != record.end() ? *found : none;
}

std::optional<OptunaState> stateIn(const Record &record)
{
    const Record &state = memberOf(record, "state");
    return state.is_number_integer() && state >= 0 && state <= 4 ? std::optional(OptunaState(state.get<int>()))
                                                                 : std::nullopt;
}

void setState(JournalTrial &trial, OptunaState state)
{
    trial.state = state;
    if (isFinished(state))
        trial.intermediate.clear();
}

}  // namespace

bool isFinished(OptunaState state)
{
    return state != OptunaState::Running && state != OptunaState::Waiting;
}

void JournalState::apply(std::string_view untrustedLine)
{
    const Record record = Record::parse(output::standardJson(untrustedLine), nullptr, false);
    const Record &code = memberOf(record, "op_code");
    if (!code.is_number_integer() || code < 0 || code > 9)
        return;
    switch (const auto operation = JournalOperation(code.get<int>())) {
    case JournalOperation::CreateStudy:
        ++m_studies;
        return;
    case JournalOperation::DeleteStudy:
        if (memberOf(record, "study_id") == 0)
            m_sweep.clear();
        return;
    case JournalOperation::SetStudyUserAttribute: {
        const Record &attributes = memberOf(record, "user_attr");
        if (memberOf(record, "study_id") == 0 && memberOf(attributes, "sweep").is_string())
            m_sweep = memberOf(attributes, "sweep").get<std::string>();
        return;
    }
    case JournalOperation::CreateTrial:
        create(record);
        return;
    default:
        change(record, operation);
        return;
    }
}

void JournalState::create(const Record &record)
{
    JournalTrial trial{m_created++, stateIn(record).value_or(OptunaState::Running), {}, {}};
    trial.attributes = memberOf(record, "user_attrs");
    const Record &number = memberOf(trial.attributes, "trial");
    if (memberOf(record, "study_id") != 0 || !number.is_number_unsigned() || number > 1'000'000'000)
        return;
    if (!isFinished(trial.state)) {
        const Record &values = memberOf(record, "intermediate_values");
        for (auto value = values.begin(); values.is_object() && value != values.end(); ++value) {
            if (const auto known = output::pythonNumber(value.value()))
                trial.intermediate.insert_or_assign(std::strtoll(value.key().c_str(), nullptr, 10), *known);
        }
    }
    m_numbers.insert_or_assign(trial.id, number.get<int>());
    m_trials.insert_or_assign(number.get<int>(), std::move(trial));
}

void JournalState::change(const Record &record, JournalOperation operation)
{
    const Record &id = memberOf(record, "trial_id");
    const auto number = id.is_number_unsigned() ? m_numbers.find(id.get<std::int64_t>()) : m_numbers.end();
    if (number == m_numbers.end())
        return;
    JournalTrial &trial = m_trials.at(number->second);
    if (trial.id != id.get<std::int64_t>() || isFinished(trial.state))
        return;  // Optuna changes no trial that has finished
    if (operation == JournalOperation::SetTrialStateValues) {
        if (const auto state = stateIn(record))
            setState(trial, *state);
    } else if (operation == JournalOperation::SetTrialIntermediateValue) {
        const Record &step = memberOf(record, "step");
        const auto value = output::pythonNumber(memberOf(record, "intermediate_value"));
        if (step.is_number_integer() && value)
            trial.intermediate.insert_or_assign(step.get<std::int64_t>(), *value);
    } else if (operation == JournalOperation::SetTrialUserAttribute && memberOf(record, "user_attr").is_object()) {
        if (!trial.attributes.is_object())
            trial.attributes = Record::object();
        trial.attributes.update(memberOf(record, "user_attr"));
    }
}

const JournalTrial *JournalState::trial(int number) const
{
    const auto found = m_trials.find(number);
    return found != m_trials.end() ? &found->second : nullptr;
}

std::vector<int> JournalState::unfinished() const
{
    std::vector<int> numbers;
    for (const auto &[number, trial] : m_trials) {
        if (!isFinished(trial.state))
            numbers.push_back(number);
    }
    return numbers;
}

}  // namespace sweepscope::exporting
