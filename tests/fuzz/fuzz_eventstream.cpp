#include "output/eventcrc.h"
#include "output/eventstream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace sweepscope::output;

namespace {

void appendNumber(std::string &text, std::uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i) & 0xff);
}

/// Checksums are out of reach for a fuzzer.
std::string asRecord(std::string_view data)
{
    std::string record;
    appendNumber(record, data.size(), 8);
    appendNumber(record, maskedCrc(crc32c(record)), 4);
    record += data;
    appendNumber(record, maskedCrc(crc32c(data)), 4);
    return record;
}

/// Everything that was read, as text.
std::string readInPieces(std::string_view bytes, std::size_t piece)
{
    std::string found;
    EventStream stream({[&](const EventScalar &scalar) {
                            found += scalar.tag + ' ' + std::to_string(scalar.step) + ' ' + std::to_string(scalar.time)
                                     + ' ' + std::to_string(scalar.value) + '\n';
                        },
                        [&](const EventSession &session) {
                            for (const auto &[name, value] : session.parameters)
                                found += name + std::to_string(value.index()) + '\n';
                        },
                        [&](const EventSessionEnd &end) { found += end.hasFailed ? "failed\n" : "ended\n"; },
                        [&](const auto &tags) { found += std::to_string(tags.size()) + " metrics\n"; }});
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
        if (const auto added = stream.add(bytes.substr(0, piece)); !added)
            found += added.error().message + '\n';
        if (!stream.add(bytes.substr(0, 0)) && found.find("checksum") == std::string::npos)
            std::abort();
    }
    // After damage the message repeats with each piece.
    const std::size_t damage = found.find("the checksum");
    return damage == std::string::npos ? found + std::to_string(stream.offset())
                                       : found.substr(0, found.find('\n', damage));
}

}  // namespace

/// A file, or after a first byte of 'R' the data of records, separated by "||". It gives the same however its bytes are split.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string_view rest(reinterpret_cast<const char *>(data), size);
    std::string bytes(rest);
    if (rest.starts_with('R')) {
        bytes.clear();
        rest.remove_prefix(1);
        for (;;) {
            const std::size_t end = rest.find("||");
            bytes += asRecord(rest.substr(0, end));
            if (end == std::string_view::npos)
                break;
            rest.remove_prefix(end + 2);
        }
    }
    const std::string whole = readInPieces(bytes, bytes.size() + 1);
    if (whole != readInPieces(bytes, 1) || whole != readInPieces(bytes, 7))
        std::abort();
    return 0;
}
