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

/// The size of one record in a buffer that was filled with `untouched` before `count` of at most `capacity` records
/// were written into it; 0 if unknown.
///
/// The functions take no size, drivers have written records of 16, 24 and 32 bytes under the same symbol, and with a
/// wrong size all pids but the first are read from the wrong place. So the size is derived from the buffer, by the
/// place where the last byte was written. (Some drivers clear the whole buffer first: then `capacity` records were
/// written. With capacity > 4 * count the two cases cannot be confused.)
std::size_t recordBytes(std::span<const unsigned char> buffer, unsigned char untouched, std::size_t count,
                        std::size_t capacity);

}  // namespace sweepscope::device::nvml
