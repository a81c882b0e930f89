#include "base/check.h"
#include "base/log.h"

#include <doctest/doctest.h>

using namespace sweepscope;

TEST_CASE("a line has time, level, category and message")
{
    CHECK(logLine(LogLevel::Warning, "devices", "readings are not written", "2026-11-20T21:07:47Z")
          == "2026-11-20T21:07:47Z warning devices: readings are not written\n");
}

TEST_CASE("levels below the threshold are not written, and debug is off by default")
{
    CHECK(isLogged(LogLevel::Info, ""));
    CHECK_FALSE(isLogged(LogLevel::Debug, ""));
    CHECK(isLogged(LogLevel::Debug, "debug"));
    CHECK_FALSE(isLogged(LogLevel::Warning, "error"));
    CHECK(isLogged(LogLevel::Error, "error"));
    CHECK(isLogged(LogLevel::Info, "nonsense"));
    CHECK_FALSE(isLogged(LogLevel::Debug, "nonsense"));
}

TEST_CASE("a broken invariant is an error with its expression and position")
{
    CHECK(require(true, "one is one").has_value());
    const Expected<void> broken = require(false, "a trial has a number");
    REQUIRE_FALSE(broken.has_value());
    CHECK(broken.error().code == ErrorCode::Broken);
    CHECK(broken.error().message.find("\"a trial has a number\" does not hold (tst_log.cpp:") != std::string::npos);
    CHECK_FALSE(holds(false, "two is one"));
}
