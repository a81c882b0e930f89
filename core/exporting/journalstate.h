#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::exporting {

/// optuna.storages.journal: JournalOperation
enum class JournalOperation {
    CreateStudy = 0,
    DeleteStudy = 1,
    SetStudyUserAttribute = 2,
    SetStudySystemAttribute = 3,
    CreateTrial = 4,
    SetTrialStateValues = 6,
    SetTrialIntermediateValue = 7,
    SetTrialUserAttribute = 8,
    SetTrialSystemAttribute = 9
};

/// optuna.trial.TrialState
enum class OptunaState { Running = 0, Complete = 1, Pruned = 2, Fail = 3, Waiting = 4 };
bool isFinished(OptunaState state);

/// A trial as a journal has it.
struct JournalTrial {
    std::int64_t id = 0;  ///< its place among the trials of all studies
    OptunaState state = OptunaState::Running;
    std::map<std::int64_t, double> intermediate{};  ///< by step; empty once it has finished
    nlohmann::ordered_json attributes{};            ///< of the user
};

/// What the first study of a journal of Optuna says, if Sweepscope wrote it: other programs may add to it.
class JournalState {
public:
    /// Ignores a line that is not a record, as if it were of a later version.
    void apply(std::string_view untrustedLine);

    /// No study was ever created.
    bool isEmpty() const { return m_studies == 0; }
    /// The folder of its sweep; empty if another program created the study, or if it was deleted.
    const std::string &sweep() const { return m_sweep; }
    /// The newest trial with this user attribute "trial"; null if there is none.
    const JournalTrial *trial(int number) const;
    std::vector<int> unfinished() const;

private:
    void create(const nlohmann::ordered_json &record);
    void change(const nlohmann::ordered_json &record, JournalOperation operation);

    int m_studies = 0;
    std::string m_sweep;
    std::int64_t m_created = 0;               ///< trials
    std::map<int, JournalTrial> m_trials;     ///< by number of the sweep
    std::map<std::int64_t, int> m_numbers{};  ///< of `m_trials`, by id
};

}  // namespace sweepscope::exporting
