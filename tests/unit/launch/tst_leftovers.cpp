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

TEST_CASE("a note identifies a process that started after the attempt and has no other attempt's variable")
{
    CHECK_FALSE(spareReason(noted(), "1-2-3", since).has_value());
    CHECK_FALSE(spareReason(noted(std::string("HOME=/\0PATH=/bin\0", 17)), "1-2-3", since).has_value());
    NotedProcess atOnce = noted();
    atOnce.startTime = since;
    CHECK_FALSE(spareReason(atOnce, "1-2-3", since).has_value());
}

TEST_CASE("processes that started before the attempt are spared")
{
    NotedProcess older = noted();
    older.startTime = since - 1;
    CHECK(spareReason(older, "1-2-3", since) == SpareReason::BeganBefore);
}

TEST_CASE("a process of another attempt is spared")
{
    CHECK(spareReason(noted(std::string("A=1\0SWEEPSCOPE_ATTEMPT_ID=1-2-4\0", 32)), "1-2-3", since)
          == SpareReason::OfAnotherAttempt);
    CHECK(spareReason(noted("SWEEPSCOPE_ATTEMPT_ID=1-2-33"), "1-2-3", since) == SpareReason::OfAnotherAttempt);
    CHECK_FALSE(spareReason(noted("SWEEPSCOPE_ATTEMPT_ID=1-2-3", "sweepctl"), "1-2-3", since).has_value());
}

TEST_CASE("engines, windows and agents are spared, and so are their ancestors")
{
    for (const char *program : {"sweepctl", "sweepscope", "sweepscope-agent", "sweepscope-worker"})
        CHECK(spareReason(noted({}, program), "1-2-3", since) == SpareReason::OfSweepscope);
    NotedProcess shell = noted({}, "bash");
    shell.hasOursBelow = true;
    CHECK(spareReason(shell, "1-2-3", since) == SpareReason::OfSweepscope);
}

TEST_CASE("an unreadable process is spared")
{
    NotedProcess hidden = noted();
    hidden.environment.reset();
    CHECK(spareReason(hidden, "1-2-3", since) == SpareReason::Unreadable);
}

TEST_CASE("notes are read only up to the size that an agent writes")
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
