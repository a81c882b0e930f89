#pragma once

#include <cstdint>
#include <string_view>

/// The checksum of TensorBoard's event files.
namespace sweepscope::output {

/// CRC-32C. `before`: the CRC of the bytes before these.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

/// A CRC as event files store it, so that the CRC of data with CRCs is not a special case.
std::uint32_t maskedCrc(std::uint32_t crc);

}  // namespace sweepscope::output
