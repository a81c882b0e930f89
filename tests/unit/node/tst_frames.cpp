#include "node/frames.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::node;

namespace {

/// The headers and payloads that come out of these bytes, cut into pieces: "{..}+payload …", or the error.
std::string framesIn(const std::string &bytes, std::size_t piece, FrameParser::Begins begins)
{
    FrameParser parser(begins);
    std::string all;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        parser.append(std::string_view(bytes).substr(at, piece));
        while (true) {
            const auto frame = parser.next();
            if (!frame)
                return all + "error: " + frame.error().message;
            if (!*frame)
                break;
            all += (*frame)->header.dump() + "+" + (*frame)->payload + " ";
        }
    }
    return all;
}

const std::string two = bytesOf(Frame{{{"a", 1}}, "x\ny"}) + bytesOf(Frame{{{"b", "\xff"}}});

}  // namespace

TEST_CASE("frames come out as they went in, however they were cut")
{
    for (const std::size_t piece : {1UL, 3UL, 1000UL}) {
        CHECK(framesIn(two, piece, FrameParser::Begins::AtOnce) == "{\"a\":1}+x\ny {\"b\":\"\xef\xbf\xbd\"}+ ");
        CHECK(
            framesIn("Welcome!\r\nLast login\n" + std::string(greeting) + two, piece, FrameParser::Begins::WithGreeting)
            == "{\"a\":1}+x\ny {\"b\":\"\xef\xbf\xbd\"}+ ");
    }
}

TEST_CASE("what is no frame ends the stream")
{
    const auto errorOf = [](const std::string &bytes) { return framesIn(bytes, 100, FrameParser::Begins::AtOnce); };
    CHECK(errorOf(std::string("\xff\xff\xff\xff", 4)) == "error: a message of 4294967295 bytes is too long");
    CHECK(errorOf(std::string("\0\0\0\3{}x", 7)) == "error: a message has no header");
    CHECK(errorOf(std::string("\0\0\0\3[]\n", 7)) == "error: a message has no header");
    CHECK(errorOf(std::string("\0\0\0\0", 4)) == "error: a message has no header");
    CHECK(errorOf(std::string("\0\0\1\0{", 5)).empty());  // incomplete
    const std::string noise(70'000, 'n');
    CHECK(framesIn(noise, 1000, FrameParser::Begins::WithGreeting)
          == "error: expected a greeting, received: " + std::string(200, 'n'));
}

TEST_CASE("an error stays")
{
    FrameParser parser(FrameParser::Begins::AtOnce);
    parser.append(std::string("\0\0\0\0", 4));
    CHECK_FALSE(parser.next().has_value());
    parser.append(two);
    CHECK_FALSE(parser.next().has_value());
}
