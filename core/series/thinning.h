#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace sweepscope::series {

/// A log with fewer points, which looks the same in a plot of a thousand columns, in the same format.
struct ThinLog {
    std::string bytes;
    std::uint64_t end =
        0;  ///< stream offset of the log up to which it goes; what follows there may be appended to `bytes`
};

/// Thins a log that its index covers, in a time that does not depend on its length much. Series, events and the number of lost
/// records stay. Of each series with more points than 4 * `groups`, that many groups of neighbours keep the first, lowest, highest
/// and last value, and one that is not finite; the lowest and highest lie within 64 samples of their places.
Expected<ThinLog> thinLog(const std::filesystem::path &log, const std::filesystem::path &index, int groups);

}  // namespace sweepscope::series
