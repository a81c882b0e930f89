#pragma once

#include <cstddef>
#include <functional>

namespace sweepscope::train {

/// Takes the bytes of a file one piece after the other; what it throws ends the writing.
using ByteSink = std::function<void(const void *data, std::size_t size)>;

}  // namespace sweepscope::train
