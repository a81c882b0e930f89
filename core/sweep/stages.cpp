#include "sweep/stages.h"

#include <algorithm>
#include <numeric>

namespace sweepscope::sweep {

std::vector<std::size_t> assignStages(const std::vector<std::int64_t> &weights, std::size_t stages)
{
    const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    std::vector<std::size_t> assigned;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        // The stage in whose share of all parameters the middle of this layer lies.
        const double middle = (static_cast<double>(before) + static_cast<double>(weights[i]) / 2)
                              / static_cast<double>(std::max<std::int64_t>(1, total));
        auto stage = std::min(stages - 1, static_cast<std::size_t>(middle * static_cast<double>(stages)));
        const std::size_t previous = assigned.empty() ? 0 : assigned.back();
        const std::size_t layersLeft = weights.size() - i;
        // As many stages must remain as layers are needed for.
        const std::size_t least = stages > layersLeft ? stages - layersLeft : 0;
        stage = std::clamp(stage, previous, assigned.empty() ? std::size_t{0} : previous + 1);
        assigned.push_back(std::max(stage, std::min(least, assigned.empty() ? std::size_t{0} : previous + 1)));
        before += weights[i];
    }
    return assigned;
}

}  // namespace sweepscope::sweep
