#pragma once

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::node {

/// The first line that a node process writes. What comes before it is a shell's: a banner, the output of a .bashrc.
constexpr std::string_view greeting = "sweepscope-node 1\n";
constexpr std::size_t longestFrame = 4 * 1024 * 1024;

/// One message: JSON, and bytes that JSON cannot carry.
struct Frame {
    nlohmann::json header;
    std::string payload{};
};

/// Returns the frame as it travels: the length of the rest in four bytes, highest first, the header on one line, and the
/// payload.
std::string bytesOf(const Frame &frame);

/// Cuts a stream of bytes into frames. The stream is untrusted.
class FrameParser {
public:
    enum class Begins { WithGreeting, AtOnce };
    explicit FrameParser(Begins begins) : m_greeted(begins == Begins::AtOnce) {}

    void append(std::string_view bytes);
    /// Returns the next frame, or nullopt until more bytes come. Corrupt, from then on: a frame is too long, its header is
    /// not a JSON object, or no greeting came; the message quotes what came instead.
    Expected<std::optional<Frame>> next();
    bool isGreeted() const { return m_greeted; }

private:
    Expected<bool> skipToGreeting();
    tl::unexpected<Error> fail(std::string message);

    std::string m_bytes;
    std::size_t m_read = 0;
    bool m_greeted;
    std::optional<Error> m_error;
};

}  // namespace sweepscope::node
