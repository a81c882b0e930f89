#include "importing/parameternames.h"

#include "sweep/searchspace.h"

#include <cctype>

namespace sweepscope::importing {

std::string ParameterNames::nameFor(const std::string &original)
{
    constexpr std::size_t mostBytes = 60;  // leaves room for a number
    std::string name;
    for (const char c : original)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80 ? c : '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
        name.insert(0, "_");
    if (name.size() > mostBytes)
        name.resize(mostBytes);
    // "ranks" would be the number of processes of a trial.
    if (name == "ranks" || !sweep::checkParameterName(name).empty())
        name += '_';
    const std::string stem = name;
    for (int i = 2; !m_taken.insert(name).second; ++i)
        name = stem + "_" + std::to_string(i);
    return name;
}

}  // namespace sweepscope::importing
