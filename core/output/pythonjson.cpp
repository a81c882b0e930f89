#include "output/pythonjson.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sweepscope::output {

namespace {

constexpr int deepestJson = 64;

}  // namespace

std::string standardJson(std::string_view text)
{
    constexpr std::array<std::string_view, 3> words{"-Infinity", "Infinity", "NaN"};
    std::string result;
    bool isString = false;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isString && text[i] == '\\' && i + 1 < text.size()) {
            result += text[i++];
        } else if (text[i] == '"') {
            isString = !isString;
        } else if (!isString) {
            depth += text[i] == '[' || text[i] == '{' ? 1 : text[i] == ']' || text[i] == '}' ? -1 : 0;
            if (depth > deepestJson)
                return {};
            const auto word = std::ranges::find_if(
                words, [&](std::string_view candidate) { return text.substr(i).starts_with(candidate); });
            if (word != words.end()) {
                result += '"' + std::string(*word) + '"';
                i += word->size() - 1;
                continue;
            }
        }
        result += text[i];
    }
    return result;
}

std::optional<double> pythonNumber(const nlohmann::json &json)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (json.is_number())
        return json.get<double>();
    if (json == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    if (json == "Infinity" || json == "-Infinity")
        return json == "Infinity" ? infinity : -infinity;
    return std::nullopt;
}

}  // namespace sweepscope::output
