#include "launch/loglines.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace sweepscope::launch;

namespace {

/// Returns the lines of `text` if it arrives in chunks of `piece` bytes.
std::vector<std::string> linesOf(std::string_view text, std::size_t piece)
{
    std::vector<std::string> lines;
    const auto take = [&](std::string_view line) { lines.emplace_back(line); };
    LogLines log;
    for (std::size_t at = 0; at < text.size(); at += piece)
        log.add(text.substr(at, piece), take);
    log.finish(take);
    return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("lines are complete, however their bytes arrive")
{
    for (std::size_t piece = 1; piece < 20; ++piece) {
        CHECK(linesOf("one\ntwo\r\n\nthree", piece) == Lines{"one", "two", "three"});
        CHECK(linesOf("", piece).empty());
        CHECK(linesOf("\n\r\n", piece).empty());
    }
}

TEST_CASE("every update of a progress bar is a line")
{
    CHECK(linesOf("\r 10%|#   | loss=3\r 20%|##  | loss=2\r100%|####| loss=1\ndone\n", 7)
          == Lines{" 10%|#   | loss=3", " 20%|##  | loss=2", "100%|####| loss=1", "done"});
}

TEST_CASE("colours and other escape sequences are removed")
{
    for (std::size_t piece = 1; piece < 9; ++piece) {
        CHECK(linesOf("\x1b[1;32mloss\x1b[0m=\x1b[31m0.5\x1b[m\n", piece) == Lines{"loss=0.5"});
        CHECK(linesOf("\x1b]0;a title\x07one\n\x1b]8;;http://x\x1b\\two\n\x1b[Athree\n", piece)
              == Lines{"one", "two", "three"});
        CHECK(linesOf("a\x1b\nb\x1b[\nc\x1b]0\nd", piece) == Lines{"a", "b", "c", "d"});
    }
}

TEST_CASE("an endless line is cut, and the next one is complete")
{
    const std::string longLine(5 * LogLines::longestLine, 'x');
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{65536}, std::size_t{1'000'000}}) {
        const Lines lines = linesOf(longLine + "\nloss=1\n", piece);
        REQUIRE(lines.size() == 2);
        CHECK(lines[0].size() == LogLines::longestLine);
        CHECK(lines[1] == "loss=1");
    }
}
