#pragma once

#include "base/error.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace sweepscope::output {

/// A regular expression in RE2's language (https://github.com/google/re2/wiki/Syntax): whatever it says, the time it
/// takes goes with the length of the line. Safe to use from several threads.
class OutputPattern {
public:
    struct Mistake {
        std::string message;
        int position = 1;  ///< in the expression, from 1, in bytes
    };
    static tl::expected<OutputPattern, Mistake> compile(const std::string &expression);

    /// What the expression picks from `line`, where it matches first: its group named "value", or else its first group,
    /// or else, without groups, all that it matched. `line` need not be UTF-8.
    std::optional<std::string_view> find(std::string_view line) const;

private:
    OutputPattern(std::shared_ptr<const re2::RE2> expression, int group);
    std::shared_ptr<const re2::RE2> m_expression;
    int m_group;
};

}  // namespace sweepscope::output
