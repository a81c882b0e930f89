#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "importing/importedsweep.h"
#include "importing/parameternames.h"
#include "sweep/mark.h"
#include "sweep/metricvalue.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Results of other programs, however they were stored.
namespace sweepscope::importing {

/// optuna.trial.TrialState, with its numbers.
enum class StudyState { Running = 0, Complete = 1, Pruned = 2, Fail = 3, Waiting = 4 };

struct StudyTrial {
    StudyState state = StudyState::Running;
    std::optional<WallNs> started;
    std::optional<WallNs> completed;
    sweep::ParameterSet parameters;
    std::vector<double> values;  ///< of the objectives; empty: none
    std::map<std::int64_t, double> intermediate;
    std::vector<sweep::MetricValue> metrics;  ///< user attributes that are numbers
    // Of a study that Sweepscope has exported:
    std::string exportedState;
    std::optional<std::uint64_t> seed;
    sweep::Mark mark;
};

struct StudyPoint {
    std::int64_t step = 0;
    WallNs time = 0;
    double value = 0;
};
using StudyCurves = std::map<std::string, std::vector<StudyPoint>>;  ///< by series

struct Study {
    std::string name;
    std::string origin = "The results of a study of Optuna.";
    std::string failure = "Failed in Optuna";  ///< why a failed trial failed
    std::vector<sweep::Objective> objectives;  ///< at least one
    std::vector<sweep::Dimension> space;       ///< wide enough for all trials, without conditions
    std::vector<StudyTrial> trials;            ///< by number
    std::vector<std::string> notes;            ///< what was left out or renamed, as sentences
    /// Returns all curves of a trial, by its place in `trials`, so that those of one trial are in memory at a time. Empty:
    /// trials have only `intermediate`.
    std::function<StudyCurves(std::size_t)> curvesOf;
};

/// Collects what a storage of Optuna holds.
class StudyBuilder {
public:
    explicit StudyBuilder(std::string name) { m_study.name = std::move(name); }

    const std::string &name() const { return m_study.name; }
    void addObjective(sweep::Goal goal);
    StudyTrial &addTrial();
    StudyTrial &trial(std::size_t index) { return m_study.trials[index]; }
    std::size_t trialCount() const { return m_study.trials.size(); }

    /// `stored`: the value as a number, or the index of a category. `distribution`: JSON.
    Expected<void> setParameter(StudyTrial &trial, const std::string &name, double stored,
                                std::string_view distribution);
    /// The values are JSON.
    void setTrialAttribute(StudyTrial &trial, const std::string &key, std::string_view untrustedJson);
    void setTrialSystemAttribute(const std::string &key);
    void setStudySystemAttribute(const std::string &key, std::string_view untrustedJson);

    Study finish();

private:
    Study m_study;
    std::map<std::string, std::size_t> m_places;  ///< in the space, by Optuna's name
    ParameterNames m_names;
    std::vector<std::string> m_metricNames;
    bool m_hasConstraints = false;
};

/// A time as Optuna stores it: ISO 8601, local unless it has an offset.
std::optional<WallNs> studyTime(std::string_view text);

/// A definition for the results of the study, whose command fails: there is no program to run again.
ImportedSweep sweepOf(const Study &study);

}  // namespace sweepscope::importing
