#pragma once

#include <map>
#include <string>

namespace sweepscope::launch {

/// Whether the name of a variable says that its value is for nobody else: API_KEY, AWS_SECRET_ACCESS_KEY, token, ….
bool isSecret(const std::string &variable);

/// The same variables, with the values of secret ones masked, and passwords in addresses: for what people read and pass on.
std::map<std::string, std::string> withoutSecrets(const std::map<std::string, std::string> &environment);

}  // namespace sweepscope::launch
