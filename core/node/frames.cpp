#include "node/frames.h"

#include "base/printable.h"
#include "launch/untrustedjson.h"

#include <cstdint>
#include <utility>

namespace sweepscope::node {

namespace {

constexpr std::size_t lengthBytes = 4;
constexpr std::size_t mostNoise = 64 * 1024;

std::uint32_t lengthAt(std::string_view bytes)
{
    std::uint32_t length = 0;
    for (const char byte : bytes.substr(0, lengthBytes))
        length = length << 8U | static_cast<unsigned char>(byte);
    return length;
}

}  // namespace

std::string bytesOf(const Frame &frame)
{
    const std::string header = frame.header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::size_t length = header.size() + 1 + frame.payload.size();
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(length >> static_cast<unsigned>(shift) & 0xffU);
    return bytes + header + "\n" + frame.payload;
}

void FrameParser::append(std::string_view bytes)
{
    m_bytes.erase(0, std::exchange(m_read, 0));
    m_bytes += bytes;
}

/// Returns whether the greeting was read.
Expected<bool> FrameParser::skipToGreeting()
{
    const std::size_t found = m_bytes.find(greeting);
    if (found != std::string::npos) {
        m_read = found + greeting.size();
        return true;
    }
    if (m_bytes.size() <= mostNoise)
        return false;
    return fail("expected a greeting, received: " + printable(m_bytes.substr(0, 200)));
}

tl::unexpected<Error> FrameParser::fail(std::string message)
{
    m_error = Error{ErrorCode::Corrupt, std::move(message)};
    m_bytes.clear();
    m_read = 0;
    return tl::unexpected(*m_error);
}

Expected<std::optional<Frame>> FrameParser::next()
{
    if (m_error)
        return tl::unexpected(*m_error);
    if (!m_greeted) {
        const Expected<bool> greeted = skipToGreeting();
        if (!greeted)
            return tl::unexpected(greeted.error());
        if (!*greeted)
            return std::nullopt;
        m_greeted = true;
    }
    const std::string_view rest = std::string_view(m_bytes).substr(m_read);
    if (rest.size() < lengthBytes)
        return std::nullopt;
    const std::uint32_t length = lengthAt(rest);
    if (length > longestFrame)
        return fail("a message of " + std::to_string(length) + " bytes is too long");
    if (rest.size() - lengthBytes < length)
        return std::nullopt;
    const std::string_view content = rest.substr(lengthBytes, length);
    const std::size_t lineEnd = content.find('\n');
    Frame frame{launch::parseUntrustedJson(content.substr(0, lineEnd))};
    if (lineEnd == std::string_view::npos || !frame.header.is_object())
        return fail("a message has no header");
    frame.payload = content.substr(lineEnd + 1);
    m_read += lengthBytes + length;
    return std::optional(std::move(frame));
}

}  // namespace sweepscope::node
