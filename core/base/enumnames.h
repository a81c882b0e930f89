#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sweepscope {

/// The words of an enumeration, as files, database and protocol have them.
template <typename Value, std::size_t Count>
using EnumNames = std::array<std::pair<Value, std::string_view>, Count>;

template <typename Value, std::size_t Count>
std::string nameOf(const EnumNames<Value, Count> &names, Value value)
{
    for (const auto &[candidate, name] : names) {
        if (candidate == value)
            return std::string(name);
    }
    return {};
}

template <typename Value, std::size_t Count>
std::optional<Value> valueOf(const EnumNames<Value, Count> &names, std::string_view text)
{
    for (const auto &[value, name] : names) {
        if (name == text)
            return value;
    }
    return std::nullopt;
}

}  // namespace sweepscope
