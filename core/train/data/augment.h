#pragma once

#include "train/batch.h"

#include <cstdint>

namespace sweepscope::train {

struct ImageSize {
    std::int64_t channels = 1;
    std::int64_t height = 0;
    std::int64_t width = 0;

    std::int64_t pixels() const { return channels * height * width; }
};

struct ImageChange {
    bool flip = false;
    std::int64_t down = 0;   ///< pixels, negative: up
    std::int64_t right = 0;  ///< pixels, negative: left
};

/// The change of image number `index` of the data set.
ImageChange drawChange(const Augmentation &augmentation, const ImageSize &size, std::uint64_t index);

/// `from` and `to`: size.pixels() values each, channel by channel. What comes in from outside the frame is 0.
void changeImage(const std::uint8_t *from, std::uint8_t *to, const ImageSize &size, const ImageChange &change);

}  // namespace sweepscope::train
