#include "launch/untrustedjson.h"

#include <doctest/doctest.h>

#include <string>

using namespace sweepscope::launch;

TEST_CASE("JSON that nests too deep is refused")
{
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    CHECK(parseUntrustedJson(nested(100)).is_array());
    CHECK(parseUntrustedJson(nested(101)).is_discarded());
    CHECK(parseUntrustedJson(nested(1'000'000)).is_discarded());
    CHECK(parseUntrustedJson(std::string(1'000'000, '{')).is_discarded());
}

TEST_CASE("brackets within strings and closed brackets do not count as nesting")
{
    const std::string brackets(1000, '[');
    CHECK(parseUntrustedJson("{\"" + brackets + "\": \"\\\"" + brackets + "\"}").is_object());
    std::string list = "[";
    for (int i = 0; i < 1000; ++i)
        list += "{},";
    CHECK(parseUntrustedJson(list + "{}]").size() == 1001);
    CHECK(parseUntrustedJson("{").is_discarded());
}
