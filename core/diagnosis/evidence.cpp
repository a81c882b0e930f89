#include "diagnosis/evidence.h"

#include <algorithm>

namespace sweepscope::diagnosis {

const series::Series *RankEvidence::find(std::string_view name) const
{
    const auto found = std::find_if(curves.begin(), curves.end(),
                                    [name](const series::Series *curve) { return curve->name() == name; });
    return found == curves.end() || (*found)->empty() ? nullptr : *found;
}

std::optional<std::int64_t> RankEvidence::lastStep() const
{
    std::optional<std::int64_t> last;
    for (const series::Series *curve : curves) {
        if (!curve->empty())
            last = std::max(last.value_or(curve->back().step), curve->back().step);
    }
    return last;
}

std::optional<WallNs> RankEvidence::lastTime() const
{
    std::optional<WallNs> last;
    for (const series::Series *curve : curves) {
        if (!curve->empty())
            last = std::max(last.value_or(curve->back().timeNs), curve->back().timeNs);
    }
    return last;
}

}  // namespace sweepscope::diagnosis
