#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

namespace sweepscope::exporting {

/// JSON has no NaN and no infinities. They are written as the strings "nan", "inf" and "-inf", so that nothing is lost
/// and any program can read the file.
template <typename Value>
nlohmann::ordered_json jsonValue(const Value &value)
{
    return value;
}
inline nlohmann::ordered_json jsonValue(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    return number;
}

/// On one line. Strings that are not UTF-8 are repaired.
inline std::string jsonLine(const nlohmann::ordered_json &json)
{
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// All of an object but the end of its last member, an empty array: what follows are the items.
inline void writeOpen(std::ostream &out, const nlohmann::ordered_json &object)
{
    const std::string line = jsonLine(object);
    out.write(line.data(), static_cast<std::streamsize>(line.size() - 2));
}

}  // namespace sweepscope::exporting
