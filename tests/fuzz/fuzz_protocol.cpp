#include "protocol/framereader.h"
#include "protocol/messages.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace sweepscope;
using namespace sweepscope::protocol;

namespace {

/// A decoded message is encoded uniquely, and decoded to the same message again.
void decodePayload(const QByteArray &payload)
{
    const Expected<protocol::Message> message = protocol::decode(payload);
    if (!message)
        return;
    const QByteArray sent = protocol::encode(*message);
    const Expected<protocol::Message> again = protocol::decode(sent);
    if (!again || again->index() != message->index() || protocol::encode(*again) != sent)
        std::abort();
}

}  // namespace

/// Any bytes are a stream that is refused, or frames whose payloads are messages or refused.
///
///     byte 0      odd: the rest is one payload; even: a stream of frames, which comes in pieces of this many bytes
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *untrusted, std::size_t size)
{
    if (size < 1)
        return 0;
    const QByteArray bytes(reinterpret_cast<const char *>(untrusted) + 1, static_cast<qsizetype>(size - 1));
    if (untrusted[0] % 2 == 1) {
        decodePayload(bytes);
        return 0;
    }
    FrameReader reader;
    const qsizetype piece = untrusted[0] + 1;
    for (qsizetype at = 0; at < bytes.size(); at += piece) {
        reader.append(bytes.mid(at, piece));
        Expected<std::optional<QByteArray>> payload = reader.next();
        for (; payload && *payload; payload = reader.next())
            decodePayload(**payload);
        if (!payload)
            return 0;
    }
    return 0;
}
