#include "base/workspacelayout.h"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace sweepscope;

TEST_CASE("an attempt is in sweeps/FOLDER/trials/NNNN/ATTEMPT")
{
    const WorkspaceLayout workspace{"/w"};
    const AttemptLayout attempt = workspace.attempt("0003-digits", 7, 2);
    CHECK(attempt.folder == "/w/sweeps/0003-digits/trials/0007/2");
    CHECK(attempt.rankFeed(1) == "/w/sweeps/0003-digits/trials/0007/2/rank-1.feed");
}

TEST_CASE("each workspace has its own engine socket, short enough for sockaddr_un")
{
    const auto a = engineSocketPath("/tmp/workspace-a");
    CHECK(a != engineSocketPath("/tmp/workspace-b"));
    CHECK(a == engineSocketPath("/tmp/./workspace-a"));
    CHECK(a.string().size() < 108);
}

TEST_CASE("folders of some ranks are named by them")
{
    const AttemptLayout part = AttemptLayout{"/w/sweeps/a/trials/0001/1"}.ofRanks(4, 7);
    CHECK(part.folder == "/w/sweeps/a/trials/0001/1/ranks-4-7");
    const auto range = rankRangeOf(part.folder);
    REQUIRE(range.has_value());
    CHECK(range->first == 4);
    CHECK(range->last == 7);
    for (const char *other : {"", "ranks", "ranks-", "ranks-4", "ranks-4-", "ranks-7-4", "ranks--4-7", "ranks-4-7x",
                              "rank-4-7", "ranks-4-99999999999"})
        CHECK_FALSE(rankRangeOf(other).has_value());
    CHECK(rankOfFile("rank-12.feed") == 12);
    CHECK(rankOfFile("trace-rank-3-2.json") == 3);
    for (const char *other : {"events.jsonl", "rank-.log", "rank--1.log", "ranks-4-7"})
        CHECK_FALSE(rankOfFile(other).has_value());
}

TEST_CASE("SWEEPSCOPE_WORKSPACE is the default workspace")
{
    ::setenv("XDG_DATA_HOME", "/data", 1);
    ::unsetenv("SWEEPSCOPE_WORKSPACE");
    CHECK(defaultWorkspaceRoot() == "/data/sweepscope/workspace");
    ::setenv("SWEEPSCOPE_WORKSPACE", "/elsewhere", 1);
    CHECK(defaultWorkspaceRoot() == "/elsewhere");
    ::setenv("SWEEPSCOPE_WORKSPACE", "", 1);
    CHECK(defaultWorkspaceRoot() == "/data/sweepscope/workspace");
    ::unsetenv("SWEEPSCOPE_WORKSPACE");
}
