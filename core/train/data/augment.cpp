#include "train/data/augment.h"

#include "sweep/splitmix.h"

#include <algorithm>
#include <cstring>

namespace sweepscope::train {

namespace {

void copyRow(const std::uint8_t *from, std::uint8_t *to, std::int64_t width, const ImageChange &change)
{
    for (std::int64_t x = 0; x < width; ++x) {
        const std::int64_t place = x - change.right;
        const bool inside = place >= 0 && place < width;
        to[x] = inside ? from[change.flip ? width - 1 - place : place] : std::uint8_t{0};
    }
}

}  // namespace

ImageChange drawChange(const Augmentation &augmentation, const ImageSize &size, std::uint64_t index)
{
    using sweep::SplitMix64;
    SplitMix64 random(SplitMix64::mix(augmentation.seed + SplitMix64::gamma)
                      ^ SplitMix64::mix((static_cast<std::uint64_t>(augmentation.epoch) << 40U) + index));
    ImageChange change;
    change.flip = random.nextBelow(2) == 1 && augmentation.flip;
    if (augmentation.crop) {
        const auto reach = std::max<std::int64_t>(1, std::min(size.height, size.width) / 8);
        const auto draw = [&] {
            return static_cast<std::int64_t>(random.nextBelow(static_cast<std::uint64_t>(2 * reach + 1))) - reach;
        };
        change.down = draw();
        change.right = draw();
    }
    return change;
}

void changeImage(const std::uint8_t *from, std::uint8_t *to, const ImageSize &size, const ImageChange &change)
{
    for (std::int64_t channel = 0; channel < size.channels; ++channel) {
        for (std::int64_t y = 0; y < size.height; ++y) {
            std::uint8_t *row = to + (channel * size.height + y) * size.width;
            const std::int64_t place = y - change.down;
            if (place >= 0 && place < size.height)
                copyRow(from + (channel * size.height + place) * size.width, row, size.width, change);
            else
                std::memset(row, 0, static_cast<std::size_t>(size.width));
        }
    }
}

}  // namespace sweepscope::train
