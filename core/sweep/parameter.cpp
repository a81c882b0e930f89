#include "sweep/parameter.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sweepscope::sweep {

namespace {

struct ToText {
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const
    {
        std::array<char, 64> buffer{};
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
        return {buffer.data(), end};
    }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const std::string &value) const { return value; }
};

}  // namespace

std::string toText(const ParameterValue &value)
{
    return std::visit(ToText{}, value);
}

const ParameterValue *find(const ParameterSet &parameters, const std::string &name)
{
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&name](const auto &parameter) { return parameter.first == name; });
    return found == parameters.end() ? nullptr : &found->second;
}

}  // namespace sweepscope::sweep
