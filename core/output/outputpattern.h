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

/// A regular expression in RE2's syntax (https://github.com/google/re2/wiki/Syntax): matching takes time linear in the
/// length of the line for every expression. Safe to use from several threads.
class OutputPattern {
public:
    struct Mistake {
        std::string message;
        int position = 1;  ///< in the expression, from 1, in bytes
    };
    static tl::expected<OutputPattern, Mistake> compile(const std::string &expression);

    /// Returns the first match in `line`: the group named "value", else the first group, else, without groups, the
    /// entire match. `line` need not be UTF-8.
    std::optional<std::string_view> find(std::string_view line) const;

private:
    OutputPattern(std::shared_ptr<const re2::RE2> expression, int group);
    std::shared_ptr<const re2::RE2> m_expression;
    int m_group;
};

}  // namespace sweepscope::output
