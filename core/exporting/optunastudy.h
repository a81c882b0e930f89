#pragma once

#include "exporting/journalstate.h"
#include "exporting/optunaspace.h"
#include "exporting/sweepexport.h"
#include "sweep/outcome.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::exporting {

/// A sweep as records of a journal of Optuna (optunajournal.h says what becomes of what). All texts are whole lines. Refers to the
/// arguments of its constructor.
class OptunaStudy {
public:
    OptunaStudy(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                const std::vector<sweep::TrialRecord> &trials, std::uint64_t mostPoints);

    std::string lines() const;
    /// The trial as it is now; nullopt: stopped by `progress`.
    std::optional<std::string> lineOf(const sweep::TrialRecord &trial, const Progress &progress);
    /// What makes the trial of the journal, which has not finished, what it is now.
    std::string changesOf(const JournalTrial &known, const sweep::TrialRecord &trial);
    /// Ends a trial of the journal that the sweep no longer has.
    std::string endOf(const JournalTrial &known) const;

    /// Of the feeds of the trials that were written; empty: none.
    const std::string &damage() const { return m_damage; }

private:
    std::vector<double> valuesOf(const sweep::TrialRecord &trial) const;
    WallNs startOf(const sweep::TrialRecord &trial) const;
    void addTimes(nlohmann::ordered_json &json, const sweep::TrialRecord &trial, OptunaState state) const;
    void addParameters(nlohmann::ordered_json &json, const sweep::TrialRecord &trial, OptunaState state) const;
    nlohmann::ordered_json excessesOf(const sweep::TrialRecord &trial, OptunaState state) const;
    /// By step; of a step that was reported twice the newest value. nullopt: stopped by `progress`.
    std::optional<std::map<std::int64_t, double>> curveOf(const sweep::TrialRecord &trial, const Progress &progress);

    const WorkspaceLayout &m_workspace;
    const sweep::SweepRecord &m_sweep;
    sweep::SweepSpec m_spec;
    std::vector<OptunaParameter> m_parameters;
    std::optional<sweep::OutcomeConstraints> m_constraints;
    std::uint64_t m_mostPoints;
    std::string m_damage;
};

/// The points of a curve that a journal with `known` lacks. While the trial runs, none until the curve is longer by 1/`mostPoints`, so
/// that a long curve does not become a long journal.
std::map<std::int64_t, double> missingPoints(const std::map<std::int64_t, double> &curve,
                                             const std::map<std::int64_t, double> &known, bool hasEnded,
                                             std::uint64_t mostPoints);

}  // namespace sweepscope::exporting
