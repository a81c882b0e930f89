#include "base/workspacelayout.h"

#include <doctest/doctest.h>

using namespace sweepscope;

TEST_CASE("an attempt lies in sweeps/FOLDER/trials/NNNN/ATTEMPT")
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
