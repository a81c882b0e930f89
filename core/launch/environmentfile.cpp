#include "launch/environmentfile.h"

#include "base/environmentname.h"
#include "base/files.h"

#include <algorithm>
#include <optional>

namespace sweepscope::launch {

namespace {

constexpr std::uint64_t largestFile = 64 * 1024;
constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// Returns nullopt if a quote is not closed.
std::optional<std::string_view> unquoted(std::string_view text)
{
    if (text.empty() || (text.front() != '"' && text.front() != '\''))
        return text;
    if (text.size() < 2 || text.back() != text.front())
        return std::nullopt;
    return text.substr(1, text.size() - 2);
}

}  // namespace

Expected<std::map<std::string, std::string>> parseEnvironmentFile(std::string_view content)
{
    std::map<std::string, std::string> environment;
    for (int number = 1; !content.empty(); ++number) {
        const auto problem = [number](const std::string &what) {
            return makeError(ErrorCode::BadInput, "line " + std::to_string(number) + ": " + what);
        };
        const std::size_t end = std::min(content.find('\n'), content.size());
        std::string_view line = trimmed(content.substr(0, end));
        content.remove_prefix(std::min(end + 1, content.size()));
        if (line.empty() || line.front() == '#')
            continue;
        constexpr std::string_view exported = "export ";
        if (line.starts_with(exported))
            line = trimmed(line.substr(exported.size()));
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos)
            return problem("NAME=VALUE is expected");
        const std::string_view name = trimmed(line.substr(0, equals));
        if (!isEnvironmentName(name))
            return problem("the name must consist of letters, digits and _, and not begin with a digit");
        if (isSetForRanks(name))
            return problem("Sweepscope sets " + std::string(name) + " for each rank; remove the line");
        const std::optional<std::string_view> value = unquoted(trimmed(line.substr(equals + 1)));
        if (!value)
            return problem("the value begins with a quote and does not end with the same");
        if (value->find('\0') != std::string_view::npos)
            return problem("the value contains a zero byte");
        environment[std::string(name)] = *value;
    }
    return environment;
}

Expected<std::map<std::string, std::string>> readEnvironmentFile(const std::filesystem::path &file)
{
    const Expected<std::string> content = readFile(file, largestFile);
    if (!content)
        return tl::unexpected<Error>(content.error());
    auto environment = parseEnvironmentFile(*content);
    if (!environment)
        return makeError(environment.error().code, file.string() + ": " + environment.error().message);
    return environment;
}

}  // namespace sweepscope::launch
