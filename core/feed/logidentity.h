// SPDX-License-Identifier: MIT
#pragma once

#include "feed/logfile.h"

#include <cstdint>
#include <optional>

namespace sweepscope::feed {

/// What RingHeader::streamId of the ring that belongs to this log file must be. None while its preamble is not there.
std::optional<std::uint64_t> streamIdOfLog(LogFile &log);

}  // namespace sweepscope::feed
