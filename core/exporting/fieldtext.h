#pragma once

#include <array>
#include <charconv>
#include <ostream>
#include <string>
#include <string_view>

namespace sweepscope::exporting {

/// The shortest text that reads back as the same number.
template <typename Number>
void writeNumber(std::ostream &out, Number value)
{
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    out.write(buffer.data(), end - buffer.data());
}

/// Returns valid UTF-8: invalid bytes are replaced. Makes a copy in `repaired` only if needed.
std::string_view asUtf8(std::string_view text, std::string &repaired);

}  // namespace sweepscope::exporting
