#include "output/eventcrc.h"

#include <doctest/doctest.h>

#include <string>

using namespace sweepscope::output;

TEST_CASE("the CRC has the values of RFC 3720")
{
    CHECK(crc32c("") == 0);
    CHECK(crc32c("123456789") == 0xe3069283);
    CHECK(crc32c(std::string(32, '\0')) == 0x8a9136aa);
    CHECK(crc32c(std::string(32, '\xff')) == 0x62a8ab43);
}

TEST_CASE("the CRC of a part continues that of the bytes before")
{
    CHECK(crc32c("56789", crc32c("1234")) == crc32c("123456789"));
}
