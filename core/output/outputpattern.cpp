#include "output/outputpattern.h"

#include <algorithm>
#include <re2/re2.h>
#include <vector>

namespace sweepscope::output {

namespace {

/// Per expression, for its cached states. An expression that needs more is refused or matches more slowly.
constexpr std::int64_t mostMemory = 1024 * 1024;
constexpr std::size_t longestPattern = 2000;

}  // namespace

OutputPattern::OutputPattern(std::shared_ptr<const re2::RE2> expression, int group)
    : m_expression(std::move(expression)), m_group(group)
{}

tl::expected<OutputPattern, OutputPattern::Mistake> OutputPattern::compile(const std::string &expression)
{
    if (expression.size() > longestPattern)
        return tl::unexpected(Mistake{"is longer than " + std::to_string(longestPattern) + " characters", 1});
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_max_mem(mostMemory);
    auto compiled = std::make_shared<const re2::RE2>(expression, options);
    if (!compiled->ok()) {
        const std::size_t place = expression.find(compiled->error_arg());
        return tl::unexpected(Mistake{compiled->error(), place == std::string::npos ? 1 : static_cast<int>(place) + 1});
    }
    const auto &names = compiled->NamedCapturingGroups();
    const auto named = names.find("value");
    const int group = named != names.end() ? named->second : std::min(compiled->NumberOfCapturingGroups(), 1);
    return OutputPattern(std::move(compiled), group);
}

std::optional<std::string_view> OutputPattern::find(std::string_view line) const
{
    std::vector<re2::StringPiece> groups(static_cast<std::size_t>(m_group) + 1);
    const re2::StringPiece text(line.data(), line.size());
    if (!m_expression->Match(text, 0, line.size(), re2::RE2::UNANCHORED, groups.data(),
                             static_cast<int>(groups.size())))
        return std::nullopt;
    const re2::StringPiece &found = groups.back();
    if (found.data() == nullptr)  // in an alternative that did not match
        return std::nullopt;
    return std::string_view(found.data(), found.size());
}

}  // namespace sweepscope::output
