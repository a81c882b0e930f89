#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::launch {

/// Variables of one process that another process lacks, or has with another value.
struct CarriedEnvironment {
    std::map<std::string, std::string> plain;
    std::map<std::string, std::string> secret;  ///< see isSecret(); and with passwords in URLs
    std::vector<std::string> left;              ///< names of secret variables that an environment file cannot have
};

/// Without what differs between any two shells, and what Sweepscope sets for each rank.
CarriedEnvironment carriedEnvironment(const std::map<std::string, std::string> &from,
                                      const std::map<std::string, std::string> &to);

/// Reads the content of /proc/PID/environ.
std::map<std::string, std::string> environmentOf(std::string_view untrustedBlock);

/// Returns a file that parseEnvironmentFile() reads back. Values must not contain line breaks.
std::string toEnvironmentFile(const std::map<std::string, std::string> &environment);

}  // namespace sweepscope::launch
