#pragma once

#include "base/error.h"

#include <QByteArray>

#include <optional>

namespace sweepscope::protocol {

/// No frame is longer; a peer that announces more is disconnected before anything is stored for it.
inline constexpr quint32 maxFrameBytes = 8 * 1024 * 1024;

/// Takes the byte stream of a connection apart: each frame is a big-endian u32 length and that many bytes of payload.
///
///     +----------------+----------------------+----------------+---
///     | length, 4 byte | payload, one message | length, 4 byte | ...
///     +----------------+----------------------+----------------+---
class FrameReader {
public:
    void append(const QByteArray &untrusted) { m_buffer.append(untrusted); }

    /// The next whole payload; nothing when more bytes are needed. Corrupt when the announced length is 0 or beyond the
    /// limit: the stream cannot be used any more.
    Expected<std::optional<QByteArray>> next();

    void clear();

private:
    QByteArray m_buffer;
    qsizetype m_position = 0;  ///< start of the next frame: what lies before was handed out
};

/// `payload` with its length in front. It must not be longer than maxFrameBytes.
QByteArray frame(const QByteArray &payload);

}  // namespace sweepscope::protocol
