// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace sweepscope::feed {

/// What RingHeader::streamId of the ring that belongs to this log file must be. None while its preamble is not there.
std::optional<std::uint64_t> streamIdOfLog(int descriptor);

}  // namespace sweepscope::feed
