#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::train {

/// Whether smaller values of a metric ("val_loss", "val_f1") are better.
bool isSmallerBetter(std::string_view metric);

/// Which weights of a trial are among the best so far. Equal scores: the earlier step is the better one.
class BestWeights {
public:
    struct Kept {
        std::int64_t step = 0;
        double score = 0;

        bool operator==(const Kept &) const = default;
    };

    BestWeights(std::int64_t most, bool smallerIsBetter) : m_most(most), m_smallerIsBetter(smallerIsBetter) {}

    /// Returns whether the weights of this step belong to the best. Nan never does.
    bool add(std::int64_t step, double score);
    bool contains(std::int64_t step) const;
    /// Best first.
    const std::vector<Kept> &kept() const { return m_kept; }

private:
    bool isBetter(const Kept &a, const Kept &b) const;

    std::int64_t m_most;
    bool m_smallerIsBetter;
    std::vector<Kept> m_kept;
};

}  // namespace sweepscope::train
