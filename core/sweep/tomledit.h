#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::sweep {

/// Returns the TOML text with another value for one key of a table ("devices", "run.environment"); comments and order
/// stay. `key` and `value` are TOML; without a value the key is removed, and a comment behind it stays. nullopt if the
/// text is not valid TOML or more would have to change: the result is parsed again and compared with the original, which
/// it must equal in everything except that key.
std::optional<std::string> withTomlKey(const std::string &text, const std::string &table, const std::string &key,
                                       const std::optional<std::string> &value);

}  // namespace sweepscope::sweep
