#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// Returns whether a variable's name marks its value as secret: API_KEY, AWS_SECRET_ACCESS_KEY, token, ….
bool isSecret(const std::string &variable);

/// Returns the variables with secret values and passwords in URLs masked, for display and sharing.
std::map<std::string, std::string> withoutSecrets(const std::map<std::string, std::string> &environment);

/// The values of secret variables, to be masked in a rank's output.
class SecretValues {
public:
    SecretValues() = default;
    /// Collects the values of variables in `environment` and of this process for which isSecret() is true or that
    /// `secret` names. Values shorter than 6 characters are ignored: masking them would hit ordinary words.
    SecretValues(const std::map<std::string, std::string> &environment, const std::set<std::string> &secret);

    /// Returns `text` with "***" for each value.
    std::string masked(std::string text) const;
    /// In bytes; 0 if there is none.
    std::size_t longest() const { return m_values.empty() ? 0 : m_values.front().size(); }

private:
    std::vector<std::string> m_values;  ///< longest first: one may contain another
};

}  // namespace sweepscope::launch
