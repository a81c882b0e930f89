#include "importing/studyjournal.h"

#include "output/pythonjson.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <memory>

namespace sweepscope::importing {

namespace {

using JournalJson = nlohmann::json;
using output::pythonNumber;

const JournalJson &memberOf(const JournalJson &json, const char *key)
{
    static const JournalJson none;
    const auto found = json.find(key);
    return found != json.end() ? *found : none;
}

std::string stringOf(const JournalJson &json)
{
    return json.is_string() ? json.get<std::string>() : std::string();
}

class JournalReader {
public:
    Expected<void> apply(const JournalJson &log)
    {
        const JournalJson &code = memberOf(log, "op_code");
        switch (code.is_number_integer() ? code.get<int>() : -1) {
        case 0:
            m_studies.push_back(std::make_unique<StudyBuilder>(stringOf(memberOf(log, "study_name"))));
            for (const JournalJson &direction : memberOf(log, "directions"))
                m_studies.back()->addObjective(direction == 2 ? sweep::Goal::Maximize : sweep::Goal::Minimize);
            return {};
        case 1:
            if (StudyBuilder *study = studyOf(log))
                deleteStudy(study);
            return {};
        case 3:
            if (StudyBuilder *study = studyOf(log)) {
                for (const auto &[key, value] : memberOf(log, "system_attr").items())
                    study->setStudySystemAttribute(key, value.dump());
            }
            return {};
        case 4:
            return createTrial(log);
        case 5:
        case 6:
        case 7:
        case 8:
        case 9:
            return changeTrial(log, code.get<int>());
        default:
            return {};  // user attributes of studies, and what later versions add
        }
    }

    std::vector<Study> finish()
    {
        std::vector<Study> studies;
        for (const std::unique_ptr<StudyBuilder> &study : m_studies) {
            if (study)
                studies.push_back(study->finish());
        }
        return studies;
    }

private:
    struct Place {
        StudyBuilder *study;
        std::size_t index;
    };

    static std::optional<std::size_t> indexOf(const JournalJson &id, std::size_t size)
    {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= size)
            return std::nullopt;
        return id.get<std::size_t>();
    }

    StudyBuilder *studyOf(const JournalJson &log)
    {
        const auto index = indexOf(memberOf(log, "study_id"), m_studies.size());
        return index ? m_studies[*index].get() : nullptr;
    }

    void deleteStudy(const StudyBuilder *study)
    {
        for (Place &place : m_trials) {
            if (place.study == study)
                place.study = nullptr;
        }
        for (std::unique_ptr<StudyBuilder> &held : m_studies) {
            if (held.get() == study)
                held.reset();
        }
    }

    Expected<void> createTrial(const JournalJson &log)
    {
        StudyBuilder *study = studyOf(log);
        if (study == nullptr)
            return makeError(ErrorCode::Corrupt, "a trial of a study that does not exist");
        m_trials.push_back({study, study->trialCount()});
        StudyTrial &trial = study->addTrial();
        setState(trial, log);
        if (memberOf(log, "value").is_number() || memberOf(log, "value").is_string())
            trial.values = {pythonNumber(memberOf(log, "value")).value_or(0)};
        const JournalJson &distributions = memberOf(log, "distributions");
        for (const auto &[name, value] : memberOf(log, "params").items()) {
            const std::string distribution =
                distributions.is_object() ? stringOf(memberOf(distributions, name.c_str())) : "";
            if (auto set = study->setParameter(trial, name, pythonNumber(value).value_or(-1), distribution); !set)
                return set;
        }
        for (const auto &[step, value] : memberOf(log, "intermediate_values").items())
            setIntermediate(trial, step, value);
        for (const auto &[key, value] : memberOf(log, "user_attrs").items())
            study->setTrialAttribute(trial, key, value.dump());
        for (const auto &[key, value] : memberOf(log, "system_attrs").items())
            study->setTrialSystemAttribute(key);
        return {};
    }

    Expected<void> changeTrial(const JournalJson &log, int code)
    {
        const auto index = indexOf(memberOf(log, "trial_id"), m_trials.size());
        if (!index)
            return makeError(ErrorCode::Corrupt, "a trial that does not exist");
        StudyBuilder *study = m_trials[*index].study;
        if (study == nullptr)
            return {};
        StudyTrial &trial = study->trial(m_trials[*index].index);
        if (code == 5)
            return study->setParameter(trial, stringOf(memberOf(log, "param_name")),
                                       pythonNumber(memberOf(log, "param_value_internal")).value_or(-1),
                                       stringOf(memberOf(log, "distribution")));
        if (code == 6)
            setState(trial, log);
        else if (code == 7)
            setIntermediate(trial, memberOf(log, "step").dump(), memberOf(log, "intermediate_value"));
        for (const auto &[key, value] : memberOf(log, "user_attr").items())
            study->setTrialAttribute(trial, key, value.dump());
        for (const auto &[key, value] : memberOf(log, "system_attr").items())
            study->setTrialSystemAttribute(key);
        return {};
    }

    static void setState(StudyTrial &trial, const JournalJson &log)
    {
        if (const JournalJson &state = memberOf(log, "state"); state.is_number_integer() && state >= 0 && state <= 4)
            trial.state = static_cast<StudyState>(state.get<int>());
        if (const auto time = studyTime(stringOf(memberOf(log, "datetime_start"))))
            trial.started = time;
        if (const auto time = studyTime(stringOf(memberOf(log, "datetime_complete"))))
            trial.completed = time;
        if (const JournalJson &values = memberOf(log, "values"); values.is_array()) {
            trial.values.clear();
            for (const JournalJson &value : values)
                trial.values.push_back(pythonNumber(value).value_or(std::numeric_limits<double>::quiet_NaN()));
        }
    }

    static void setIntermediate(StudyTrial &trial, const std::string &step, const JournalJson &value)
    {
        const std::optional<double> number = pythonNumber(value);
        const long long parsed = std::strtoll(step.c_str(), nullptr, 10);
        if (number && parsed >= 0)
            trial.intermediate.insert_or_assign(parsed, *number);
    }

    std::vector<std::unique_ptr<StudyBuilder>> m_studies;  ///< by id; null: deleted
    std::vector<Place> m_trials;                           ///< by id
};

}  // namespace

Expected<std::vector<Study>> parseJournal(std::string_view untrusted)
{
    JournalReader reader;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < untrusted.size();) {
        const std::size_t end = std::min(untrusted.find('\n', begin), untrusted.size());
        const std::string_view line = untrusted.substr(begin, end - begin);
        ++number;
        begin = end + 1;
        if (line.empty())
            continue;
        const JournalJson log = JournalJson::parse(output::standardJson(line), nullptr, false);
        if (!log.is_object()) {
            if (end == untrusted.size() && number > 1)
                break;  // cut off while it was written
            return makeError(ErrorCode::Corrupt, "line " + std::to_string(number) + " is not a record of a journal");
        }
        if (const Expected<void> applied = reader.apply(log); !applied)
            return makeError(applied.error().code, "line " + std::to_string(number) + ": " + applied.error().message);
    }
    return reader.finish();
}

}  // namespace sweepscope::importing
