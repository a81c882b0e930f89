#pragma once

#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::exporting {

/// A parameter as Optuna stores it: one distribution for all trials.
class OptunaParameter {
public:
    /// `dimension`: null if the definition has no such parameter; then the values decide. An edit may have changed the
    /// range since trials ran, so it is widened to all `values`.
    OptunaParameter(std::string name, const sweep::Dimension *dimension,
                    const std::vector<sweep::ParameterValue> &values);

    const std::string &name() const { return m_name; }
    /// JSON as of optuna.distributions.distribution_to_json().
    const std::string &distribution() const { return m_distribution; }
    /// The value as a number, or the index of a categorical one.
    double stored(const sweep::ParameterValue &value) const;

private:
    void setCategories(const sweep::Dimension *dimension, const std::vector<sweep::ParameterValue> &values);
    void setIntegers(const sweep::Dimension *dimension, const std::vector<double> &numbers);
    void setFloats(const sweep::Dimension *dimension, const std::vector<double> &numbers);

    std::string m_name;
    std::string m_distribution;
    std::vector<sweep::ParameterValue> m_choices;  ///< canonical; empty: a number
};

/// The parameters that trials have, in declared order; then those that only earlier definitions had.
std::vector<OptunaParameter> optunaParameters(const sweep::SweepSpec &spec, const sweep::SweepRecord &sweep,
                                              const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::exporting
