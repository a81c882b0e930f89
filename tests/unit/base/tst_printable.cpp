#include "base/printable.h"

#include <doctest/doctest.h>

using namespace sweepscope;

TEST_CASE("letters of any language are unchanged")
{
    CHECK(printable("loss = 0.5 %") == "loss = 0.5 %");
    CHECK(printable("ошибка: größe 値") == "ошибка: größe 値");
    CHECK(printable("").empty());
}

TEST_CASE("control characters are replaced, including those that UTF-8 encodes in two bytes")
{
    CHECK(printable("a\x1b[31mb\n\tc\x7f") == "a?[31mb??c?");
    CHECK(printable("a\u009b31mb\u0085c") == "a\uFFFD31mb\uFFFDc");
    CHECK(printable(std::string("a\0b", 3)) == "a?b");
}

TEST_CASE("characters that change the direction of text, are invisible or end a line are replaced")
{
    for (const char *mark :
         {"\u061C", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202E", "\u2066", "\u2069", "\uFEFF"})
        CHECK(printable("a" + std::string(mark) + "b") == "a\uFFFDb");
}

TEST_CASE("bytes that are not UTF-8 are replaced, and the following text is kept")
{
    CHECK(printable("a\xff\x9b"
                    "b")
          == "a\uFFFD\uFFFDb");
    CHECK(printable("cut \xe2\x82") == "cut \uFFFD");
    CHECK(printable("\xed\xa0\x80") != "\xed\xa0\x80");  // half of a surrogate pair
}

TEST_CASE("text is cut between characters")
{
    CHECK(cutBetweenCharacters("a\u00e9\u20ac", 6) == "a\u00e9\u20ac");
    CHECK(cutBetweenCharacters("a\u00e9\u20ac", 5) == "a\u00e9");
    CHECK(cutBetweenCharacters("a\u00e9\u20ac", 3) == "a\u00e9");
    CHECK(cutBetweenCharacters("a\u00e9\u20ac", 2) == "a");
    CHECK(cutBetweenCharacters("\u20ac", 2).empty());
}
