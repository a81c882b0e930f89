#pragma once

#include "device/nvmllibrary.h"
#include "device/reading.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sweepscope::device::nvml {

/// Who uses a device: compute, graphics and MPS clients together, by pid. Empty when the driver does not say, or says
/// what cannot be. Names and users are looked up in `procFolder`.
std::optional<std::vector<DeviceProcess>> readProcesses(const Functions &functions, CallMeter &meter,
                                                        DeviceHandle device, const std::string &procFolder);

/// The size of one record in a buffer that was full of `untouched` before `count` of at most `capacity` records were
/// written into it; 0 when it cannot be told.
///
/// The functions take no size, drivers of one and the same symbol have written records of 16, 24 and 32 bytes, and a
/// longer one means that all pids but the first are read from the wrong place. So the bytes are asked themselves: where
/// the last one was written tells how long a record is. (Some drivers clear all of the buffer first: then `capacity`
/// records were written. With capacity > 4 * count the two cannot be confused.)
std::size_t recordBytes(std::span<const unsigned char> buffer, unsigned char untouched, std::size_t count,
                        std::size_t capacity);

}  // namespace sweepscope::device::nvml
