#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// Whether the name of a variable says that its value is for nobody else: API_KEY, AWS_SECRET_ACCESS_KEY, token, ….
bool isSecret(const std::string &variable);

/// The same variables, with the values of secret ones masked, and passwords in addresses: for what people read and pass on.
std::map<std::string, std::string> withoutSecrets(const std::map<std::string, std::string> &environment);

/// The values of secret variables, to be taken out of what a rank prints.
class SecretValues {
public:
    SecretValues() = default;
    /// Of the variables in `environment` and of those of this process, each that isSecret() or that `secret` names. Shorter
    /// values than 6 characters are none: they would mask ordinary words.
    SecretValues(const std::map<std::string, std::string> &environment, const std::set<std::string> &secret);

    /// `text` with "***" for each value.
    std::string masked(std::string text) const;
    /// In bytes; 0 if there is none.
    std::size_t longest() const { return m_values.empty() ? 0 : m_values.front().size(); }

private:
    std::vector<std::string> m_values;  ///< the longest first: one may contain another
};

}  // namespace sweepscope::launch
