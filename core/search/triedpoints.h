#pragma once

#include "search/observation.h"

#include <string>
#include <unordered_set>

namespace sweepscope::search {

/// The points of a history, so that none is suggested twice.
class TriedPoints {
public:
    explicit TriedPoints(History history);

    bool contains(const sweep::ParameterSet &point) const;

private:
    std::unordered_set<std::string> m_keys;
};

}  // namespace sweepscope::search
