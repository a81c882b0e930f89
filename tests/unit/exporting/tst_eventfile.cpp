#include "exporting/eventfile.h"

#include <doctest/doctest.h>

#include <string>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

std::string hex(std::string_view bytes)
{
    std::string text;
    for (const char byte : bytes) {
        text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
        text += "0123456789abcdef"[byte & 0xf];
    }
    return text;
}

}  // namespace

TEST_CASE("numbers of a message are little endian, and integers have seven bits a byte")
{
    CHECK(hex(ProtoMessage().integer(2, 0).text()) == "1000");
    CHECK(hex(ProtoMessage().integer(2, 300).text()) == "10ac02");
    CHECK(hex(ProtoMessage().integer(2, -1).text()) == "10ffffffffffffffffff01");
    CHECK(hex(ProtoMessage().real(1, 1.5).text()) == "09000000000000f83f");
    CHECK(hex(ProtoMessage().real32(2, 0.5F).text()) == "150000003f");
    CHECK(hex(ProtoMessage().bytes(16, "ab").text()) == "8201026162");
}

TEST_CASE("the bytes of a scalar event are those of TensorFlow")
{
    // Event(wall_time=1.5, step=7, summary=Summary(value=[Summary.Value(tag="loss", simple_value=0.25)]))
    CHECK(hex(scalarEvent("loss", 7, 1'500'000'000, 0.25)) == "09000000000000f83f10072a0d0a0b0a046c6f7373150000803e");
}

TEST_CASE("a record has its length and masked CRCs")
{
    // The first record of a file that TensorBoard wrote at time 0.
    const std::string data = versionEvent(0);
    CHECK(hex(data) == "0900000000000000001a0d627261696e2e4576656e743a32");
    const std::string record = recordOf(data);
    CHECK(record.size() == data.size() + 16);
    CHECK(hex(record.substr(0, 12)) == "1800000000000000a37f4b22");
    CHECK(record.substr(12, data.size()) == data);
    CHECK(hex(record.substr(12 + data.size())) == "eedf28a3");
}

TEST_CASE("a parameter has its type, and whether trials differ in it")
{
    // HParamInfo(name="lr", type=DATA_TYPE_FLOAT64, differs=True), HParamInfo(name="opt", type=DATA_TYPE_STRING)
    const std::string event = experimentEvent({{"lr", 0.5, true}, {"opt", std::string("adam"), false}}, {"loss"}, 0);
    CHECK(hex(event).find("22080a026c7220033801") != std::string::npos);
    CHECK(hex(event).find("22090a036f707420013800") != std::string::npos);
    CHECK(hex(event).find("2a080a0612046c6f7373") != std::string::npos);
}

TEST_CASE("a tag that is no UTF-8 is repaired")
{
    CHECK(scalarEvent("a\xff", 0, 0, 0).find("a\xef\xbf\xbd") != std::string::npos);
}
