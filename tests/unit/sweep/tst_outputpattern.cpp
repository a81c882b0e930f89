#include "output/outputpattern.h"

#include <doctest/doctest.h>
#include <string>

using namespace sweepscope::output;

namespace {

std::string found(const std::string &expression, std::string_view line)
{
    const auto pattern = OutputPattern::compile(expression);
    REQUIRE(pattern.has_value());
    const auto text = pattern->find(line);
    return text ? std::string(*text) : "nothing";
}

}  // namespace

TEST_CASE("the result is the group named value, otherwise the first group, otherwise the whole match")
{
    CHECK(found("loss=(\\S+)", "epoch 3 loss=0.12 acc=0.9") == "0.12");
    CHECK(found("(loss|cost)=(?P<value>\\S+)", "cost=4") == "4");
    CHECK(found("\\d+\\.\\d+", "at 0.25 now") == "0.25");
    CHECK(found("loss=(\\S+)", "lose=0.12") == "nothing");
    CHECK(found("a(b)?c", "ac") == "nothing");
    CHECK(found("größe (\\d+)", "Größe: größe 7") == "7");
}

TEST_CASE("bytes that are not UTF-8 are skipped, and the text around them is found")
{
    CHECK(found("loss=([0-9.]+)", "\xff\xfe loss=0.5 \xc3") == "0.5");
    CHECK(found("x(.*)y", std::string_view("x\0z\0y", 5)) == std::string("\0z\0", 3));
}

TEST_CASE("an expression that is exponential in other engines takes linear time")
{
    const std::string line(60'000, 'a');
    CHECK(found("(a+)+$", line + "b") == "nothing");
    CHECK(found("(a|aa)*c", line) == "nothing");
    CHECK(found("(.*)(.*)(.*)(.*)=(.*)x", line) == "nothing");
}

TEST_CASE("an error has its position")
{
    const auto open = OutputPattern::compile("abc(d");
    REQUIRE_FALSE(open.has_value());
    CHECK(open.error().message.find("missing )") == 0);
    const auto behind = OutputPattern::compile("ä(?<=x)y");
    REQUIRE_FALSE(behind.has_value());
    CHECK(behind.error().position == 3);
    CHECK_FALSE(OutputPattern::compile("(x{1000}){1000}").has_value());
    CHECK_FALSE(OutputPattern::compile(std::string(5000, 'x')).has_value());
    CHECK_FALSE(OutputPattern::compile("(a)\\1").has_value());
}
