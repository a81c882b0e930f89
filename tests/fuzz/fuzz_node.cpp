#include "node/filemirror.h"
#include "node/messages.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

using namespace sweepscope;
using namespace sweepscope::node;

/// What comes from another machine, and what a node process reads from its pipe: any bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    for (const auto begins : {FrameParser::Begins::AtOnce, FrameParser::Begins::WithGreeting}) {
        FrameParser parser(begins);
        FileMirror mirror("/nonexistent");
        for (std::size_t at = 0; at < size; at += 7) {
            parser.append(std::string_view(bytes).substr(at, 7));
            while (true) {
                auto frame = parser.next();
                if (!frame || !*frame)
                    break;
                const auto parcel = parcelIn(std::move(**frame));
                if (!parcel)
                    continue;
                const auto *chunk = std::get_if<Chunk>(&parcel->message);
                if (chunk != nullptr && mirror.apply(*chunk, parcel->payload))
                    std::abort();  // nothing can be written there
                const auto again = [&] {
                    FrameParser second(FrameParser::Begins::AtOnce);
                    second.append(bytesOf(*parcel));
                    auto read = second.next();
                    return read && *read ? parcelIn(std::move(**read)) : Expected<Parcel>(*parcel);
                }();
                if (!again || again->message.index() != parcel->message.index() || again->payload != parcel->payload)
                    std::abort();
            }
        }
    }
    return 0;
}
