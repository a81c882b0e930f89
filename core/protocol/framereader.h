#pragma once

#include "base/error.h"

#include <QByteArray>

#include <optional>

namespace sweepscope::protocol {

/// The maximum frame; a peer that announces a longer one is disconnected before anything is stored for it.
inline constexpr quint32 maxFrameBytes = 8 * 1024 * 1024;

/// Splits the byte stream of a connection: each frame is a big-endian u32 length and that many bytes of payload.
///
///     +----------------+----------------------+----------------+---
///     | length, 4 byte | payload, one message | length, 4 byte | ...
///     +----------------+----------------------+----------------+---
class FrameReader {
public:
    void append(const QByteArray &untrusted) { m_buffer.append(untrusted); }

    /// Returns the next complete payload; nullopt if more bytes are needed. Corrupt if the announced length is 0 or
    /// above the limit: the stream cannot be used any more.
    Expected<std::optional<QByteArray>> next();

    void clear();

private:
    QByteArray m_buffer;
    qsizetype m_position = 0;  ///< start of the next frame: everything before was returned
};

/// Returns `payload` preceded by its length. It must not be longer than maxFrameBytes.
QByteArray frame(const QByteArray &payload);

}  // namespace sweepscope::protocol
