#include "importing/yamlvalue.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace sweepscope::importing {

namespace {

constexpr int deepestYaml = 32;
constexpr std::size_t mostYamlValues = 100'000;

sweep::Problem yamlProblem(std::string message, const YAML::Mark &mark)
{
    return {{}, std::move(message), mark.line + 1, mark.column + 1};
}

/// Thrown and caught in this file only, next to those of yaml-cpp.
struct YamlRefused {
    sweep::Problem problem;
};

template <typename Number>
std::optional<Number> wholeNumber(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                     : std::nullopt;
}

template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N> &words)
{
    return std::ranges::find(words, text) != words.end();
}

/// A scalar without quotes.
YamlValue plainScalar(const std::string &text)
{
    constexpr std::array<std::string_view, 5> nulls{"", "~", "null", "Null", "NULL"};
    constexpr std::array<std::string_view, 9> trues{"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"};
    constexpr std::array<std::string_view, 9> falses{"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"};
    YamlValue value;
    if (isOneOf(text, nulls))
        return value;
    value.kind = YamlValue::Kind::Scalar;
    const bool looksNumeric = text.find_first_not_of("+-.0123456789eE") == std::string::npos;
    if (isOneOf(text, trues))
        value.scalar = true;
    else if (isOneOf(text, falses))
        value.scalar = false;
    else if (const auto integer = wholeNumber<std::int64_t>(text))
        value.scalar = *integer;
    else if (const auto number = looksNumeric ? wholeNumber<double>(text) : std::nullopt)
        value.scalar = *number;
    else
        value.scalar = text;
    return value;
}

class YamlReader {
public:
    YamlValue read(const YAML::Node &node, int depth)
    {
        const YAML::Mark mark = node.Mark();
        if (depth > deepestYaml)
            throw YamlRefused{yamlProblem("nests too deeply", mark)};
        if (++m_count > mostYamlValues)
            throw YamlRefused{yamlProblem("the document has too many values", mark)};
        YamlValue value;
        if (node.IsScalar() && node.Tag() == "!") {
            value.kind = YamlValue::Kind::Scalar;
            value.scalar = node.Scalar();
        } else if (node.IsScalar()) {
            value = plainScalar(node.Scalar());
        } else if (node.IsSequence()) {
            value.kind = YamlValue::Kind::List;
            for (const YAML::Node &item : node)
                value.items.push_back(read(item, depth + 1));
        } else if (node.IsMap()) {
            readMap(node, depth, value);
        }
        value.line = mark.line + 1;
        value.column = mark.column + 1;
        return value;
    }

private:
    void readMap(const YAML::Node &node, int depth, YamlValue &value)
    {
        value.kind = YamlValue::Kind::Map;
        for (const auto &member : node) {
            const YAML::Mark mark = member.first.Mark();
            if (!member.first.IsScalar())
                throw YamlRefused{yamlProblem("a key must be a string", mark)};
            const std::string &name = member.first.Scalar();
            if (name == "<<")
                throw YamlRefused{yamlProblem("the merge key << is not supported: write the merged keys out", mark)};
            if (value.find(name) != nullptr)
                throw YamlRefused{yamlProblem("the key '" + name + "' occurs twice: remove one", mark)};
            value.items.push_back(read(member.second, depth + 1));
            value.names.push_back(name);
            // Values that span lines begin on the next one; people look for the key.
            value.items.back().line = mark.line + 1;
            value.items.back().column = mark.column + 1;
        }
    }

    std::size_t m_count = 0;
};

}  // namespace

const YamlValue *YamlValue::find(std::string_view name) const
{
    const auto found = std::ranges::find(names, name);
    return found != names.end() ? &items[static_cast<std::size_t>(found - names.begin())] : nullptr;
}

const std::string *YamlValue::string() const
{
    return isScalar() ? std::get_if<std::string>(&scalar) : nullptr;
}

std::optional<double> YamlValue::number() const
{
    return isScalar() ? sweep::numberOf(scalar) : std::nullopt;
}

std::optional<std::int64_t> YamlValue::integer() const
{
    const auto *number = isScalar() ? std::get_if<std::int64_t>(&scalar) : nullptr;
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::string YamlValue::text() const
{
    return isScalar() ? sweep::toText(scalar) : std::string();
}

tl::expected<YamlValue, sweep::Problem> parseYaml(std::string_view text)
{
    try {
        const YAML::Node document = YAML::Load(std::string(text));
        return YamlReader().read(document, 0);
    } catch (const YamlRefused &refused) {
        return tl::unexpected(refused.problem);
    } catch (const YAML::Exception &error) {
        return tl::unexpected(yamlProblem("invalid YAML: " + error.msg, error.mark));
    }
}

}  // namespace sweepscope::importing
