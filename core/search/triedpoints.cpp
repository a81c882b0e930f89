#include "search/triedpoints.h"

#include <algorithm>

namespace sweepscope::search {

namespace {

/// Equal for equal points, whatever the order of their parameters.
std::string keyOf(sweep::ParameterSet point)
{
    point = sweep::canonical(std::move(point));
    std::ranges::sort(point);
    std::string key;
    for (const auto &[name, value] : point) {
        key += name;
        key += '\0';
        key += static_cast<char>('0' + value.index());
        key += sweep::toText(value);
        key += '\0';
    }
    return key;
}

}  // namespace

TriedPoints::TriedPoints(History history)
{
    for (const Observation &trial : history)
        m_keys.insert(keyOf(trial.parameters));
}

bool TriedPoints::contains(const sweep::ParameterSet &point) const
{
    return m_keys.contains(keyOf(point));
}

}  // namespace sweepscope::search
