#include "launch/childnotes.h"
#include "launch/leftovers.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

constexpr std::uint64_t since = 1000;

NotedProcess noted(std::string environment = {}, std::string program = "python3")
{
    return {since + 1, std::move(environment), std::move(program), false};
}

}  // namespace

TEST_CASE("a note is enough for a process that began after the attempt and says nothing of another one")
{
    CHECK_FALSE(whySpared(noted(), "1-2-3", since).has_value());
    CHECK_FALSE(whySpared(noted(std::string("HOME=/\0PATH=/bin\0", 17)), "1-2-3", since).has_value());
    NotedProcess atOnce = noted();
    atOnce.startTime = since;
    CHECK_FALSE(whySpared(atOnce, "1-2-3", since).has_value());
}

TEST_CASE("what began before the attempt is spared")
{
    NotedProcess older = noted();
    older.startTime = since - 1;
    CHECK(whySpared(older, "1-2-3", since) == Spared::BeganBefore);
}

TEST_CASE("a process of another attempt is spared")
{
    CHECK(whySpared(noted(std::string("A=1\0SWEEPSCOPE_ATTEMPT_ID=1-2-4\0", 32)), "1-2-3", since)
          == Spared::OfAnotherAttempt);
    CHECK(whySpared(noted("SWEEPSCOPE_ATTEMPT_ID=1-2-33"), "1-2-3", since) == Spared::OfAnotherAttempt);
    CHECK_FALSE(whySpared(noted("SWEEPSCOPE_ATTEMPT_ID=1-2-3", "sweepctl"), "1-2-3", since).has_value());
}

TEST_CASE("engines, windows and agents are spared, and so is what they descend from")
{
    for (const char *program : {"sweepctl", "sweepscope", "sweepscope-agent", "sweepscope-worker"})
        CHECK(whySpared(noted({}, program), "1-2-3", since) == Spared::OfSweepscope);
    NotedProcess shell = noted({}, "bash");
    shell.hasOursBelow = true;
    CHECK(whySpared(shell, "1-2-3", since) == Spared::OfSweepscope);
}

TEST_CASE("a process of which nothing can be read is spared")
{
    NotedProcess hidden = noted();
    hidden.environment.reset();
    CHECK(whySpared(hidden, "1-2-3", since) == Spared::Unreadable);
}

TEST_CASE("of notes no more is read than an agent writes")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "children.txt";
    {
        std::ofstream out(file);
        for (int i = 1; i <= 10'000; ++i)
            out << i << " 1\n";
    }
    CHECK(readChildNotes(file).size() == 4096);
    std::filesystem::resize_file(file, 256 << 20);
    CHECK(readChildNotes(file).empty());
}
