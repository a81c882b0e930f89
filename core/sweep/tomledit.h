#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::sweep {

/// TOML text with another value for one key of a table ("devices", "run.environment"); everything else, comments and order among it, is as it
/// was. `value` is TOML; without one the key is taken out, and a comment behind it stays. Nothing, where that cannot be done
/// without touching more, or the text is no TOML: what is returned was read again, and says what the text said but for
/// that key.
std::optional<std::string> withTomlKey(const std::string &text, const std::string &table, const std::string &key,
                                       const std::optional<std::string> &value);

}  // namespace sweepscope::sweep
