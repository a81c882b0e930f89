#include "output/eventcrc.h"

#include <array>
#include <bit>

namespace sweepscope::output {

namespace {

constexpr std::uint32_t reversedCastagnoli = 0x82f63b78;

constexpr std::array<std::uint32_t, 256> crcTable()
{
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit)
            rest = (rest & 1) != 0 ? (rest >> 1) ^ reversedCastagnoli : rest >> 1;
        table[byte] = rest;
    }
    return table;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before)
{
    static constexpr std::array<std::uint32_t, 256> table = crcTable();
    std::uint32_t crc = ~before;
    for (const char byte : bytes)
        crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xff] ^ (crc >> 8);
    return ~crc;
}

std::uint32_t maskedCrc(std::uint32_t crc)
{
    return std::rotr(crc, 15) + 0xa282ead8U;
}

}  // namespace sweepscope::output
